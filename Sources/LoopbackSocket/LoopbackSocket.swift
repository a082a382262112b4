import Foundation

/// Stream sockets of this machine: the few calls that a small server needs, with the differences between Linux and
/// macOS.
public enum LoopbackSocket {
  #if canImport(Glibc)
    private static let sendFlags = Int32(MSG_NOSIGNAL)
    private static let nowFlags = Int32(MSG_DONTWAIT)
    private static let both = Int32(SHUT_RDWR)
  #else
    private static let sendFlags: Int32 = 0
    private static let nowFlags = MSG_DONTWAIT
    private static let both = SHUT_RDWR
  #endif

  /// A stream socket of this family (`AF_INET`, `AF_UNIX`) that child processes do not inherit. Negative if it fails.
  public static func make(_ family: Int32) -> Int32 {
    #if canImport(Glibc)
      let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(family, SOCK_STREAM, 0)
    #endif
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return descriptor
  }

  /// Opens a socket that listens on a free port of 127.0.0.1.
  public static func listen() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = make(AF_INET)
    guard descriptor >= 0 else { throw POSIXFailure("socket") }
    let port = bind(descriptor).flatMap { Foundation.listen(descriptor, 512) == 0 ? $0 : nil }
    guard let port else {
      let failure = POSIXFailure("bind")
      close(descriptor)
      throw failure
    }
    return (descriptor, port)
  }

  /// Gives the socket a port of 127.0.0.1. 0: a free one.
  /// - Returns: the port; nil if it cannot be had, with the reason in `errno`.
  @discardableResult
  public static func bind(_ descriptor: Int32, to port: UInt16 = 0) -> UInt16? {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        Foundation.bind(descriptor, generic, length) == 0 && getsockname(descriptor, generic, &length) == 0
      }
    }
    return isBound ? UInt16(bigEndian: address.sin_port) : nil
  }

  /// Whether the other side closes the connection within this many seconds. It must not send anything more.
  public static func isClosed(_ descriptor: Int32, within seconds: Double) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, Int32(seconds * 1000)) > 0
  }

  /// Accepts a connection. Nil if there is none; `errno` gives the reason (accept(2)).
  public static func accept(_ listener: Int32) -> Int32? {
    let descriptor = Foundation.accept(listener, nil, nil)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var on: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    // Without TCP_NODELAY, small pieces of a slow server would be delayed and merged.
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
    #if canImport(Darwin)
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, size)
    #endif
    return descriptor
  }

  /// What `receiveNow` has found.
  public enum Arrival: Equatable, Sendable {
    case bytes([UInt8])
    case nothingYet
    /// The other side has closed the connection.
    case closed
  }

  /// Returns what has arrived, without waiting.
  public static func receiveNow(_ descriptor: Int32) -> Arrival {
    var result = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 16 * 1024) { buffer, count in
      repeat {
        result = recv(descriptor, buffer.baseAddress, buffer.count, nowFlags)
      } while result < 0 && errno == EINTR
      count = max(0, result)
    }
    if result > 0 { return .bytes(bytes) }
    return result < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? .nothingYet : .closed
  }

  /// False when the other side takes no more bytes.
  /// - Parameter waits: whether it waits for space in the socket's buffer.
  public static func send(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>, waits: Bool = true) -> Bool {
    let flags = waits ? sendFlags : sendFlags | nowFlags
    return bytes.withUnsafeBytes { buffer in
      var sent = 0
      while sent < buffer.count {
        let result = Foundation.send(descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent, flags)
        if result < 0 && errno == EINTR { continue }
        guard result > 0 else { return false }
        sent += result
      }
      return true
    }
  }

  /// Makes the next close reset the connection (RST), so that the other side sees a failure instead of a normal end.
  public static func reset(_ descriptor: Int32) {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
  }

  /// Makes all blocked calls on the connection return, on every thread.
  public static func interrupt(_ descriptor: Int32) { shutdown(descriptor, both) }
}
