/// The table of all commands. Each group of commands has a file of its own with its rows, in the order of the help.
struct CommandTable {
  private(set) var all: [Command] = []
  private var indices: [CommandName: Int] = [:]
  /// The group of the rows that are added.
  var group = Command.Group.move

  init() {
    addMoveCommands()
    addPlaybackCommands()
    addLibraryCommands()
    addQueueCommands()
    addViewCommands()
    addProgramCommands()
  }

  subscript(name: CommandName) -> Command? { indices[name].map { all[$0] } }

  /// Adds a row. `perform` gets the argument.
  /// - Parameter needsList: nil: depends on the group.
  mutating func add(
    _ name: CommandName, _ help: String, argument: Command.Argument = .none,
    keys: [String] = [], contexts: [Context] = [.everywhere], counts: Command.Counting = .ignored,
    unless disabledReason: @escaping @Sendable (State) -> String? = { _ in nil }, needsList: Bool? = nil,
    writes: Bool = false, perform: @escaping @Sendable (inout State, String?) -> [Effect]
  ) {
    let other = indices.updateValue(all.count, forKey: name)
    precondition(other == nil, "two rows for the command \(name)")
    all.append(
      Command(
        name: name, group: group, help: help, argument: argument, keys: keys, contexts: contexts, counting: counts,
        needsList: needsList ?? [.move, .library, .queue].contains(group), writes: writes,
        disabledReason: disabledReason, perform: perform))
  }

  /// Adds a row for a command that needs no argument.
  mutating func add(
    _ name: CommandName, _ help: String, argument: Command.Argument = .none,
    keys: [String] = [], contexts: [Context] = [.everywhere], counts: Command.Counting = .ignored,
    unless disabledReason: @escaping @Sendable (State) -> String? = { _ in nil }, needsList: Bool? = nil,
    writes: Bool = false, perform: @escaping @Sendable (inout State) -> [Effect]
  ) {
    add(
      name, help, argument: argument, keys: keys, contexts: contexts, counts: counts, unless: disabledReason,
      needsList: needsList, writes: writes
    ) { state, _ in perform(&state) }
  }
}
