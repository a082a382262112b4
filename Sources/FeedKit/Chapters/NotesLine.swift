import Model

/// A line of show notes, with the time that it begins or ends with.
struct NotesLine: Equatable {
  enum Side { case start, end, other }

  /// In characters. What is longer is text, not a title.
  static let longestTitle = 200

  var text: String
  /// Whether the line has a time anywhere.
  var hasTime = false
  var side = Side.other
  /// The time at the start or the end, in seconds.
  var second = 0.0
  /// The words beside the time, nil if there are none.
  var title: String?

  /// The lines of a document that are not empty. Code and pictures are left out.
  static func lines(of document: Document) -> [NotesLine] {
    document.blocks.flatMap { block -> [NotesLine] in
      switch block {
      case .heading(_, let spans), .paragraph(let spans), .item(_, _, let spans), .quote(let spans):
        spans.map(\.text).joined().split(separator: "\n").map { NotesLine(String($0)) }
      case .code, .image, .rule: []
      }
    }
  }

  init(_ text: String) {
    self.text = CleanText.line(text)
    let scalars = Array(text.unicodeScalars.drop(while: Self.isOrnament))
    var times = Timestamps.find(in: scalars)
    guard !times.isEmpty else { return }
    hasTime = true
    if Self.isNumber(scalars[..<times[0].range.lowerBound]) {
      // In a range ("0:05–0:10 Intro") the first time is the start.
      if times.count > 1, Self.isGap(scalars[times[0].range.upperBound..<times[1].range.lowerBound]) {
        times[0].range = times[0].range.lowerBound..<times[1].range.upperBound
      }
      (side, second) = (.start, times[0].seconds)
      title = Self.words(scalars[times[0].range.upperBound...])
    } else if let last = times.last, !scalars[last.range.upperBound...].contains(where: Self.isWord) {
      var start = last
      if times.count > 1, case let other = times[times.count - 2],
        Self.isGap(scalars[other.range.upperBound..<last.range.lowerBound])
      {
        start = other
      }
      (side, second) = (.end, start.seconds)
      title = Self.words(scalars[..<start.range.lowerBound])
    }
  }

  /// Whether the text before a time is nothing, or the number of a chapter: "3.", "Chapter 3:", "Teil 2 –".
  private static func isNumber(_ lead: ArraySlice<Unicode.Scalar>) -> Bool {
    let text = String(String.UnicodeScalarView(lead)).trimmed(of: { !isWord($0) })
    return text.isEmpty || text.wholeMatch(of: /\p{L}{0,12} ?#?[0-9]{1,3}|[Mm]in(ute)?/) != nil
  }

  /// Whether only a dash or a word for it is between two times.
  private static func isGap(_ gap: ArraySlice<Unicode.Scalar>) -> Bool {
    let text = String(String.UnicodeScalarView(gap)).trimmed(of: { !isWord($0) }).lowercased()
    return ["", "to", "bis", "until", "à", "a"].contains(text) && gap.count <= 9
  }

  /// The words beside a time, without the marks between them. Nil if there are none.
  private static func words(_ scalars: ArraySlice<Unicode.Scalar>) -> String? {
    let text = CleanText.line(String(String.UnicodeScalarView(scalars)))
    // Marks of sentences belong to the words: "Why Facebook?", "“Quoted”".
    let title = text.trimmed(start: { isSeparator($0) || ")]}>）】〕」.".unicodeScalars.contains($0) }) {
      isSeparator($0) || "([{<（【〔「@".unicodeScalars.contains($0)
    }
    guard title.unicodeScalars.contains(where: isWord) else { return nil }
    return title.count > longestTitle ? title.prefix(longestTitle - 1) + "…" : title
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    CleanText.isSpace(scalar) || "-–—−:：·•|→►▶▸,;_*~=".unicodeScalars.contains(scalar)
  }

  /// Bullets, brackets, marks of Markdown and pictures before a time. A currency sign makes it a price.
  private static func isOrnament(_ scalar: Unicode.Scalar) -> Bool {
    !isWord(scalar) && scalar.properties.generalCategory != .currencySymbol && !"+#=&/".unicodeScalars.contains(scalar)
  }
}

extension String {
  fileprivate func trimmed(of isMark: (Unicode.Scalar) -> Bool) -> String { trimmed(start: isMark, end: isMark) }

  fileprivate func trimmed(start: (Unicode.Scalar) -> Bool, end: (Unicode.Scalar) -> Bool) -> String {
    var scalars = unicodeScalars[...]
    while let first = scalars.first, start(first) { scalars.removeFirst() }
    while let last = scalars.last, end(last) { scalars.removeLast() }
    return String(scalars)
  }
}
