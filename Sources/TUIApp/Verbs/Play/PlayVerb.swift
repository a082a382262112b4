import AppCore
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
      Goes on where it was left, and an episode sounds as its show is set. earshot ctl and media keys steer it; ^C \
      stops it and keeps the place. An episode is played by one Earshot at a time.
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

  @Option(
    help:
      """
      Write the sound into this file or pipe, as samples of 16 bits without a header, and as fast as it comes. No place \
      is kept.
      """,
    completion: .file())
  var pcm: String?

  @Option(name: .customLong("ao"), help: "The output of mpv: pipewire, pulse, alsa, null (in real time, to nowhere).")
  var soundOutput: String?

  @Option(help: "Listen on this socket for commands of mpv's JSON IPC.", completion: .file())
  var ipc: String?

  @OptionGroup var output: JSONOption

  func validate() throws {
    guard pcm == nil || soundOutput == nil else { throw ValidationError("Sound goes to --pcm or to --ao.") }
    if let soundOutput {
      // mpv's "pcm" would write a file of its own naming, and "help" is none.
      guard !["", "pcm", "help"].contains(soundOutput),
        soundOutput.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
      else { throw ValidationError("“\(soundOutput)” is no output of sound.") }
    }
    guard (0.5...4).contains(speed ?? 1) else { throw ValidationError("The speed is 0.5 to 4, such as --speed 1.5.") }
    guard (0...150).contains(volume ?? 100) else {
      throw ValidationError("The volume is 0 to 150 percent, such as --volume 80.")
    }
  }

  func perform() throws {
    // While the library is opened and looked through.
    Player.openLibraryAhead()
    let context = try VerbContext()
    let target = try PlayTarget(what, context)
    let lock = try lock(target, context)
    if let notice = target.notice { Report.message(notice) }
    let streams = StreamDesk(context.configuration)
    var player = try PlainPlayer(target, try options(target, streams, context), context)
    // The lock goes with the last use of the value.
    let end = try withExtendedLifetime(lock) { try player.run() }
    streams.cache?.save()
    try context.library.close()
    switch end {
    case .heard, .stopped: return
    case .signal(let number): throw ExitCode(128 + number)
    case .failed(let message):
      Report.message("\(target.title): \(message)")
      throw (target.address.hasPrefix("/") ? ExitStatus.invalidData : .unavailable).error
    }
  }

  private func options(
    _ target: PlayTarget, _ streams: StreamDesk, _ context: VerbContext
  ) throws -> PlainPlayer.Options {
    let preferences = try Preferences.remembered(context.configuration, context.library)
    // Samples are those of the whole, unless a start was named.
    let wanted = start?.seconds ?? (pcm == nil ? nil : 0)
    var (second, show) = (wanted ?? target.place, ShowSettings())
    if let detail = target.detail {
      show = try context.library.settings(PodcastSettings.self, of: detail.row.podcast)?.show ?? show
      second = try EpisodeStart(
        detail, from: wanted, show: show, rewinds: preferences.rewindsAfterPause, library: context.library, now: Date()
      ).second
    }
    if let detail = target.detail { streams.authorize(target.address, of: detail.row.podcast, in: context.library) }
    var sound = try PlayerOptions.chosen(context.configuration, context.library, streams)
    if let pcm { sound.output = .raw(path: pcm) }
    if let soundOutput { sound.output = soundOutput == "null" ? .null(isTimed: true) : .named(soundOutput) }
    sound.ipcSocket = ipc
    return PlainPlayer.Options(
      start: second, speed: speed ?? show.speed ?? preferences.speed, volume: volume ?? preferences.volume,
      shape: show.shape(over: preferences.sound), show: show, keepsPlace: pcm == nil, isJSON: output.json,
      sound: sound)
  }

  /// The place of an episode is that of one player. What is not in the library has a place of its own.
  private func lock(_ target: PlayTarget, _ context: VerbContext) throws -> PlayerLock? {
    guard target.episode != nil, pcm == nil, !context.library.isReadOnly else { return nil }
    switch try PlayerLock.acquire(library: context.configuration.directories.database) {
    case .held(let lock): return lock
    case .taken(let holder):
      let who = holder.map { " (process \($0))" } ?? ""
      Report.message("Another Earshot\(who) holds the player: earshot ctl steers it, earshot ctl quit ends it.")
      throw ExitStatus.unavailable.error
    }
  }
}
