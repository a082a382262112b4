import Foundation
import TerminalKit

/// What the listener's configuration says of pictures (`cover_art`).
enum GraphicsChoice: String, CaseIterable {
  /// Pixels where the terminal says that it shows them, else characters.
  case automatic = "auto"
  case cells, kitty, sixel, iterm2
}

/// Which pictures a terminal shows, told from the environment and from what the terminal answers.
struct TerminalGraphics {
  /// What the environment tells.
  enum Known: Equatable {
    case speaks(GraphicsProtocol)
    /// Characters alone.
    case nothing
    /// The terminal must be asked.
    case unknown
  }

  let known: Known

  init(_ choice: GraphicsChoice, type: String, environment: [String: String]) {
    known =
      switch choice {
      case .automatic: Self.known(type: type, environment: environment)
      case .cells: .nothing
      case .kitty: .speaks(.kitty)
      case .sixel: .speaks(.sixel)
      case .iterm2: .speaks(.iterm2)
      }
  }

  /// The language to use, and the pixels of a cell. `attributes` is the answer to DA1, `cell` what the device says.
  func target(attributes: Set<Int>?, cell: Size?) -> GraphicsTarget? {
    switch known {
    case .nothing: return nil
    case .speaks(let language): return GraphicsTarget(language, cell: cell ?? GraphicsTarget.usualCell)
    case .unknown:
      // 4 means sixel (xterm's ctlseqs, "Primary DA"). Of a size that is only guessed a sixel would miss its place.
      guard let attributes, attributes.contains(4), let cell else { return nil }
      return GraphicsTarget(.sixel, cell: cell)
    }
  }

  private static func known(type: String, environment: [String: String]) -> Known {
    guard TerminalMode.understands(type: type) else { return .nothing }
    // A multiplexer leaves the variables of the terminal around it, and lets none of these through; tmux 3.4 may draw
    // sixels by itself, and says so.
    let term = environment["TERM"] ?? type
    guard environment["TMUX"] == nil, environment["STY"] == nil,
      !["tmux", "screen"].contains(where: { term.hasPrefix($0) })
    else { return .unknown }
    for row in table where row.types.contains(where: { term.hasPrefix($0) }) { return .speaks(row.language) }
    let program = environment["TERM_PROGRAM"] ?? environment["LC_TERMINAL"] ?? ""
    for row in table where row.programs.contains(program) { return .speaks(row.language) }
    return .unknown
  }

  /// Those that say who they are, by TERM or by TERM_PROGRAM (LC_TERMINAL, which ssh passes on). WezTerm speaks all three,
  /// kitty's only in part.
  private static let table: [(language: GraphicsProtocol, types: [String], programs: [String])] = [
    (.kitty, ["xterm-kitty", "xterm-ghostty"], ["kitty", "ghostty"]),
    (.iterm2, ["wezterm"], ["iTerm.app", "iTerm2", "WezTerm"]),
    (.sixel, ["mlterm", "foot", "yaft"], []),
  ]
}
