import ArgumentParser
import Desktop
import Foundation
import Model
import Playback
import Services
import Store

/// `earshot play`: plays without the screen.
struct PlayVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play files, addresses or episodes without the screen.",
    discussion: """
      Resumes at the stored position, with the sound settings of the podcast. Several episodes are played one after \
      the other, without gaps. What cannot be played is reported and skipped. On a terminal, press Space to pause, Left \
      and Right to seek (Up and Down: by a minute), < to go to the previous chapter or to the start, > to go to the next \
      file or episode, and q or ^C to stop and save the position. earshot ctl and media keys control it, too. Only one \
      Earshot can play an episode at a time.
      Exit status: 0 played to the end or stopped by ctl, 65 or 69 if something could not be played, 128 plus the \
      number of the signal if a signal stopped it.
      """)

  @Argument(
    help: ArgumentHelp(
      """
      Files, http addresses, numbers, addresses or guids of episodes, or links to an episode on the sites that earshot add \
      knows.
      """), completion: .file())
  var what: [String]

  @Option(help: "Where to start the first one, instead of its stored position: 93, 1:33 or 1:02:03.")
  var start: Second?

  @Option(help: "The speed, 0.5 to 4.")
  var speed: Double?

  @Option(help: "The volume in percent, 0 to 150.")
  var volume: Double?

  @Option(
    help:
      """
      Write the sound to this file or pipe as fast as possible, as samples of 16 bits without a header, with the \
      sample rate and the channels of the episode. It begins at --start, else at 0:00. The stored position is neither \
      used nor changed.
      """,
    completion: .file())
  var pcm: String?

  @Option(name: .customLong("ao"), help: "The audio output of mpv: pipewire, pulse, alsa, null (silent, in real time).")
  var soundOutput: String?

  @Option(
    help:
      """
      Accept commands of mpv's JSON IPC on this socket. Earshot follows seeks and quit. It does not notice a pause, \
      a speed or a volume that is set there: use earshot ctl for these.
      """,
    completion: .file())
  var ipc: String?

  @OptionGroup var output: JSONOption

  func validate() throws {
    guard pcm == nil || what.count == 1 else { throw ValidationError("--pcm is for one thing at a time.") }
    guard pcm == nil || soundOutput == nil else { throw ValidationError("Sound goes to --pcm or to --ao.") }
    if let soundOutput {
      // mpv's "pcm" would write a file with its own name, and "help" is no output.
      guard !["", "pcm", "help"].contains(soundOutput),
        soundOutput.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
      else { throw ValidationError("“\(soundOutput)” is not an audio output.") }
    }
    guard RemoteCommand.speeds.contains(speed ?? 1) else {
      throw ValidationError("The speed is 0.5 to 4, such as --speed 1.5.")
    }
    guard (0...150).contains(volume ?? 100) else {
      throw ValidationError("The volume is 0 to 150 percent, such as --volume 80.")
    }
  }

  func perform() throws {
    MallocArenas.limit(to: 1)
    // Loads libmpv while the library is opened.
    Player.openLibraryAhead()
    let context = try VerbContext(plays: true)
    let preferences = try Preferences.remembered(context.configuration, context.library)
    let streams = StreamService(context.configuration)
    let line = HeadlessPlayerLine(isJSON: output.json)
    if Report.isWatched { Report.divertLibraries(to: context.configuration.directories.logFile) }
    // Samples are written from the start, unless a start is given.
    var list = PlayItems(
      follow(what, context), start: start?.seconds ?? (pcm == nil ? nil : 0), rewinds: preferences.rewindsAfterPause,
      storesPosition: pcm == nil, context, streams, showMessage: line.showMessage)
    guard let first = list.take() else { throw (list.failure ?? .failed).error }
    let options = try options(preferences, streams, context)
    var player = try HeadlessPlayer(first, then: list, options, on: line, context)
    let (end, failure) = try player.run()
    switch end {
    case .stopped, .signal(SIGINT): line.sayWhereItStopped(player.item.target)
    case .asleep: line.saySleepTimerEnded(after: player.item.target, next: player.next())
    case .heard, .failed, .skipped, .signal, .outputFailed: break
    }
    streams.cache?.save()
    try context.library.close()
    try finish(options.samples)
    if case .signal(let number) = end { throw ExitCode(128 + number) }
    if let failure { throw failure.error }
  }

  /// Resolves links to other players' sites to episode numbers. A link that cannot be resolved is reported, and fails
  /// at its turn.
  private func follow(_ texts: [String], _ context: VerbContext) -> [PlayItems.Source] {
    texts.map { text in Result { try context.episode(behind: text)?.description ?? text } }
  }

  private func options(
    _ preferences: Preferences, _ streams: StreamService, _ context: VerbContext
  ) throws -> HeadlessPlayer.Options {
    var sound = try PlayerOptions.chosen(context.configuration, context.library, streams)
    let samples = try pcm.map { try SampleFile($0) }
    if let samples { sound.output = .raw(path: samples.pipe) }
    if let soundOutput { sound.output = soundOutput == "null" ? .null(isTimed: true) : .named(soundOutput) }
    sound.ipcSocket = ipc
    return HeadlessPlayer.Options(
      preferences: preferences, speedOverride: speed, volume: volume ?? preferences.volume, storesPosition: pcm == nil,
      media: MediaChapters(streams: streams.cache), sound: sound, samples: samples,
      keys: output.json ? nil : HeadlessKeys(preferences))
  }

  /// Ends the samples. No error if the reader of the samples has closed the pipe.
  private func finish(_ samples: SampleFile?) throws {
    do throws(OutputFailure) {
      try samples?.finish()
    } catch {
      if error.code == EPIPE { Answers.exitByBrokenPipe() }
      throw error
    }
  }
}
