import Directories
import Foundation
import HTTP
import Model
import Programs

/// Runs yt-dlp, which the listener has named (`[sites] yt_dlp`): one process at a time, without a shell, without input,
/// and without its configuration unless the listener asks for that. Nothing of it outlives Earshot (`ListenerProgram`).
///
/// The address is the only thing that others choose. It is http or https, and comes after `--`, so it is never an
/// option.
package final class SiteProgram: Sendable {
  package struct Settings: Sendable {
    /// A name, or a path.
    package var program: String
    /// Whether it reads the listener's own configuration of it, such as cookies.
    package var usesConfiguration = false
    /// The environment of the player. Passwords and keys (`EARSHOT_…`) are not passed on.
    package var environment: [String: String]
    /// Seconds until it is ended.
    package var timeLimit = 60.0

    package init(program: String, environment: [String: String]) {
      self.program = program
      self.environment = environment
    }
  }

  package enum Question: Sendable {
    /// The sound behind a page.
    case file(WebAddress)
    /// What is at a page: a video, or the newest videos of a list.
    case list(WebAddress, limit: Int)
  }

  package let settings: Settings
  private let thread = WorkerThreads("earshot.sites", atOnce: 1, lowersPriority: false)

  package init(_ settings: Settings) { self.settings = settings }

  /// The name of the program, without its directory.
  package var name: String { (settings.program as NSString).lastPathComponent }

  /// The first choice is AAC in one file, which every player can play. What comes in pieces is the last choice: such a
  /// stream can be played, not downloaded.
  private static let format: String = {
    let whole = "[protocol^=http][protocol!*=dash]"
    return "ba[ext=m4a]\(whole)/ba\(whole)/b\(whole)/ba[protocol^=m3u8]/b[protocol^=m3u8]"
  }()

  /// Bytes of an answer. The longest descriptions have 5 kB, and a list has at most some thousand videos.
  private static let answerLimit = 32_000_000

  /// Asks when the process before it has ended. A file comes before lists, because the listener waits for it.
  /// - Parameter completion: called once, on a thread that may be blocked for a while.
  package func ask(_ question: Question, completion: @escaping @Sendable (Result<SiteAnswer, PageFailure>) -> Void) {
    let isFile = if case .file = question { true } else { false }
    thread.add(isUrgent: isFile) { completion(self.answer(to: question)) }
  }

  private func answer(to question: Question) -> Result<SiteAnswer, PageFailure> {
    let words: [String]
    let page: WebAddress
    switch question {
    case .file(let address):
      page = address
      words = ["--no-playlist", "--format", Self.format]
    case .list(let address, let limit):
      page = address
      // YouTube's lists have no dates otherwise.
      words = [
        "--flat-playlist", "--playlist-end", "\(limit)", "--extractor-args", "youtubetab:approximate_date",
      ]
    }
    do throws(PageFailure) {
      let outcome = try run(words + ["--no-warnings", "--dump-single-json", "--", page.text])
      guard outcome.ending == .exited(0) else { throw failure(outcome) }
      guard let json = JSONValue(outcome.output), json.isObject else {
        throw PageFailure("the answer of \(name) cannot be read")
      }
      return .success(SiteAnswer(json, at: page))
    } catch {
      return .failure(error)
    }
  }

  /// The version, for `earshot doctor`. It blocks.
  package func version() throws(PageFailure) -> String {
    let outcome = try run(["--version"])
    let line = String(decoding: outcome.output.prefix(100), as: UTF8.self).prefix { !$0.isNewline }
    guard outcome.ending == .exited(0), !line.isEmpty else { throw failure(outcome) }
    return UntrustedText.cleaned(String(line))
  }

  private func run(_ words: [String]) throws(PageFailure) -> ListenerProgram.Outcome {
    guard let path = ListenerProgram.locate(settings.program, path: settings.environment["PATH"]) else {
      throw PageFailure(
        "there is no program “\(settings.program)”; install it, or correct yt_dlp in the configuration")
    }
    let own = settings.usesConfiguration ? [] : ["--ignore-config"]
    var program = ListenerProgram(
      [path] + own + words, environment: ListenerProgram.environment(from: settings.environment))
    // Nothing in the directory where Earshot was started concerns it.
    program.directory = "/"
    program.timeLimit = settings.timeLimit
    program.outputLimit = Self.answerLimit
    program.endsAtLimit = true
    do throws(ListenerProgram.Failure) { return try program.run() } catch { throw PageFailure(error.description) }
  }

  private func failure(_ outcome: ListenerProgram.Outcome) -> PageFailure {
    switch outcome.ending {
    case .exited(let status): SiteFailure.failure(status: status, errors: outcome.errors, name: name)
    case .signalled(let number): PageFailure("\(name) was ended by signal \(number)")
    case .timedOut: PageFailure("\(name) did not answer within \(Int(settings.timeLimit)) seconds")
    case .stopped: PageFailure("\(name) answers with more than \(Self.answerLimit / 1_000_000) MB")
    case .cancelled: PageFailure("\(name) was ended")
    }
  }
}
