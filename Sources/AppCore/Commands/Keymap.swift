import Model
import TerminalKit

/// Which keys run which command in which context. Made from the command table and the listener's `[keys]`.
public struct Keymap: Equatable, Sendable {
  /// The meaning of a sequence of keys.
  public enum Match: Equatable, Sendable {
    case command(CommandName)
    /// A longer binding begins with these keys, so the next key is needed.
    case prefix
    case none
  }

  private var bindings: [Context: [[Key]: CommandName]] = [:]
  /// The bindings from the listener's configuration.
  private var own: [Context: [[Key]: CommandName]] = [:]
  /// The keys of each command as texts. Every frame shows some of them, and collecting them from
  /// `bindings` takes long.
  private var texts: [CommandName: [String]] = [:]

  /// Makes the default bindings.
  public init() {
    for command in Command.table {
      for key in command.keys { bind(key, to: command) }
    }
    collectTexts()
  }

  /// Whether all keys have the same meaning, no matter who bound them.
  public static func == (left: Keymap, right: Keymap) -> Bool { left.bindings == right.bindings }

  /// Replaces the default keys of `command`. A key that another command had by default is taken from it. An empty list
  /// unbinds the command. Throws if two of the listener's own bindings conflict.
  public mutating func rebind(_ command: String, to keys: [String]) throws(ReportedError) {
    guard let row = Command.named(command) else {
      let near = NearestName.question(for: command, among: Command.table.map(\.name.description))
      throw ReportedError("there is no command named “\(command)”\(near)")
    }
    let name = row.name
    var sequences: [[Key]] = []
    for key in keys {
      guard let sequence = KeyNotation.parse(key), !sequence.isEmpty else {
        throw ReportedError("“\(key)” is not a key (for \(command)); write j, <Enter>, <C-d>, <S-Left>")
      }
      // If one binding is the beginning of another, the longer one could never be reached.
      let conflict = row.contexts.lazy.compactMap { [own] context in
        own[context, default: [:]].first { other, name in
          name != row.name && (other.starts(with: sequence) || sequence.starts(with: other))
        }
      }.first
      if let conflict {
        let shorter = conflict.key.count < sequence.count ? Self.text(conflict.key) : key
        throw ReportedError("\(shorter) is bound to both \(conflict.value) and \(command)")
      }
      sequences.append(sequence)
    }
    for (context, map) in bindings { bindings[context] = map.filter { $0.value != name } }
    for context in row.contexts {
      own[context] = own[context, default: [:]].filter { $0.value != name }
      for sequence in sequences {
        // Default bindings in conflict with it are removed.
        bindings[context] = bindings[context, default: [:]].filter { other, _ in
          own[context]?[other] != nil || !(other.starts(with: sequence) || sequence.starts(with: other))
        }
        bindings[context, default: [:]][sequence] = name
        own[context, default: [:]][sequence] = name
      }
    }
    collectTexts()
  }

  private static func text(_ sequence: [Key]) -> String { sequence.map(\.description).joined() }

  /// Looks up `keys` in `context` first, then in `.everywhere`.
  public func match(_ keys: [Key], in context: Context) -> Match {
    var isPrefix = false
    for context in [context, .everywhere] {
      guard let map = bindings[context] else { continue }
      if let name = map[keys] { return .command(name) }
      isPrefix = isPrefix || map.keys.contains { $0.count > keys.count && $0.starts(with: keys) }
    }
    return isPrefix ? .prefix : .none
  }

  /// Whether the keys have a command in any context.
  func isBound(_ keys: [Key]) -> Bool { bindings.values.contains { $0[keys] != nil } }

  /// The keys of a command as the help shows them.
  public func keys(of name: CommandName) -> [String] { texts[name] ?? [] }

  private mutating func collectTexts() {
    var bound: [CommandName: Set<String>] = [:]
    for map in bindings.values {
      for (sequence, name) in map { bound[name, default: []].insert(Self.text(sequence)) }
    }
    texts = bound.reduce(into: [:]) { texts, entry in
      let own = Command.row(entry.key).keys
      // In the order of the table, then the user's own.
      texts[entry.key] = own.filter(entry.value.contains) + entry.value.subtracting(own).sorted()
    }
  }

  /// How a text refers to a command: by its key, else by its name, such as `:undo`.
  public func hint(_ name: CommandName) -> String { key(name) ?? ":\(name)" }

  /// How to run a command, as the beginning of a sentence: `Press O` or `Type :group-by-tag`.
  public func press(_ name: CommandName) -> String { key(name).map { "Press \($0)" } ?? "Type :\(name)" }

  /// The first key of a command as a text shows it, such as `Enter`, `^D` or `j`. Nil if it has none.
  public func key(_ name: CommandName) -> String? {
    guard let key = keys(of: name).first else { return nil }
    guard key.hasPrefix("<"), key.hasSuffix(">"), key.filter({ $0 == "<" }).count == 1 else { return key }
    let inner = key.dropFirst().dropLast()
    if inner == "lt" { return "<" }
    return inner.hasPrefix("C-") ? "^" + inner.dropFirst(2).uppercased() : String(inner)
  }

  private mutating func bind(_ notation: String, to command: Command) {
    guard let sequence = KeyNotation.parse(notation) else { return }
    for context in command.contexts { bindings[context, default: [:]][sequence] = command.name }
  }
}
