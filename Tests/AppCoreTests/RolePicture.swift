import TerminalKit

@testable import AppCore

/// A frame as three pictures: the text, a letter for the role of each character, and a letter for the role of its
/// background. The legend has the roles that occur.
struct RolePicture {
  /// A theme in which every role has a different colour, and every surface a different background.
  static let theme = Theme(
    name: "roles", kind: .dark,
    styles: Dictionary(
      uniqueKeysWithValues: Role.allCases.enumerated().compactMap { index, role in
        guard role != .text else { return nil }
        let color = Color.palette(UInt8(index))
        return (role, Style(color, on: surfaces.contains(role) ? color : .standard))
      }))

  /// The roles that have a background.
  private static let surfaces: Set<Role> = [
    .selection, .selectionUnfocused, .header, .status, .player, .overlay, .input, .match,
  ]

  private static let letters: [Role: Character] = [
    .text: ".", .dim: "d", .title: "t", .accent: "a", .border: "b", .borderFocused: "B", .selection: "S",
    .selectionUnfocused: "U", .header: "H", .status: "s", .error: "E", .warning: "W", .success: "G", .new: "n",
    .progress: "p", .played: "v", .downloaded: "D", .queued: "Q", .gone: "g", .link: "l", .heading: "h", .code: "c",
    .quote: "q", .player: "P", .playerTitle: "T", .barFilled: "F", .barBuffered: "f", .barEmpty: "e",
    .chapterTick: "C", .match: "M", .key: "k", .overlay: "o", .overlayTitle: "O", .input: "i",
  ]

  private let frame: Frame
  init(_ frame: Frame) { self.frame = frame }

  var text: String {
    let characters = picture { $0.text == " " ? nil : $0.style.foreground }
    let surfaces = picture { $0.style.background == .standard ? nil : $0.style.background }
    let cursor = frame.cursor.map { ["-- cursor: column \($0.x), row \($0.y)"] } ?? []
    let rows =
      frame.lines + ["-- roles: \(characters.legend)"] + characters.rows + ["-- on: \(surfaces.legend)"] + surfaces.rows
    return (rows + cursor).joined(separator: "\n")
  }

  private func picture(_ color: (Cell) -> Color?) -> (rows: [String], legend: String) {
    var used: Set<Role> = []
    let rows = (0..<frame.size.height).map { y in
      var line = ""
      for cell in frame.row(y) {
        let role = color(cell).map { Self.role(of: $0) }
        if let role { used.insert(role) }
        line.append(role.map { Self.letters[$0] ?? "?" } ?? " ")
      }
      while line.last == " " { line.removeLast() }
      return line
    }
    let legend = Role.allCases.filter(used.contains).map { "\(Self.letters[$0] ?? "?") \($0.name)" }
    return (rows, legend.joined(separator: ", "))
  }

  private static func role(of color: Color) -> Role {
    guard case .palette(let index) = color.kind else { return .text }
    return Role.allCases[Int(index)]
  }
}
