import Foundation

/// Finds the user at the other end of a loopback TCP connection, which Linux lists under /proc.
public enum LoopbackPeers {
  /// The users at the other ends of accepted connections, in order. A user is nil if the list lacks the connection:
  /// it may have closed, or been missed because the list is not a snapshot. The result is nil if the system has no
  /// such list (macOS, or no `/proc`).
  public static func users(of descriptors: [Int32]) -> [uid_t?]? {
    #if os(Linux)
      guard let list = contents(of: "/proc/net/tcp") else { return nil }
      let users = users(in: list)
      return descriptors.map { descriptor in
        ends(of: descriptor).flatMap { users["\($0.other) \($0.own)"] }
      }
    #else
      return nil
    #endif
  }

  /// Reads a whole file of /proc, whose size is not known in advance. Foundation stops after the first chunk.
  private static func contents(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Maps "own end, other end" of each connection to its user. /proc/net/tcp has this form (proc(5)).
  static func users(in list: String) -> [String: uid_t] {
    var users: [String: uid_t] = [:]
    for line in list.split(separator: "\n").dropFirst() {
      // sl, local_address, rem_address, st, queues, timer, retrnsmt, uid
      let columns = line.split(separator: " ", omittingEmptySubsequences: true)
      guard columns.count > 7, let user = uid_t(columns[7]) else { continue }
      users["\(columns[1]) \(columns[2])"] = user
    }
    return users
  }

  private static func ends(of descriptor: Int32) -> (own: String, other: String)? {
    guard let own = address(descriptor, getsockname), let other = address(descriptor, getpeername) else { return nil }
    return (own, other)
  }

  private typealias AddressCall = (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32

  /// `0100007F:1F90`: the address as a hexadecimal number in host byte order, then the port.
  private static func address(_ descriptor: Int32, _ question: AddressCall) -> String? {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { question(descriptor, $0, &length) == 0 }
    }
    guard isKnown, address.sin_family == sa_family_t(AF_INET) else { return nil }
    return String(format: "%08X:%04X", address.sin_addr.s_addr, UInt32(UInt16(bigEndian: address.sin_port)))
  }
}
