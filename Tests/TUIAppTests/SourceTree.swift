import Foundation

/// The sources that these tests were built from.
enum SourceTree {
  /// The package's directory.
  static let root = (0..<3).reduce(#filePath) { path, _ in (path as NSString).deletingLastPathComponent }

  struct File {
    /// From the package's directory: `Sources/Store/Library.swift`.
    var path: String
    /// Line by line, without what follows `//`.
    var code: [Substring]

    /// The lines, with their numbers, on which `text` stands and is not the end of a longer name: `Date()`, but not
    /// `FeedDate()` or `.date()`.
    func lines(with text: String) -> [(number: Int, text: Substring)] {
      code.enumerated().compactMap { index, line in
        guard let place = line.firstRange(of: text) else { return nil }
        let before = line[..<place.lowerBound].last
        let isWithinName = before.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
        return isWithinName ? nil : (index + 1, line)
      }
    }

    /// The module names of its imports, whatever stands before `import`.
    var imports: Set<String> {
      Set(
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

  /// The Swift files of a directory below `Sources`.
  static func files(_ directory: String = "") throws -> [File] {
    let base = root + "/Sources" + (directory.isEmpty ? "" : "/" + directory)
    return try FileManager.default.subpathsOfDirectory(atPath: base).filter { $0.hasSuffix(".swift") }.sorted()
      .map { name in
        let text = try String(contentsOfFile: "\(base)/\(name)", encoding: .utf8)
        let code = text.split(separator: "\n", omittingEmptySubsequences: false).map { (line: Substring) -> Substring in
          line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
        }
        return File(path: String("\(base)/\(name)".dropFirst(root.count + 1)), code: code)
      }
  }
}
