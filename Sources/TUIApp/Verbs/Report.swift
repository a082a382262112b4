import ArgumentParser
import FeedKit
import Foundation
import Importers
import Model
import Playback
import Services
import Store
import Sync
import Synchronization
import TerminalKit

/// Exit statuses, after sysexits(3).
enum ExitStatus: Int32 {
  case done = 0
  case failed = 1
  case usage = 64
  case invalidData = 65
  case unavailable = 69
  case cannotCreate = 73
  case cannotWrite = 74
  case noPermission = 77
  case badConfiguration = 78

  var error: ExitCode { ExitCode(rawValue) }

  /// Prints the reason on stderr.
  func error(saying text: String) -> ExitCode {
    Report.message(text)
    return error
  }
}

/// The output of commands: results on stdout (`Answers`), everything else on stderr. A failed write to stderr is
/// ignored.
enum Report {
  /// Prints a line of text on stdout, without control characters, and without passwords and keys in addresses.
  static func line(_ text: String) { Answers.write(clean(text) + "\n") }

  /// Prints JSON on stdout, without passwords and keys in addresses.
  /// - Parameter secrets: whether they are printed nevertheless.
  /// - Parameter hasAllKeys: absent values are null.
  static func json(
    _ value: some Encodable, _ secrets: JSONFormat.Secrets = .hidden, hasAllKeys: Bool = false
  ) throws {
    try JSONFormat(isPretty: true, hasAllKeys: hasAllKeys, secrets: secrets).write(value) { Answers.write($0) }
    Answers.write("\n")
  }

  static func raw(_ data: Data) { data.withUnsafeBytes { Answers.write($0) } }

  static func message(_ text: String) { writeToStderr("earshot: " + clean(text) + "\n") }

  /// Prints a further line of a message, with its spaces.
  static func detail(_ text: String) { writeToStderr(clean(text) + "\n") }

  private static func clean(_ text: String) -> String { Sanitize.line(Redaction.text(text)) }

  /// Prints the usage text of the command line, which may quote arguments. Each of its lines is cleaned.
  static func usage(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { detail(String(line)) }
  }

  /// Asks the listener.
  /// - Parameter question: nil: it has been asked already.
  /// - Returns: nil if nobody can answer, because stdin is no terminal.
  static func confirms(_ question: String? = nil) -> Bool? {
    guard isatty(STDIN_FILENO) == 1 else { return nil }
    message([question, "y/n?"].compactMap { $0 }.joined(separator: " "))
    return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
  }

  // MARK: Progress line

  /// Whether the progress line is visible: stderr is a terminal.
  static var isWatched: Bool { isatty(messages) == 1 }

  /// The stderr that the program was started with.
  private static var messages: Int32 { diversion.withLock { $0?.messages } ?? STDERR_FILENO }
  private static let diversion = Mutex<OutputDiversion?>(nil)

  /// Writes to a file what libraries print on stderr, such as libpipewire, until the program ends.
  /// - Parameter path: the file.
  static func divertLibraries(to path: String) {
    diversion.withLock { $0 = $0 ?? (try? OutputDiversion(to: path, [STDERR_FILENO])) }
  }

  /// Replaces the progress line, if stderr is a terminal. An empty text removes it. `text` must not contain control
  /// characters.
  static func progress(_ text: String) {
    if isWatched { replaceLine(with: progressLine(text, columns: columns)) }
  }

  /// Shows a question instead of the progress line. The answer is typed behind it.
  static func question(_ text: String) { replaceLine(with: Sanitize.line(text)) }

  private static func replaceLine(with text: String) { writeToStderr("\r\u{1B}[K" + text) }

  /// Cuts a text, so that it fits one line. A longer text would wrap, and only its last row would be replaced. The last
  /// column stays free, because some terminals wrap after it.
  static func progressLine(_ text: String, columns: Int) -> String {
    Clusters.shortened(text, columns: max(1, columns - 1))
  }

  /// The width of the terminal.
  static var columns: Int { columns(of: messages) }

