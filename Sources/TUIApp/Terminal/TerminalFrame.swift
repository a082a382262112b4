import CNcurses
import Foundation

/// Collects the output of ncurses for a frame, so that the terminal gets it in one write.
///
/// ncurses flushes after each movement of the cursor (`TINFO_MVCUR` of ncurses 6): a screen with 40 rows takes 40
/// system calls and wakes the terminal as often. While a frame is drawn, ncurses' descriptor is a file in memory.
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

  /// Collects what ncurses writes during `body`.
  func collect(_ body: () -> Void) -> [UInt8] {
    guard lseek(memory, 0, SEEK_SET) == 0, point(output, to: memory) else {
      body()
      return []
    }
    body()
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
