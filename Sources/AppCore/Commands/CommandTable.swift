/// The table of all commands: a row for each name. Each group of commands is in a file of its own.
struct CommandTable {
  private(set) var rows: [CommandName: Command] = [:]

  init() {
    addMoveCommands()
    addPlaybackCommands()
    addLibraryCommands()
    addQueueCommands()
    addViewCommands()
    addProgramCommands()
  }

  /// Adds a row.
  /// - Parameter needsList: nil: depends on the group.
  mutating func add(
    _ name: CommandName, _ group: Command.Group, _ help: String, argument: Command.Argument = .none,
    keys: [String] = [], contexts: [Context] = [.everywhere], counts: Command.Counting = .ignored,
    unless disabledReason: @escaping @Sendable (State) -> String? = { _ in nil }, needsList: Bool? = nil,
    writes: Bool = false, perform: @escaping @Sendable (inout State, CommandCall) -> [Effect]
  ) {
    precondition(rows[name] == nil, "two rows for the command \(name.rawValue)")
    rows[name] = Command(
      name: name, group: group, help: help, argument: argument, keys: keys, contexts: contexts, counting: counts,
      needsList: needsList ?? [.move, .library, .queue].contains(group), writes: writes,
      disabledReason: disabledReason, perform: perform)
  }

  /// Adds a row for a command that needs no argument and no count.
  mutating func add(
    _ name: CommandName, _ group: Command.Group, _ help: String, argument: Command.Argument = .none,
    keys: [String] = [], contexts: [Context] = [.everywhere], counts: Command.Counting = .ignored,
    unless disabledReason: @escaping @Sendable (State) -> String? = { _ in nil }, needsList: Bool? = nil,
    writes: Bool = false, perform: @escaping @Sendable (inout State) -> [Effect]
  ) {
    add(
      name, group, help, argument: argument, keys: keys, contexts: contexts, counts: counts, unless: disabledReason,
      needsList: needsList, writes: writes
    ) { state, _ in perform(&state) }
  }
}
