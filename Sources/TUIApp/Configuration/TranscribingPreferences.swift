import Foundation
import HTTP
import Model
import Programs
import Services
import TOMLKit

extension TranscribingPreferences {
  /// All settings of the table, in the order of the manuals. To add one: a row here, a line in docs/CONFIGURATION.md.
  static let settings: [SettingRow<TranscribingPreferences>] = [
    .init(
      "command", "a command line, or a list of words", nil,
      "The program that makes transcripts. It is split into words as in a shell, but no shell runs it. `{wav}` is the sound as a file, `{audio}` the downloaded file, `{output}` a path without ending for the result, `{language}`, `{title}` and `{podcast}` are those of the feed. See docs/TRANSCRIPTS.md."
    ) { $0.command = try command($1) },
    .init(
      "url", "an address", nil,
      "A server that makes transcripts: the address of a call like OpenAI's `/v1/audio/transcriptions`. The sound is sent to it. `command` comes first."
    ) {
      let text = try Configuration.string($1)
      guard text.hasPrefix("https://") || text.hasPrefix("http://") else {
        throw Configuration.InvalidValue("must begin with https:// or http://")
      }
      guard (try? WebAddress(text)) != nil else { throw Configuration.InvalidValue("names no server") }
      $0.url = text
    },
    .text(
      "model", "a text", \.model, "The name of the model. It is sent to the server, and shown with the transcript."),
    .text("key_command", "a command for the shell", \.keyCommand, "Prints the key of the server."),
    .init(
      "auto", "a filter", nil,
      "Episodes that get a transcript by themselves once they are downloaded, such as `podcast:\"Daily\" and not has:transcript`. Without it: none."
    ) { $0.automatic = try filter($1) },
    .flag("on_battery", false, \.worksOnBattery, "Make transcripts while the machine runs on its battery, too."),
  ]

  private static func command(_ value: any TOMLValueConvertible) throws -> TranscribingCommand {
    let words = try Configuration.words(value)
    do throws(TranscribingCommand.Failure) {
      return try TranscribingCommand(words, home: HomePath.directory(), path: ProcessEnvironment.variables["PATH"])
    } catch {
      throw Configuration.InvalidValue(error.description)
    }
  }

  private static func filter(_ value: any TOMLValueConvertible) throws -> EpisodeFilter? {
    let text = try Configuration.string(value)
    guard !text.isEmpty else { return nil }
    do throws(FilterError) { return try EpisodeFilter(parsing: text) } catch {
      throw Configuration.InvalidValue(error.description)
    }
  }
}
