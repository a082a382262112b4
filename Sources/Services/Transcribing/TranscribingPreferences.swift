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

/// The recogniser that the listener named: `command` of the table `[transcribe]`.
package typealias TranscribingCommand = CommandTemplate<TranscribingPlaceholder>

package enum TranscribingPlaceholder: String, CommandPlaceholder {
  /// A complete file of the episode: the download, or else the same as `wav`.
  case audio
  /// 16 kHz, mono, 16 bits.
  case wav
  /// A path without an ending, for the result.
  case output
  /// The two or three letters of the podcast's language, or `auto`.
  case language
  case title, podcast

  package static func problem(using placeholders: Set<Self>) -> String? {
    placeholders.isDisjoint(with: [.audio, .wav]) ? "must contain {wav} or {audio}, the file to read" : nil
  }
}
