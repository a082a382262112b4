import Model

/// The `[transcribe]` table of `config.toml`.
package struct TranscribingPreferences: Sendable {
  package var command: TranscribingCommand?
  /// A server that speaks OpenAI's call for transcriptions. `command` comes first.
  package var url: String?
  /// The name of the model, which is sent to the server and stored with the transcript.
  package var model: String?
  /// A shell command. The first line of its output is the key for the server.
  package var keyCommand: String?
  /// Episodes that are transcribed by themselves once they are downloaded.
  package var automatic: EpisodeFilter?
  package var worksOnBattery = false

  package init() {}

  package var isConfigured: Bool { command != nil || url != nil }
}
