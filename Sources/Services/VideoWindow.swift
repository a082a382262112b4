import Desktop
import Foundation
import HTTP
import Model
import Programs
import Synchronization

/// Shows the video of an episode in a player of the listener's, usually mpv, and follows its position. One window at a
/// time. It is closed when Earshot ends (`ListenerProgram`).
package final class VideoWindow: Sendable {
  package struct Request: Sendable {
    package var episode: EpisodeID
    package var title: String
    /// An http or https address, or a path.
    package var address: String
    /// Seconds.
    package var start: Double

    package init(episode: EpisodeID, title: String, address: String, start: Double) {
      self.episode = episode
      self.title = title
      self.address = address
      self.start = start
    }
  }

  private let words: [String]
  private let home: String
  private let environment: [String: String]
  private let report: @Sendable (VideoReport) -> Void
  /// Tells the listener why it cannot be shown.
  private let fail: @Sendable (String) -> Void
  private let running = Mutex<Running?>(nil)
  private let thread = WorkerThreads("earshot.video", atOnce: 1, lowersPriority: false)

  private struct Running {
    var cancellation = ProgramCancellation()
    /// The directory of the socket, which is removed at the end.
    var directory: String?
  }

  /// - Parameters:
  ///   - words: the command, with placeholders.
  ///   - environment: that of the player. Passwords and keys (`EARSHOT_…`) are not passed on.
  package init(
    words: [String], home: String, environment: [String: String], report: @escaping @Sendable (VideoReport) -> Void,
    fail: @escaping @Sendable (String) -> Void
  ) {
    self.words = words
    self.home = home
    self.environment = ListenerProgram.environment(from: environment)
    self.report = report
    self.fail = fail
  }

  /// Opens the window, and returns at once.
  package func open(_ request: Request) {
    let command: VideoCommand
    do throws(ReportedError) {
      command = try VideoCommand(words, home: home, path: environment["PATH"]).located()
    } catch {
      return fail("The video cannot be shown: [video] open in config.toml: \(error)")
    }
    guard command.name != "mpv" || hasDisplay else {
      return fail("There is no display here for the window of a video (DISPLAY, WAYLAND_DISPLAY)")
    }
    let new = Running()
    let isFirst = running.withLock { running in
      guard running == nil else { return false }
      running = new
      return true
    }
    guard isFirst else { return fail("A window with a video is open already") }
    thread.add { [self] in
      show(request, command, new.cancellation)
      running.withLock { $0 = nil }
    }
  }

  /// Closes the window. Its last position was reported.
  package func close() {
    guard let window = running.withLock({ $0 }) else { return }
    window.cancellation.cancel()
    // The thread may not get to it before the player has ended.
    if let directory = window.directory { try? FileManager.default.removeItem(atPath: directory) }
  }

  private var hasDisplay: Bool {
    #if os(macOS)
      true
    #else
      ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
    #endif
  }

  private func show(_ request: Request, _ command: VideoCommand, _ cancellation: ProgramCancellation) {
    // Only its owner can enter it. The path is short, because that of a socket is limited.
    var template = Array("/tmp/earshot-video-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      return fail("The video cannot be shown: \(String(cString: strerror(errno)))")
    }
    let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    running.withLock { $0?.directory = directory }
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let socket = directory + "/mpv"
    var program = ListenerProgram(arguments(request, command, socket), environment: environment)
    program.directory = home
    var seen = SeenParts(episode: request.episode, from: request.start)
    let mpv = MpvClient(path: socket)
    report(.opened(request.episode))
    let clock = ContinuousClock()
    let begin = clock.now
    do throws(ListenerProgram.Failure) {
      let outcome = try program.run(
        cancellation,
        check: { [report] in
          if let position = mpv.number("time-pos"), position >= 0 {
            for part in seen.add(position, total: mpv.number("duration")) { report(part) }
          }
          return nil
        })
      // A program that ends at once has shown nothing.
      if seen.position == nil, outcome.ending != .exited(0), outcome.ending != .cancelled,
        clock.now - begin < .seconds(30)
      {
        let line =
          String(decoding: outcome.errors.isEmpty ? outcome.output : outcome.errors, as: UTF8.self)
          .split(whereSeparator: \.isNewline).last ?? ""
        fail("\(command.name) cannot show the video: \(UntrustedText.cleaned(String(line.prefix(200))))")
      }
    } catch {
      fail("The video cannot be shown: \(error.description)")
    }
    for part in seen.finish() { report(part) }
  }

  private func arguments(_ request: Request, _ command: VideoCommand, _ socket: String) -> [String] {
    var words = command.resolved { placeholder in
      switch placeholder {
      case .url: request.address
      case .position: String(format: "%.2f", request.start)
      case .title: request.title.programArgument
      case .ipc: socket
      }
    }
    if command.name == "mpv", !command.uses(.ipc) { words.insert("--input-ipc-server=\(socket)", at: 1) }
    return words
  }
}

/// Makes parts that were seen without a jump from the positions of a window, which come about once a second.
struct SeenParts {
  let episode: EpisodeID
  /// Where it was to begin, in seconds.
  private let wanted: Double
  /// The last position, in seconds.
  private(set) var position: Double?
  private var start = 0.0
  private var total: Double?

  /// Seconds. A larger step between two positions is a jump. The highest speed that people use is 4.
  private static let step = 8.0
  /// The longest part in seconds.
  private static let longest = 60.0

  init(episode: EpisodeID, from wanted: Double) {
    self.episode = episode
    self.wanted = wanted
  }

  /// - Returns: what is to be reported.
  mutating func add(_ new: Double, total: Double?) -> [VideoReport] {
    self.total = total ?? self.total
    guard let old = position else {
      (position, start) = (new, new)
      // A server without byte ranges sends the video from its beginning.
      return jump(from: wanted, to: new) + [.position(episode, new, total: self.total)]
    }
    guard new != old else { return [] }
    position = new
    guard new < old || new - old > Self.step else {
      guard new - start >= Self.longest else { return [.position(episode, new, total: self.total)] }
      // Earshot may end before the window is closed.
      let part = part(to: new)
      start = new
      return part + [.position(episode, new, total: self.total)]
    }
    let part = part(to: old)
    start = new
    return part + jump(from: old, to: new) + [.position(episode, new, total: self.total)]
  }

  mutating func finish() -> [VideoReport] {
    (position.map { part(to: $0) } ?? []) + [.closed(episode, position, total: total)]
  }

  private func jump(from old: Double, to new: Double) -> [VideoReport] {
    abs(new - old) > Self.step ? [.jumped(episode, from: old, to: new)] : []
  }

  private func part(to end: Double) -> [VideoReport] {
    end - start >= 1 ? [.seen(episode, from: start, to: end, total: total)] : []
  }
}

/// The listener's player of videos: `open` of the table `[video]`.
package typealias VideoCommand = CommandTemplate<VideoPlaceholder>

package enum VideoPlaceholder: String, CommandPlaceholder {
  /// The address or the path of the video.
  case url
  /// Where to begin, in seconds.
  case position
  case title
  /// The path of the socket for mpv's JSON IPC. mpv gets it in any case.
  case ipc

  package static func problem(using placeholders: Set<Self>) -> String? {
    placeholders.contains(.url) ? nil : "must contain {url}, the video to open"
  }
}
