/// The `[sync]` table of `config.toml`.
package struct SyncPreferences: Sendable {
  /// Minutes between two syncs that the player starts by itself. 0: it starts none; `:sync` still works.
  package var every = 30.0
  /// A shell command. The first line of its output is the password.
  package var passwordCommand: String?
  /// Whether a folder carries the transcripts that the listener has made.
  package var transcripts = false

  package init() {}
}
