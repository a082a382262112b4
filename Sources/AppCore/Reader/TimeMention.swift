import Foundation
import Model

/// A time that the notes of an episode show, in seconds, with its words.
struct TimeMention: Equatable, Sendable {
  var second: Double
  var words: String

  /// Later times are ignored.
  private static let limit = 500
  private static let maxLength = 80

  /// The times in a document, in order.
  static func all(in document: Document) -> [TimeMention] {
    var mentions: [TimeMention] = []
    for block in document.blocks where mentions.count < limit {
      switch block {
      case .heading(_, let spans), .paragraph(let spans), .item(_, _, let spans), .quote(let spans):
        guard spans.contains(where: { $0.time != nil }) else { continue }
        for line in lines(spans) { mentions += Self.mentions(in: line) }
      case .code, .image, .rule: continue
      }
    }
    return Array(mentions.prefix(limit))
  }

  /// A line split into its times: the text before the first, and the text after each.
  private struct Line {
    var start = ""
    var times: [(second: Double, behind: String)] = []

    mutating func add(_ text: String) {
      if times.isEmpty { start += text } else { times[times.count - 1].behind += text }
    }
  }

  private static func lines(_ spans: [Document.Span]) -> [Line] {
    var lines = [Line()]
    for span in spans {
      if let second = span.time {
        if second.isFinite, second >= 0 { lines[lines.count - 1].times.append((second, "")) }
        continue
      }
      for (index, part) in span.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        if index > 0 { lines.append(Line()) }
        lines[lines.count - 1].add(String(part))
      }
    }
    return lines
  }

  /// The words come after the time, or before it if the line ends with a time. In a range ("0:05–0:10 Intro") both
  /// times get the words after the second.
  private static func mentions(in line: Line) -> [TimeMention] {
    let behind = line.times.map { words($0.behind) }
    guard let last = behind.last else { return [] }
    let before = [words(line.start)] + behind.dropLast()
    let standsBefore = last.isEmpty && !before[0].isEmpty
    return line.times.indices.map { index in
      let own = standsBefore ? before[index] : behind[index...].first { !$0.isEmpty } ?? before[index]
      // A sentence that ends with a time has only its full stop after it.
      let isText = own.unicodeScalars.contains { !CharacterSet.punctuationCharacters.contains($0) }
      return TimeMention(second: line.times[index].second, words: isText ? own : "")
    }
  }

  private static let separators = CharacterSet.whitespaces.union(CharacterSet(charactersIn: "-–—:·|•→►▶,;"))
  private static let closing = separators.union(CharacterSet(charactersIn: ")]}>）】〕」"))
  private static let opening = separators.union(CharacterSet(charactersIn: "([{<（【〔「@"))

  /// Removes separators between a time and its words, and a single bracket around the time.
  private static func words(_ text: String) -> String {
    var scalars = text.unicodeScalars[...]
    while let first = scalars.first, closing.contains(first) { scalars.removeFirst() }
    while let last = scalars.last, opening.contains(last) { scalars.removeLast() }
    return String(String(scalars).prefix(maxLength))
  }
}