  static func columns(of descriptor: Int32) -> Int {
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// Prints an error on stderr.
  /// - Returns: the exit status.
  static func failure(_ error: any Error) -> ExitStatus {
    if case .configuration(let problems) = error as? SetupError {
      for problem in problems { message(problem.description) }
    } else {
      message(String(describing: error))
    }
    return status(of: error)
  }

  static func status(of error: any Error) -> ExitStatus {
    switch error {
    case let error as FeedError: error.isConnectivity ? .unavailable : .invalidData
    case let error as StoreError: status(of: error)
    case let failure as OutputFailure: failure.status
    case let failure as Refresher.AddFailure:
      switch failure {
      case .feed(let error, _): status(of: error)
      case .store(let error, _): status(of: error)
      case .directory: .unavailable
      case .ambiguous, .noFeed: .invalidData
      }
    case let error as SetupError:
      switch error {
      case .cannotCreate: .cannotCreate
      case .configuration: .badConfiguration
      }
    case let error as SyncError: status(of: error)
    case let failure as ImportError:
      switch failure {
      case .unreadable: .usage
      case .unknown, .damaged, .busy: .invalidData
      case .noCopy: .cannotWrite
      }
    case let error as ClipExportError:
      switch error {
      case .source: .unavailable
      case .target: .cannotCreate
      case .unwritten: .cannotWrite
      case .format: .usage
      }
    case let error as ReportedError:
      switch error.cause {
      case .connectivity: .unavailable
      case .data: .invalidData
      case .configuration: .badConfiguration
      case .storage: .cannotWrite
      case .other: .failed
      }
    case is TerminalError: .unavailable
    default: .failed
    }
  }

  private static func status(of error: SyncError) -> ExitStatus {
    switch error {
    case .unauthorized: .noPermission
    case .unreachable, .rateLimited, .refused, .fault, .cancelled, .file: .unavailable
    case .badValue, .malformed: .invalidData
    case .cannotCreate: .cannotCreate
    case .library: .cannotWrite
    case .setup: .badConfiguration
    }
  }

  private static func status(of error: StoreError) -> ExitStatus {
    switch error {
    case .cannotOpen: .cannotCreate
    case .notALibrary, .damaged, .newer, .older, .unknown, .invalid: .invalidData
    case .readOnly, .diskFull, .cannotCopy, .busy, .interrupted, .failed, .moved: .cannotWrite
    }
  }

  private static func writeToStderr(_ text: String) {
    var text = text
    text.withUTF8 { _ = DescriptorOutput.write(UnsafeRawBufferPointer($0), to: messages) }
  }
}

/// A JSON object that is written as a literal. Members that are nil are left out, also where
/// other values are written with all keys.
struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
  private let members: [(String, (any Encodable)?)]

  init(dictionaryLiteral members: (String, (any Encodable)?)...) { self.members = members }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Name.self)
    for (name, value) in members {
      if let value { try object.encode(value, forKey: Name(stringValue: name)) }
    }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

/// A command of the command line. Its errors become exit statuses.
protocol Verb: ParsableCommand {
  /// Whether only the exit status reports an error.
  var isSilent: Bool { get }
  func perform() throws
}

extension Verb {
  var isSilent: Bool { false }

  func run() throws {
    do {
      try perform()
    } catch let code as ExitCode {
      throw code
    } catch let error as ValidationError {
      throw error
    } catch {
      throw (isSilent ? Report.status(of: error) : Report.failure(error)).error
    }
  }

  /// Checks the value of `--limit`. Nil: no limit.
  func checkLimit(_ limit: Int?) throws {
    guard limit.map({ $0 > 0 }) ?? true else { throw ValidationError("--limit must be at least 1.") }
  }
}

/// A command that needs the library first.
protocol LibraryVerb: Verb {
  /// Whether it can change something that is the listener's, not only what is fetched again when it is missing.
  var changesLibrary: Bool { get }
  func perform(_ context: VerbContext) throws
}

extension LibraryVerb {
  var changesLibrary: Bool { true }

  func perform() throws {
    let context = try VerbContext(isSilent: isSilent)
    let outcome = Result { try perform(context) }
    // Also after a failure, because a part may have been done.
    if changesLibrary { try context.library.checkChangesAreKept() }
    try outcome.get()
  }
}

struct JSONOption: ParsableArguments {
  @Flag(name: .long, help: "Print JSON for programs.")
  var json = false
}

/// Whether passwords and keys in addresses are printed. By default they are not, because output is copied into bug
/// reports, screens and logs.
struct SecretsOption: ParsableArguments {
  @Flag(name: .long, help: "Print the passwords and keys in addresses.")
  var secrets = false

  var choice: JSONFormat.Secrets { secrets ? .shown : .hidden }
}
