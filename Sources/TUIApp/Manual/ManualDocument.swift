/// A page of the manual. It is converted to a man page and to the text of `earshot help`.
struct ManualDocument: Sendable {
  enum Block: Sendable {
    case section(String)
    case subsection(String)
    case paragraph(String)
    /// Terms with their descriptions. `isWide`: the terms are long, so each description begins on a new line.
    case list([(term: String, text: String)], isWide: Bool = false)
    /// Lines without formatting.
    case sample(String)
  }

  var name: String
  var section: Int
  /// One line, without a period.
  var summary: String
  /// Texts are sentences. Names in backquotes are highlighted.
  var blocks: [Block]
  /// Other pages for SEE ALSO: name and section.
  var related: [(name: String, section: Int)]
}

// MARK: As a man page

extension ManualDocument {
  /// Formats the page as mdoc(7).
  /// - Parameter day: such as `2026-11-22`; empty if unknown.
  func mdoc(day: String) -> String {
    var lines = [
      ".Dd \(Self.date(day))", ".Dt \(name.uppercased()) \(section)", ".Os", ".Sh NAME", ".Nm \(name)",
      ".Nd \(summary)",
    ]
    for block in blocks {
      // A heading begins a new paragraph by itself.
      let isHeaded = lines.last?.hasPrefix(".S") == true
      lines += Self.mdoc(block).drop { $0 == ".Pp" && isHeaded }
    }
    let all = related.sorted { ($0.section, $0.name) < ($1.section, $1.name) }
    if !all.isEmpty { lines.append(".Sh SEE ALSO") }
    for (index, page) in all.enumerated() {
      lines.append(".Xr \(page.name) \(page.section)" + (index == all.count - 1 ? "" : " ,"))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func mdoc(_ block: Block) -> [String] {
    switch block {
    case .section(let title): [".Sh \(title.uppercased())"]
    case .subsection(let title): [".Ss \(escapedArgument(title))"]
    case .paragraph(let text): [".Pp"] + sentences(text)
    case .list(let items, let isWide):
      [".Bl -tag -width \(isWide ? "Ds" : "\"shift-right\"") -compact"]
        + items.flatMap { [".It \(escapedArgument(plain($0.term)))"] + sentences($0.text) } + [".El"]
    case .sample(let text):
      [".Bd -literal -offset indent"]
        + text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped($0) }
        + [".Ed"]
    }
  }

  /// The date in mdoc's form, such as "November 22, 2026".
  private static func date(_ day: String) -> String {
    let months = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
      "December",
    ]
    let parts = day.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, months.indices.contains(parts[1] - 1) else { return "November 22, 2026" }
    return "\(months[parts[1] - 1]) \(parts[2]), \(parts[0])"
  }

  /// One sentence a line, with the line length that mdoc wants. Names in backquotes become bold.
  private static func sentences(_ text: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in words(text) {
      let parts = escaped(word).split(separator: "`", omittingEmptySubsequences: false)
      let written = parts.enumerated().map { $0 % 2 == 1 ? "\\fB\($1)\\fP" : String($1) }.joined()
      if !line.isEmpty, line.utf8.count + written.utf8.count >= 80 {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + written
      if [".", "?", ".)"].contains(where: word.hasSuffix) {
        lines.append(line)
        line = ""
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// The words of a text. A name in backquotes is one word.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    var isQuoted = false
    for word in text.split(separator: " ") {
      if isQuoted { words[words.count - 1] += " " + word } else { words.append(String(word)) }
      if word.count(where: { $0 == "`" }) % 2 == 1 { isQuoted.toggle() }
    }
    return words
  }

  /// Escapes a text on the line of a macro, where quotation marks would group words.
  private static func escapedArgument(_ text: String) -> String { escaped(text).replacing("\"", with: "\\(dq") }

  /// Escapes a text, so that roff does not read it as a request, a macro or an escape.
  private static func escaped(_ text: some StringProtocol) -> String {
    var text = String(text).replacing("\\", with: "\\e").replacing("-", with: "\\-")
    if text.hasPrefix(".") || text.hasPrefix("'") { text = "\\&" + text }
    // A single punctuation mark, or the name of a macro, would not be read as text.
    return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      let isMark = word.count == 1 && ".,:;()[]?!|".contains(word)
      let isMacro =
        (2...3).contains(word.count) && word.first!.isUppercase && word.dropFirst().allSatisfy(\.isLowercase)
      return isMark || isMacro ? "\\&\(word)" : String(word)
    }.joined(separator: " ")
  }
}

// MARK: As text

extension ManualDocument {
  /// Formats the page as text.
  /// - Parameter columns: the width of the terminal.
  func text(columns: Int) -> String {
    var lines: [String] = []
    for block in blocks { lines += Self.text(block, columns: max(columns, 40)) }
    while lines.first?.isEmpty == true { lines.removeFirst() }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func text(_ block: Block, columns: Int) -> [String] {
    switch block {
    case .section(let title): ["", title.uppercased(), ""]
    case .subsection(let title): ["", title, ""]
    case .paragraph(let text): wrapped(plain(text), columns: columns, indent: 0) + [""]
    case .list(let items, let isWide):
      items.flatMap { item in isWide ? wide(item, columns) : narrow(item, columns) }
    case .sample(let text):
      text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "    \($0)" } + [""]
    }
  }

  private static let column = 22

  private static func wide(_ item: (term: String, text: String), _ columns: Int) -> [String] {
    ["  \(plain(item.term))"] + wrapped(plain(item.text), columns: columns, indent: 6) + [""]
  }

  private static func narrow(_ item: (term: String, text: String), _ columns: Int) -> [String] {
    var lines = wrapped(plain(item.text), columns: columns, indent: column)
    let term = "  \(plain(item.term))"
    guard term.count < column, let first = lines.first else { return [term] + lines }
    lines[0] = term + first.dropFirst(term.count)
    return lines
  }

  private static func plain(_ text: String) -> String { text.replacing("`", with: "") }

  private static func wrapped(_ text: String, columns: Int, indent: Int) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = margin
    for word in text.split(separator: " ") {
      if line.count > indent, line.count + 1 + word.count > columns {
        lines.append(line)
        line = margin
      }
      line += (line.count > indent ? " " : "") + word
    }
    return line.count > indent ? lines + [line] : lines
  }
}
