import Foundation
import LoopbackSocket

/// Exchanges bytes with a running program, without blocking longer than wanted.
struct ProgramPipes {
  private let process: ProgramProcess
  private var input: ArraySlice<UInt8>
  private(set) var output: ProgramOutput
  private(set) var errors: ProgramOutput
  /// Streams that the program has not closed.
  private var open: [ListenerProgram.Stream] = [.output, .errors]

  /// Bytes of the last messages of a program that are kept.
  private static let errorLimit = 1_000_000

  init(process: ProgramProcess, input: Data, limit: Int) {
    self.process = process
    self.input = ArraySlice(input)
    output = ProgramOutput(keeping: .first, limit: limit)
    errors = ProgramOutput(keeping: .last, limit: min(limit, Self.errorLimit))
    if input.isEmpty { process.closeInput() }
  }

  /// Waits for the program to write or read something, or for `wake`.
  /// - Parameter seconds: the longest time.
  mutating func exchange(
    waiting seconds: Double, wake: WakePipe, _ onLine: (ListenerProgram.Stream, String) -> Void
  ) {
    var entries = [pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0)]
    entries += open.map { pollfd(fd: process.descriptor(of: $0), events: Int16(POLLIN), revents: 0) }
    if !input.isEmpty { entries.append(pollfd(fd: process.input, events: Int16(POLLOUT), revents: 0)) }
    let milliseconds = seconds.isFinite ? Int32(min(1e6, max(0, seconds * 1000)).rounded(.up)) : -1
    guard poll(&entries, nfds_t(entries.count), milliseconds) > 0 else { return }
    if entries[0].revents != 0 { _ = wake.drain() }
    for stream in open where entries.contains(where: { $0.fd == process.descriptor(of: stream) && $0.revents != 0 }) {
      _ = receive(stream, onLine)
    }
    if !input.isEmpty, entries[entries.count - 1].revents != 0 { send() }
  }

  /// Reads what is left in the pipes of a program that has ended. At most a few pipes full, because a child that has
  /// left the process group may still write.
  mutating func finish(_ onLine: (ListenerProgram.Stream, String) -> Void) {
    for stream in open {
      for _ in 0..<64 { guard receive(stream, onLine) else { break } }
    }
    output.flush { onLine(.output, $0) }
    errors.flush { onLine(.errors, $0) }
  }

  /// - Returns: false if nothing has come.
  private mutating func receive(
    _ stream: ListenerProgram.Stream, _ onLine: (ListenerProgram.Stream, String) -> Void
  ) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    let count = read(process.descriptor(of: stream), &buffer, buffer.count)
    if count > 0 {
      switch stream {
      case .output: output.add(buffer[..<count]) { onLine(.output, $0) }
      case .errors: errors.add(buffer[..<count]) { onLine(.errors, $0) }
      }
      return true
    }
    if count == 0 || (errno != EAGAIN && errno != EINTR) { open.removeAll { $0 == stream } }
    return false
  }

  private mutating func send() {
    let count = input.withUnsafeBytes { write(process.input, $0.baseAddress, $0.count) }
    if count > 0 { input = input.dropFirst(count) }
    // The program need not read its input.
    if count < 0, errno != EAGAIN, errno != EINTR { input = [] }
    if input.isEmpty { process.closeInput() }
  }
}
