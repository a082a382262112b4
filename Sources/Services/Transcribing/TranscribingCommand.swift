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
