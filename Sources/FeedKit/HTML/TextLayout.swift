import Model

/// Recognises lists with "- " and rules with "-----", which authors write in plain text and between `<br>`s.
enum TextLayout {
  enum Part {
    case paragraph([[TextRun]])
    case item(ordinal: Int?, [TextRun])
    case rule
  }

  /// Splits `lines`, with blank ones between paragraphs. `wrapped`: line breaks may be hard wraps at about 72
  /// columns.
  static func parts(of lines: [[TextRun]], wrapped: Bool) -> [Part] {
    var parts: [Part] = []
    var paragraph: [[TextRun]] = []
    var lastOrdinal: Int?
    func endParagraph() {
      guard !paragraph.isEmpty else { return }
      parts.append(.paragraph(wrapped ? unwrapped(paragraph) : paragraph))
      paragraph = []
    }
    for (number, line) in lines.enumerated() {
      guard let first = line.first else {
        endParagraph()
        continue
      }
      if line.count == 1, isRule(first.text) {
        endParagraph()
        parts.append(.rule)
      } else if let length = bulletLength(first.text) {
        endParagraph()
        parts.append(.item(ordinal: nil, dropping(length, from: line)))
      } else if let (ordinal, length) = ordinal(first.text),
        lastOrdinal.map({ $0 &+ 1 == ordinal }) ?? false
          || ordinal == 1 && isFollowed(by: 2, in: lines[(number + 1)...])
      {
        endParagraph()
        lastOrdinal = ordinal
        parts.append(.item(ordinal: ordinal, dropping(length, from: line)))
      } else {
        paragraph.append(line)
      }
    }
    endParagraph()
    return parts
  }

  private static func isRule(_ text: String) -> Bool {
    guard let mark = text.unicodeScalars.first, "-=_*~—–─━═—#＝－".unicodeScalars.contains(mark) else { return false }
    let marks = text.unicodeScalars.filter { $0 != " " }
    return marks.count >= 3 && marks.allSatisfy { $0 == mark }
  }

  /// The number of characters of a line's bullet.
  private static func bulletLength(_ text: String) -> Int? {
    let scalars = text.unicodeScalars.prefix(3)
    guard let mark = scalars.first else { return nil }
    let second = scalars.dropFirst().first
    if "•●◦▪‣∙⁃■▸".unicodeScalars.contains(mark) { return second == nil ? nil : second == " " ? 2 : 1 }
    guard "-*–·+".unicodeScalars.contains(mark), second == " ", scalars.count == 3 else { return nil }
    return 2
  }

  /// The number and the length of "1. ", "2) ", "3、".
  private static func ordinal(_ text: String) -> (Int, length: Int)? {
    var value = 0
    var length = 0
    let scalars = Array(text.unicodeScalars.prefix(6))
    while length < min(3, scalars.count), (0x30...0x39).contains(scalars[length].value) {
      value = value * 10 + Int(scalars[length].value - 0x30)
      length += 1
    }
    guard length > 0, length < scalars.count else { return nil }
    if "、．".unicodeScalars.contains(scalars[length]) { return (value, length + 1) }
    guard ".)".unicodeScalars.contains(scalars[length]), length + 1 < scalars.count, scalars[length + 1] == " " else {
      return nil
    }
    return (value, length + 2)
  }

  /// Whether the list continues within the next lines.
  private static func isFollowed(by expected: Int, in lines: ArraySlice<[TextRun]>) -> Bool {
    lines.prefix(12).contains { $0.first.flatMap { ordinal($0.text)?.0 } == expected }
  }

  private static func dropping(_ count: Int, from line: [TextRun]) -> [TextRun] {
    guard var first = line.first else { return line }
    first.text = String(String.UnicodeScalarView(first.text.unicodeScalars.dropFirst(count)))
    return (first.text.isEmpty ? [] : [first]) + line.dropFirst()
  }

  /// Joins the lines of a paragraph that was hard-wrapped: all lines but the last are nearly as wide as the widest.
  private static func unwrapped(_ lines: [[TextRun]]) -> [[TextRun]] {
    guard lines.count >= 3 else { return lines }
    let widths = lines.map { $0.reduce(0) { $0 + $1.text.unicodeScalars.count } }
    guard let widest = widths.max(), (60...80).contains(widest),
      widths.dropLast().allSatisfy({ $0 >= widest - 16 })
    else { return lines }
    var joined: [TextRun] = []
    for line in lines {
      if !joined.isEmpty { joined[joined.count - 1].text += " " }
      joined += line
    }
    return [joined]
  }
}
