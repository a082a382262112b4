import ArgumentParser
import Desktop
import Foundation
import Model
import Session

/// `earshot ctl`: controls a running player, the full-screen one or `earshot play`.
struct CtlVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "ctl", abstract: "Control the running player.",
    discussion: """
      earshot ctl play|pause|toggle|stop|next|previous|quit
      earshot ctl play 42
      earshot ctl seek 1:33, seek +30, seek -10
      earshot ctl speed 1.5, volume 80
      earshot ctl chapter next|previous|3
      earshot ctl sleep 15|1h30m|off|chapter|episode|3 episodes
      earshot ctl clip start, clip end 'The best part'
      earshot ctl bookmark ['What it is about']
      earshot ctl queue, queue 42 43, queue --next 44
      earshot ctl status [--json] [--format '{icon} {title} {position}/{duration}']
      earshot ctl watch [--json] [--format '{icon} {title}'] [--position 5]

      watch prints a line for each event until the player ends: playing, paused, seek, chapter, finished, queue, \
      downloaded, new-episodes and others. The first line is the state now. With --format it prints a line whenever the \
      text differs.

      --json prints what is playing after the command.

      Fields: {icon} {status} {title} {podcast} {chapter} {position} {duration} {remaining} {percent} {speed} {volume} \
      {queued} {sleep} {waiting}. For tmux: set -g status-right '#(earshot ctl status --tmux)'.
      With several players, the one that is playing is controlled. The exit status is 69 if there is none.
      """)

  enum Action: String, ExpressibleByArgument, CaseIterable {
    case play, pause, toggle, stop, next, previous, seek, speed, volume, quit, status
    case chapter, sleep, clip, bookmark, queue, watch

    /// How many values it takes, and an example of one; nil if it needs none.
    var values: (count: ClosedRange<Int>, example: String?) {
      switch self {
      case .play: (0...1, nil)
      case .seek: (1...1, "+30")
      case .speed: (1...1, "1.5")
      case .volume: (1...1, "80")
      case .chapter: (1...1, "next")
      case .sleep: (1...2, "15")
      // The words of a title need no quotes.
      case .clip: (1...100, "start")
      case .bookmark: (0...100, nil)
      case .queue: (0...1000, nil)
      case .pause, .toggle, .stop, .next, .previous, .quit, .status, .watch: (0...0, nil)
      }
    }
  }

  @Argument(help: "The action.")
  var action: Action

  // Accepts values with a dash, such as `seek -10`, and `seek -- -10`.
  @Argument(
    parsing: .allUnrecognized,
    help: "Its value: a time, a factor, a percentage, or the number, address or guid of an episode.")
  var arguments: [String] = []

  @Option(help: "The process id of the player, if there are several.")
  var player: Int32?

  @Option(help: "For status and watch: a line of text with fields in braces.")
  var format: String?

  @Flag(help: "For tmux: print nothing if no player is running, and escape titles.")
  var tmux = false

  @Flag(help: "For queue: add behind the episode that plays, or at the front if it is not queued.")
  var next = false

  @Option(help: ArgumentHelp("For watch: also print the position every so many seconds.", valueName: "seconds"))
  var position: Double?

  @OptionGroup var output: JSONOption

  private var values: [String] {
    guard let end = arguments.firstIndex(of: "--") else { return arguments }
    return Array(arguments[..<end] + arguments[(end + 1)...])
  }

  func validate() throws {
    if let option = values.first(where: { $0.hasPrefix("--") }) {
      throw ValidationError("There is no option \(option).")
    }
    guard action.values.count.contains(values.count) else {
      let expected =
        action.values.example.map { "a value: earshot ctl \(action.rawValue) \($0)" }
        ?? (action == .play ? "one episode, or no value" : "no value")
      throw ValidationError("\(action.rawValue) wants \(expected).")
    }
    if next, action != .queue { throw ValidationError("--next belongs to queue.") }
    if let position {
      guard action == .watch else { throw ValidationError("--position belongs to watch.") }
      guard position >= 1, position.isFinite else { throw ValidationError("--position wants at least 1 second.") }
    }
    if !namesEpisodes, action != .queue { _ = try command() }
  }

  /// Whether the values are episodes of the library.
  private var namesEpisodes: Bool { [.play, .queue].contains(action) && !values.isEmpty }

  func perform() throws {
    let configuration = Configuration.load(Directories())
    let client = ControlClient(ControlDirectory(state: configuration.directories.state))
    if action == .queue, values.isEmpty { return try QueueVerb.answer(try VerbContext().library, output) }
    let command = try command()
    do throws(DesktopError) {
      if let command {
        let status = try client.send(command, to: player)
        if output.json { Report.jsonLine(status) }
        return
      }
      let format = try StatusFormat(self.format ?? StatusFormat.standard)
      if action == .watch { return try watch(client, format) }
      let status = try client.status(of: player)
      if output.json { return Report.jsonLine(status) }
      Report.line(format.text(status, isForTmux: tmux))
    } catch {
      if tmux, error == .noPlayer { return }
      throw status(of: error).error(saying: error.description)
    }
  }

  private func watch(_ client: ControlClient, _ format: StatusFormat) throws(DesktopError) {
    var shown: String?
    try client.watch(player, every: position) { event, line in
      if output.json {
        // The player has written it as JSON, without control characters and without keys of addresses.
        Report.raw(Data((line + "\n").utf8))
      } else if self.format == nil {
        Report.line(event.line)
      } else if let status = event.status {
        let text = format.text(status, isForTmux: tmux)
        if text != shown { Report.line(text) }
        shown = text
      }
      return true
    }
  }

  private func status(of error: DesktopError) -> ExitStatus {
    switch error {
    case .badFormat, .tooLong: .usage
    case .refused: .invalidData
    case .cannotListen, .unsafeDirectory: .cannotCreate
    case .noPlayer, .noPlayerWithID, .noAnswer, .cutOff: .unavailable
    }
  }

  /// The command for the player; nil for `status`. Episodes for `play` and `queue` are looked up in the library.
  private func command() throws -> RemoteCommand? {
    switch action {
    case .play: return try values.isEmpty ? .play : .playEpisode(episodes()[0])
    case .queue: return .enqueue(try episodes(), next: next)
    case .chapter:
      switch values.first ?? "" {
      case "next": return .chapter(.next)
      case "previous": return .chapter(.previous)
      case let text:
        guard let number = Int(text), number > 0 else {
          throw ValidationError("“\(text)” is not a chapter: write next, previous or its number.")
        }
        return .chapter(.number(number))
      }
    case .sleep:
      let text = values.joined(separator: " ")
      do { _ = try SleepTimer.timer(text) } catch { throw ValidationError(error.text + ".") }
      return .sleep(text)
    case .clip:
      let title = values.dropFirst().joined(separator: " ")
      switch values.first ?? "" {
      case "start" where title.isEmpty: return .clipStart
      case "end": return .clipEnd(title: title.isEmpty ? nil : title)
      default: throw ValidationError("clip wants start, or end and a title.")
      }
    case .bookmark:
      let title = values.joined(separator: " ")
      return .bookmark(title: title.isEmpty ? nil : title)
    case .pause: return .pause
    case .toggle: return .toggle
    case .stop: return .stop
    case .next: return .next
    case .previous: return .previous
    case .quit: return .quit
    case .status, .watch: return nil
    case .speed: return .speed(try number(in: RemoteCommand.speeds))
    case .volume: return .volume(try number(in: RemoteCommand.volumes))
    case .seek:
      let text = values.first ?? ""
      switch TimeArgument(text) {
      case .absolute(let second): return .seek(to: second)
      case .relative(let seconds): return .seekBy(seconds)
      case nil: throw ValidationError("“\(text)” is not a time: write 93, 1:33, +30 or -10.")
      }
    }
  }

  /// Looks up the episodes before the player is contacted.
  private func episodes() throws -> [EpisodeID] { try VerbContext().episodes(values) }

  private func number(in range: ClosedRange<Double>) throws -> Double {
    // “+10” looks like a step, as in `seek +10`.
    guard let text = values.first, !text.hasPrefix("+"), let number = Double(text), range.contains(number) else {
      let (minimum, maximum) = (range.lowerBound.shortText, range.upperBound.shortText)
      throw ValidationError(
        "“\(values.first ?? "")” is not a \(action.rawValue): write a number from \(minimum) to \(maximum), such as "
          + "\(action.values.example ?? "1").")
    }
    return number
  }
}
