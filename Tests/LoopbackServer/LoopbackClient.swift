import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Opens connections that send nothing.
public enum LoopbackClient {
  public static var user: uid_t { geteuid() }

  #if canImport(Glibc)
    private static let peek = Int32(MSG_PEEK)
  #else
    private static let peek = MSG_PEEK
  #endif

  /// Connects to a port of 127.0.0.1; nil on failure.
  public static func connect(to port: UInt16) -> Int32? {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Foundation.connect(descriptor, $0, size) == 0 }
    }
    guard isOpen else {
      close([descriptor])
      return nil
    }
    return descriptor
  }

  @discardableResult
  public static func say(_ text: String, on descriptor: Int32) -> Bool {
    let bytes = Array(text.utf8)
    return write(descriptor, bytes, bytes.count) == bytes.count
  }

  public static func close(_ descriptors: [Int32]) { for descriptor in descriptors { Foundation.close(descriptor) } }

  /// Waits until the other side has closed `count` of these connections.
  /// - Returns: false when `seconds` ran out first.
  public static func areClosed(_ count: Int, of descriptors: [Int32], within seconds: Double = 300) -> Bool {
    let start = ContinuousClock.now
    var open = Set(descriptors)
    while descriptors.count - open.count < count {
      let left = seconds - (ContinuousClock.now - start) / .seconds(1)
      guard left > 0 else { return false }
      var entries = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      _ = poll(&entries, nfds_t(entries.count), Int32(left * 1000))
      var byte: UInt8 = 0
      for entry in entries where entry.revents != 0 && recv(entry.fd, &byte, 1, peek) <= 0 {
        open.remove(entry.fd)
      }
    }
    return true
  }
}
