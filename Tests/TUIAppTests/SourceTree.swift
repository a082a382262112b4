import Foundation

/// The source files of these tests and of the program.
enum SourceTree {
  /// The package's directory.
  static let root = (0..<3).reduce(#filePath) { path, _ in (path as NSString).deletingLastPathComponent }

  struct File {
    /// The path from the package's directory, such as `Sources/Store/Library.swift`.
    var path: String
    /// The whole text, with comments.
    var text: String
    /// The lines without comments.
    var code: [Substring]

    init(path: String, text: String) {
      self.path = path
      self.text = text
      code = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        let comment = line.withCString { start in strstr(start, "//").map { UnsafePointer($0) - start } }
        return comment.flatMap { Substring(line.utf8.prefix($0)) } ?? line
      }
    }

    /// The lines that contain `text`, with their numbers. `text` must not be the end of a longer name: `Date()`, but
    /// not `FeedDate()` or `.date()`.
    func lines(with text: String) -> [(number: Int, text: Substring)] {
      guard contains(text) else { return [] }
      return code.enumerated().compactMap { index, line in
        guard let place = line.firstRange(of: text) else { return nil }
        let before = line[..<place.lowerBound].last
        let isWithinName = before.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
        return isWithinName ? nil : (index + 1, line)
      }
    }

    /// Whether the file contains the word. Uses the C library, because Swift's search without optimization takes
    /// minutes for all files and words.
    func contains(_ word: String) -> Bool { strstr(text, word) != nil }

    /// The names of the imported modules, also after attributes.
    var imports: Set<String> {
      guard contains("import") else { return [] }
      return Set(
        code.compactMap { line in
          let words = line.split(separator: " ")
          guard let place = words.firstIndex(of: "import"),
            words[..<place].allSatisfy({ $0.hasPrefix("@") || $0 == "public" })
          else { return nil }
          // `import struct Foundation.Date` imports Foundation too.
          return words.last.map { String($0.prefix { $0 != "." }) }
        })
    }
  }

  /// The Swift files of a directory below `Sources`, or below `Tests`.
  static func files(_ directory: String = "", in top: String = "Sources") throws -> [File] {
    let base = "\(root)/\(top)" + (directory.isEmpty ? "" : "/" + directory)
    return try FileManager.default.subpathsOfDirectory(atPath: base).filter { $0.hasSuffix(".swift") }.sorted()
      .map { name in
        let text = try String(contentsOfFile: "\(base)/\(name)", encoding: .utf8)
        return File(path: String("\(base)/\(name)".dropFirst(root.count + 1)), text: text)
      }
  }
}
