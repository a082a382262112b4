import Foundation
import Testing

@testable import TUIApp

#if os(Linux)
  @Suite(InTurn()) struct MemoryTuningTests {
    /// Kilobytes of code in memory: of the program, and of its libraries (proc(5), smaps).
    private func codeInMemory() throws -> (program: Int, libraries: Int) {
      // `String(contentsOfFile:)` ends at the first page of such a file.
      let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/smaps"))
      let text = String(decoding: try #require(try file.readToEnd()), as: UTF8.self)
      let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      var sums = (program: 0, libraries: 0)
      var mapping: Substring = ""
      for line in text.split(separator: "\n") {
        if line.contains("-") && line.contains(":") && !line.hasSuffix(" kB") {
          mapping = line
        } else if line.hasPrefix("Rss:"), mapping.contains(" r-xp "), mapping.contains("/") {
          let size = Int(line.filter(\.isNumber)) ?? 0
          if mapping.hasSuffix(program) { sums.program += size } else { sums.libraries += size }
        }
      }
      return sums
    }

    /// `hg` in the flags of the memory at the program break (proc(5), VmFlags). The verb waits for the reader of its
    /// output while they are read.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/sys/kernel/mm/transparent_hugepage")))
    func largeFeedIsReadIntoLargePages() async throws {
      let home = try TemporaryHome()
      let item = "<item><title>A title that is not short</title></item>"
      try home.file("large.xml", Data("<rss><channel>\(String(repeating: item, count: 200_000))</channel></rss>".utf8))
      let script = """
        cd "$HOME"; mkfifo out; "$EARSHOT" feed large.xml --json > out & exec 3< out; head -c 1 <&3 > first
        sed -n '/\\[heap\\]/,/VmFlags/p' /proc/$!/smaps; exec 3<&-
        """
      let outcome = try await BuiltProgram.run(
        "/bin/sh", ["-c", script], in: home, environment: ["EARSHOT": try BuiltProgram.path()])
      let flags = outcome.text.split(separator: "\n").filter { $0.hasPrefix("VmFlags:") }
      #expect(flags.contains { $0.split(separator: " ").contains("hg") }, "\(outcome)")
    }

    @Test func codeThatDoesNotRunIsReleased() throws {
      // Other tests run at the same time and need some of it again.
      let before = try codeInMemory()
      MemoryTuning.releaseCode()
      let after = try codeInMemory()
      #expect(before.program > 1000 && before.libraries > 1000)
      #expect(after.program < before.program && after.libraries < before.libraries)
    }
  }
#endif
