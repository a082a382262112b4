import Model

/// A piece of a line as the HTML has it, before addresses and times in its text are looked for.
struct TextRun {
  var text: String
  var style: Document.Style
  /// The address of the link around it.
  var address: String?
}

/// Collects the text of one block: lines of runs, white space squashed as it comes.
struct TextLines {
  /// Finished and current lines; an empty one stands for a blank line.
  private(set) var lines: [[TextRun]] = [[]]
  private var squeezer = CleanText.Squeezer()

  var isEmpty: Bool { lines.allSatisfy(\.isEmpty) }
  var isAtLineStart: Bool { lines.last?.isEmpty ?? true }

  /// `text` is scrubbed. With `keepsLines` a "\n" in it ends the line, otherwise it is a blank.
  mutating func append(_ text: String, style: Document.Style, address: String?, keepsLines: Bool) {
    guard keepsLines else { return append(text.unicodeScalars[...], style: style, address: address) }
    let parts = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, part) in parts.enumerated() {
      if number > 0 { breakLine() }
      append(part, style: style, address: address)
    }
  }

  mutating func breakLine() {
    lines.append([])
    squeezer = CleanText.Squeezer()
  }

  private mutating func append(_ text: Substring.UnicodeScalarView, style: Document.Style, address: String?) {
    var bytes: [UInt8] = []
    for scalar in text { squeezer.append(scalar, to: &bytes) }
    guard !bytes.isEmpty else { return }
    let end = lines.count - 1
    // The blank before a link or a word in bold belongs to neither: no underlined gaps.
    if bytes.first == 0x20, let last = lines[end].last, address != nil || !style.isEmpty,
      last.style != style || last.address != address
    {
      bytes.removeFirst()
      if last.address == nil {
        lines[end][lines[end].count - 1].text += " "
      } else {
        lines[end].append(TextRun(text: " ", style: []))
      }
    }
    let squashed = String(decoding: bytes, as: UTF8.self)
    if let last = lines[end].last, last.style == style, last.address == address {
      lines[end][lines[end].count - 1].text += squashed
    } else {
      lines[end].append(TextRun(text: squashed, style: style, address: address))
    }
  }
}
