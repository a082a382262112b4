import ArgumentParser
import Foundation
import Model
import Playback
import Services

/// `earshot speech-sound`: writes the sound of an episode or a file for a recogniser of speech. The player starts it as
/// a process of its own (see `ClipExportProcess` for the reason), which also has a low priority.
struct SpeechSoundVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "speech-sound", abstract: "Write the sound of an episode as 16 kHz mono WAVE.", shouldDisplay: false)

  @Argument(help: "The number of an episode, or the path of a file.") var source: String
  @Argument(help: "The file to write.", completion: .file()) var file: String

  func perform() throws {
    let address: String
    var options = PlayerOptions()
    options.userAgent = Version.userAgent
    if source.hasPrefix("/") {
      address = source
    } else {
      let context = try VerbContext()
      let detail = try context.episode(source)
      address = try context.requiredMediaAddress(of: detail)
      let streams = StreamService(context.configuration, keepsCopies: false)
      streams.authorize(address, of: detail.row.podcast, in: context.library)
      options.streams = streams
    }
    var export = ClipExport(address: address, start: 0, end: 1_000_000, target: file, options: options)
    export.isForSpeech = true
    export.isWhole = true
    do throws(ClipExportError) {
      _ = try export.run()
    } catch {
      guard case .source(let why) = error else { throw ReportedError(error.description) }
      throw ReportedError("The sound cannot be read: \(why).", address.hasPrefix("/") ? .data : .connectivity)
    }
  }
}
