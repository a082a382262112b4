import CNcurses
import Foundation

/// Collects the output of ncurses for a frame, so that the terminal gets it in one write.
///
/// ncurses flushes when its buffer is full, which has about one byte for each cell. While a frame is drawn, ncurses'
/// descriptor is a file in memory.
final class TerminalFrame {
  private let memory: Int32
  private let terminal: Int32
  private let output: Int32

  /// - Parameters:
  ///   - terminal: a descriptor of the terminal. It is not changed.
  ///   - output: the descriptor that ncurses writes to, another one of the same terminal.
  ///
  /// Nil if no file can be made. Then ncurses writes to the terminal.
  init?(terminal: Int32, output: Int32) {
    guard let memory = Self.memoryFile() else { return nil }
    (self.memory, self.terminal, self.output) = (memory, terminal, output)
  }

  deinit { close(memory) }

  /// Collects `text` and what ncurses writes during `body`. Empty if that fails; then the terminal got both.
  func collect(after text: String, _ body: () -> Void) -> [UInt8] {
    let isCollecting = lseek(memory, 0, SEEK_SET) == 0 && point(output, to: memory)
    if !text.isEmpty { _ = Array(text.utf8).withUnsafeBytes { write(output, $0.baseAddress, $0.count) } }
    body()
    guard isCollecting else { return [] }
    _ = point(output, to: terminal)
    let count = Int(lseek(memory, 0, SEEK_CUR))
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(memory, buffer.baseAddress, count, 0))
    }
  }

  private func point(_ descriptor: Int32, to target: Int32) -> Bool {
    dup2(target, descriptor) >= 0 && fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
  }

  private static func memoryFile() -> Int32? {
    #if os(Linux)
      let descriptor = cn_memory_file()
    #else
      guard let file = tmpfile() else { return nil }
      defer { fclose(file) }
      let descriptor = fcntl(fileno(file), F_DUPFD_CLOEXEC, 3)
    #endif
    return descriptor >= 0 ? descriptor : nil
  }
}
