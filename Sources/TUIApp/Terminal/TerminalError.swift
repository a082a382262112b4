/// Why the player cannot use the terminal.
enum TerminalError: Error, Equatable, CustomStringConvertible {
  case noTerminal(device: String, reason: String)
  case unknownType(String)
  case incapable(String)
  case system(String)

  var description: String {
    switch self {
    case .noTerminal(let device, let reason):
      "no terminal: \(device): \(reason). Start earshot in a terminal, or run “earshot --help” to see what works without one."
    case .unknownType(let type) where type.isEmpty:
      "TERM is not set. Set it to the type of your terminal, for instance: TERM=xterm-256color earshot"
    case .unknownType(let type):
      "the terminal type \(type) (from TERM) is not known here. Try: TERM=xterm-256color earshot"
    case .incapable(let type):
      "the terminal type \(type) (from TERM) cannot place its cursor, which a full screen needs."
    case .system(let reason): "the terminal cannot be used: \(reason)"
    }
  }
}
