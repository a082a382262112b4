import Foundation
import Services
import TOMLKit

extension SyncPreferences {
  /// All settings of the table, in the order of the manuals. To add one: a row here, a line in docs/CONFIGURATION.md.
  static let settings: [SettingRow<SyncPreferences>] = [
    .init(
      "every", "minutes, 0 to 1440", "30", "How often the player syncs by itself; 0: never."
    ) { $0.every = try Configuration.number($1, in: 0...1440) },
    .init(
      "password_command", "a command for the shell", nil,
      "Prints the password of the sync server. Without it, the keyring or a private file has the password."
    ) { $0.passwordCommand = try Configuration.string($1) },
    .init(
      "transcripts", "true or false", "false",
      "Whether a sync folder carries the transcripts that you have made or imported."
    ) { $0.transcripts = try Configuration.bool($1) },
  ]
}
