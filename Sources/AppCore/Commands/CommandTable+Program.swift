/// Help, sync, the terminal and the end of the program.
extension CommandTable {
  mutating func addProgramCommands() {
    group = .program
    add(.help, "Help", keys: ["?", "<F1>"]) { $0.open(HelpOverlay()) }
    add(.command, "Command line", keys: [":"]) { $0.openCommandLine() }
    add(.named("log"), "Messages of this run") { $0.open(LogOverlay()) }
    add(.named("sync"), "Sync with the other devices", writes: true) { state in
      // The listener has asked for a sync, so the question about held back removals is asked again.
      state.sync.askedRemovals = []
      return [.network(.sync(.now))]
    }
    add(.named("sync-full"), "Sync completely, not only what is new", writes: true) { state in
      state.sync.askedRemovals = []
      return [.network(.sync(.full))]
    }
    add(.named("sync-login"), "Set up sync", writes: true) { $0.open(Prompt(SyncLoginPrompt())) }
    add(.named("sync-status"), "Status of sync, devices and what waits") { _ in [.network(.sync(.status))] }
    add(.named("sync-accept-removals"), "Unsubscribe as on the other devices", writes: true) { _ in
      [.network(.sync(.acceptRemovals))]
    }
    add(.named("sync-refuse-removals"), "Keep what other devices removed", writes: true) { _ in
      [.network(.sync(.refuseRemovals))]
    }
    add(.redraw, "Draw the screen again", keys: ["<C-l>"]) { _ in [.terminal(.redraw)] }
    add(.suspend, "Suspend to the shell", keys: ["<C-z>"]) { $0.suspend() }
    add(.quitScreen, "Back, or quit", keys: ["q"]) { $0.back() ? [] : $0.quit() }
    add(.quit, "Quit", keys: ["Q", "<C-c>"]) { $0.quit() }
  }
}

extension CommandName {
  static let help = named("help")
  static let command = named("command")
  static let redraw = named("redraw")
  static let suspend = named("suspend")
  static let quitScreen = named("back-or-quit")
  static let quit = named("quit")
}
