import Foundation
import Testing

@testable import TUIApp

#if os(Linux)
  @Suite struct MemoryTuningTests {
    /// Kilobytes of this program's code in memory (proc(5), smaps).
    private func codeInMemory() throws -> Int {
      let text = try String(contentsOfFile: "/proc/self/smaps", encoding: .utf8)
      let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      var isCode = false
      var sum = 0
      for line in text.split(separator: "\n") {
        if line.contains("-") && line.contains(":") && !line.hasSuffix(" kB") {
          isCode = line.contains(" r-xp ") && line.hasSuffix(program)
        } else if isCode, line.hasPrefix("Rss:") {
          sum += Int(line.filter(\.isNumber)) ?? 0
        }
      }
      return sum
    }

    @Test func codeThatDoesNotRunIsReleased() throws {
      // Other tests run at the same time and need some of it again.
      let before = try codeInMemory()
      MemoryTuning.releaseCode()
      #expect(before > 1000)
      #expect(try codeInMemory() < before)
    }
  }
#endif
