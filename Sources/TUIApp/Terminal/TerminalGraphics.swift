import Foundation
import TerminalKit

/// The setting `cover_art`: how pictures are drawn.
enum GraphicsChoice: String, CaseIterable {
  /// With pixels if the terminal supports them, else with characters.
  case automatic = "auto"
  /// With characters.
  case cells
  /// With pixels, by the `GraphicsProtocol` of this name.
  case kitty, sixel, iterm2
}

/// Finds out how the terminal can show pictures: from the environment, and from the terminal's answer.
struct TerminalGraphics {
  /// What the setting or the environment says. `automatic`: the terminal must be asked.
  let known: GraphicsChoice

  init(_ choice: GraphicsChoice, type: String, environment: [String: String]) {
    known = choice == .automatic ? Self.known(type: type, environment: environment) : choice
  }

  /// The graphics protocol and the size of a cell.
  /// - Parameters:
  ///   - attributes: the answer to DA1.
  ///   - cell: the size of a cell in pixels, if the terminal tells it.
  func target(attributes: Set<Int>?, cell: Size?) -> GraphicsTarget {
    // 4 means sixel (xterm's ctlseqs, "Primary DA"). Without the exact size of a cell, a sixel picture would be in the
    // wrong cells.
    let showsSixels = known == .automatic && cell != nil && attributes?.contains(4) == true
    let language: GraphicsProtocol? = showsSixels ? .sixel : GraphicsProtocol(rawValue: known.rawValue)
    return GraphicsTarget(language, cell: cell ?? GraphicsTarget.usualCell)
  }

  private static func known(type: String, environment: [String: String]) -> GraphicsChoice {
    guard TerminalMode.understands(type: type) else { return .cells }
    // A multiplexer keeps the variables of the outer terminal, but does not pass these protocols on. tmux 3.4 and newer
    // report sixels (Debian 13 builds it with them), but draw “SIXEL IMAGE” and plus signs where the outer terminal has
    // none: github.com/tmux/tmux/issues/4104.
    let term = environment["TERM"] ?? type
    guard environment["TMUX"] == nil, environment["STY"] == nil,
      !["tmux", "screen"].contains(where: { term.hasPrefix($0) })
    else { return .cells }
    for row in table where row.types.contains(where: { term.hasPrefix($0) }) { return row.choice }
    let program = environment["TERM_PROGRAM"] ?? environment["LC_TERMINAL"] ?? ""
    for row in table where row.programs.contains(program) { return row.choice }
    return .automatic
  }

  /// Terminals that identify themselves by TERM or TERM_PROGRAM (or LC_TERMINAL, which ssh passes on). WezTerm supports
  /// all three protocols, kitty's only in part.
  private static let table: [(choice: GraphicsChoice, types: [String], programs: [String])] = [
    (.kitty, ["xterm-kitty", "xterm-ghostty"], ["kitty", "ghostty"]),
    (.iterm2, ["wezterm"], ["iTerm.app", "iTerm2", "WezTerm"]),
    (.sixel, ["mlterm", "foot", "yaft"], []),
  ]
}
