import CNcurses
import Foundation
import Model
import TerminalKit

/// Makes addresses on the screen clickable (OSC 8, "Hyperlinks in terminal emulators"). ncurses does not support links.
/// So the cells that it has just written are written again in the same style, within a link. ncurses' idea of the
/// screen stays right.
struct TerminalHyperlinks {
  let isSupported: Bool
  let depth: ColorDepth
  private var shown: [Frame.Link] = []

  init(type: String, environment: [String: String], depth: ColorDepth) {
    isSupported = Self.isSupported(type: type, environment: environment)
    self.depth = depth
  }

  /// The text to send after ncurses has written `frame`, in which `rows` have changed.
  mutating func text(for frame: Frame, changed rows: Set<Int>) -> String {
    guard isSupported, frame.links != shown || frame.links.contains(where: { rows.contains($0.row) }) else { return "" }
    shown = frame.links
    guard !shown.isEmpty else { return "" }
    return TerminalMode.save + shown.map { text(of: $0, in: frame) }.joined() + TerminalMode.restore
  }

  private func text(of link: Frame.Link, in frame: Frame) -> String {
    guard let address = Self.clean(link.address.withoutUserInfo) else { return "" }
    let row = frame.row(link.row)
    let cells = row[row.startIndex + link.columns.lowerBound..<row.startIndex + link.columns.upperBound]
    // A cell whose width the C library measures differently was written as another character.
    guard cells.allSatisfy({ TerminalPainter.isWrittenAsIs($0) }) else { return "" }
    var text =
      "\u{1B}[\(link.row + 1);\(link.columns.lowerBound + 1)H\u{1B}]8;id=\(Self.identity(address));\(address)\u{1B}\\"
    var style: Style?
    for cell in cells where cell.width > 0 {
      if cell.style != style { text += GraphicRendition.sequence(of: cell.style, depth: depth) }
      style = cell.style
      text += cell.text
    }
    return text + "\u{1B}]8;;\u{1B}\\"
  }

  /// An address that may be sent: http, https or mailto, printable ASCII, and no longer than terminals accept (VTE:
  /// 2083 bytes).
  static func clean(_ address: String) -> String? {
    let schemes = ["http://", "https://", "mailto:"]
    let lower = address.prefix(8).lowercased()
    guard schemes.contains(where: { lower.hasPrefix($0) }) else { return nil }
    let text = address.utf8.map { byte in
      byte > 0x20 && byte < 0x7F
        ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
    return text.utf8.count <= 2083 ? text : nil
  }

  /// The id of a link. Both halves of a wrapped address have the same one, so that the terminal highlights them
  /// together.
  private static func identity(_ address: String) -> String {
    String(address.utf8.reduce(5381) { ($0 &* 33) ^ UInt32($1) }, radix: 36)
  }

  /// FORCE_HYPERLINK (0 or 1) decides, as in other programs, else the terminal's own variables. Unknown terminals get
  /// no links, because some old ones print unknown sequences.
  static func isSupported(type: String, environment: [String: String]) -> Bool {
    guard TerminalMode.understands(type: type) else { return false }
    if let forced = environment["FORCE_HYPERLINK"] { return forced != "0" }
    func version(_ name: String) -> Double { Double(environment[name]?.prefix { $0.isNumber || $0 == "." } ?? "") ?? 0 }
    // Within tmux the variables of the outer terminal are still set, but tmux decides (3.4, CHANGES).
    if environment["TMUX"] != nil {
      return environment["TERM_PROGRAM"] == "tmux" && version("TERM_PROGRAM_VERSION") >= 3.4
    }
    if environment["STY"] != nil { return false }
    let programs: Set = ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "Tabby"]
    let types = ["xterm-kitty", "xterm-ghostty", "foot", "alacritty", "wezterm", "contour"]
    return programs.contains(environment["TERM_PROGRAM"] ?? "") || version("VTE_VERSION") >= 5000
      || version("KONSOLE_VERSION") >= 210_400
      || ["KITTY_WINDOW_ID", "WT_SESSION", "DOMTERM", "ALACRITTY_WINDOW_ID"].contains { environment[$0] != nil }
      || types.contains { environment["TERM"]?.hasPrefix($0) ?? false }
  }
}

/// Formats a style as an escape sequence (ECMA-48, SGR), for output without ncurses.
enum GraphicRendition {
  static func sequence(of style: Style, depth: ColorDepth) -> String {
    let colors = ColorMap.pair(of: style, depth: depth)
    let numbers: [(Style.Attributes, Int)] = [(.bold, 1), (.dim, 2), (.italic, 3), (.underline, 4), (.reverse, 7)]
    let parts =
      [0] + numbers.filter { colors.attributes.contains($0.0) }.map(\.1) + color(colors.foreground, 30, depth)
      + color(colors.background, 40, depth)
    return "\u{1B}[" + parts.map(String.init).joined(separator: ";") + "m"
  }

  /// `base` is 30 for a foreground, 40 for a background.
  private static func color(_ index: Int, _ base: Int, _ depth: ColorDepth) -> [Int] {
    switch index {
    case ..<0: []
    case ..<8: [base + index]
    case ..<16 where depth < .trueColor: [base + 60 + index - 8]
    case ..<256 where depth < .trueColor: [base + 8, 5, index]
    default: [base + 8, 2, index >> 16 & 0xFF, index >> 8 & 0xFF, index & 0xFF]
    }
  }
}
