import Services

extension SyncPreferences {
  /// All settings of the table, in the order of the manuals. To add one: a row here, a line in docs/CONFIGURATION.md.
  static let settings: [SettingRow<SyncPreferences>] = [
    .number("every", unit: "minutes", 0...1440, "30", \.every, "How often the player syncs by itself; 0: never."),
    .text(
      "password_command", "a command for the shell", \.passwordCommand,
      "Prints the password of the sync server. Without it, the keyring or a private file has the password."),
    .flag(
      "transcripts", false, \.transcripts,
      "Whether a sync folder carries the transcripts that you have made or imported."),
  ]
}
