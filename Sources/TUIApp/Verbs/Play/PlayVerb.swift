import ArgumentParser
import Desktop
import Foundation
import Model
import Playback
import Store

/// `earshot play`: sound without the screen.
struct PlayVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play a file, an address or an episode without the screen.",
    discussion: """
      Goes on where it was left. earshot ctl and media keys steer it; ^C stops it and keeps the place.
      Exit status: 0 played to the end or stopped by ctl, 128 and the signal's number when a signal stopped it.
      """)

  @Argument(help: "A file, an http address, or the number, address or guid of an episode.")
  var what: String

  @Option(help: "Where to begin, in place of where it was left: 93, 1:33 or 1:02:03.")
  var start: Second?

  @Option(help: "0.5 to 4.")
  var speed: Double?

  @Option(help: "Percent, 0 to 150.")
  var volume: Double?

  @OptionGroup var output: JSONOption

  func validate() throws {
    guard (0.5...4).contains(speed ?? 1) else { throw ValidationError("The speed is 0.5 to 4.") }
    guard (0...150).contains(volume ?? 100) else { throw ValidationError("The volume is 0 to 150.") }
  }

  func perform() throws {
    // While the library is opened and looked through.
    Player.openLibraryAhead()
    let context = try VerbContext()
    let target = try PlayTarget(what, context)
    let preferences = context.configuration.preferences
    var player = try PlainPlayer(
      target,
      PlainPlayer.Options(
        start: start?.seconds ?? target.place, speed: speed ?? preferences.speed, volume: volume ?? preferences.volume,
        isJSON: output.json, sound: try .chosen(context.configuration, context.library)),
      library: context.library, control: ControlDirectory(state: context.configuration.directories.state))
    let end = try player.run()
    try context.library.close()
    switch end {
    case .heard, .stopped: return
    case .signal(let number): throw ExitCode(128 + number)
    case .failed(let message):
      Report.message("\(target.title): \(message)")
      throw (target.address.hasPrefix("/") ? ExitStatus.invalidData : .unavailable).error
    }
  }
}
