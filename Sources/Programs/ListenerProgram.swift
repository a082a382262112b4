import Foundation
import LoopbackSocket

/// A program that the listener named in the configuration, such as a recogniser of speech. It runs without a shell
/// between its arguments and the system, in a process group of its own.
///
/// Nothing of it outlives Earshot, also after `kill -9`: see `ProgramProcess`. Only a child that leaves the process
/// group on purpose (setsid(1)) goes on.
package struct ListenerProgram: Sendable {
  package enum Stream: Sendable { case output, errors }

  package enum Ending: Equatable, Sendable {
    /// The exit status. 0: success.
    case exited(Int32)
    /// The number of the signal that ended it.
    case signalled(Int32)
    case timedOut
    case cancelled
    /// `check` has stopped it, for this reason.
    case stopped(String)

    /// Why the program failed, such as "exit status 1". Nil: it did not.
    package var reason: String? {
      switch self {
      case .exited(0): nil
      case .exited(let status): "exit status \(status)"
      case .signalled(let number): "signal \(number) ended it"
      case .timedOut: "it took too long and was ended"
      case .cancelled: "it was cancelled"
      case .stopped(let reason): "it was stopped: \(reason)"
      }
    }
  }

  package struct Outcome: Sendable {
    package var ending: Ending
    /// The beginning of its output, up to `outputLimit`.
    package var output: Data
    /// The end of what it wrote to standard error, up to `outputLimit`.
    package var errors: Data
    /// The most memory that the program had at a time, or one of its children that it waited for.
    package var peakBytes: Int

    /// The last line of `errors` with text in it, which usually tells why a program failed. It is cut and not cleaned.
    package var lastError: String {
      let lines = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline)
      let last = lines.last { $0.unicodeScalars.contains { $0.value > 0x20 && $0.value != 0x7F } }
      let line = (last ?? "").prefix(500)
      // Earshot itself, or the shell that starts the program, such as "/directory: 3: exec: /bin/program: not found".
      let name = line.prefixMatch(of: /earshot:\s|.*: (?:line )?\d+: exec:\s/)
      return String(name.map { line[$0.range.upperBound...] } ?? line)
    }

    /// Why the program failed, with its last line. Nil: it did not.
    package var reason: String? { ending.reason.map { $0 + (lastError.isEmpty ? "" : ": " + lastError) } }
  }

  package struct Failure: Error, Equatable, CustomStringConvertible {
    package let description: String
  }

  /// The path of the executable, then its arguments. See `locate`.
  package var words: [String]
  package var environment: [String: String]
  /// The working directory. Nil: that of Earshot.
  package var directory: String?
  /// What the program can read from its standard input. The process must ignore SIGPIPE, as Earshot does, because the
  /// program may end without reading it.
  package var input = Data()
  /// Runs it only when the processor and the disk have nothing else to do: nice 19, and on Linux the class SCHED_IDLE,
  /// from which the kernel derives the class of its disk accesses (ioprio_set(2)).
  package var isIdle = false
  /// Seconds until it is ended.
  package var timeLimit = Double.infinity
  /// Seconds between SIGTERM and SIGKILL when it is ended.
  package var grace = 3.0
  /// How many bytes of each output are kept. The rest is read and dropped.
  package var outputLimit = 1_000_000
  /// Whether more output than that ends it.
  package var endsAtLimit = false

  package init(_ words: [String], environment: [String: String]) {
    self.words = words
    self.environment = environment
  }

  /// What a program of the listener gets of the environment of Earshot: no passwords and keys (`EARSHOT_…`).
  package static func environment(from own: [String: String]) -> [String: String] {
    own.filter { !$0.key.hasPrefix("EARSHOT_") }
  }

  /// Finds the executable as a shell would: a name in the directories of `path`, anything with a slash as it is.
  /// - Returns: nil if there is none, or it may not be executed.
  package static func locate(_ name: String, path: String?) -> String? {
    func isProgram(_ file: String) -> Bool {
      var isDirectory: ObjCBool = false
      return FileManager.default.fileExists(atPath: file, isDirectory: &isDirectory) && !isDirectory.boolValue
        && FileManager.default.isExecutableFile(atPath: file)
    }
    guard !name.isEmpty else { return nil }
    if name.contains("/") { return isProgram(name) ? name : nil }
    return (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").lazy.map { "\($0)/\(name)" }
      .first(where: isProgram)
  }

  /// Runs the program, and blocks the thread until it has ended and nothing of its process group is left.
  /// - Parameters:
  ///   - onLine: called for each line that it writes, on this thread. Lines are cut after 16 kB and not cleaned.
  ///   - check: called about once a second. A reason ends the program.
  package func run(
    _ cancellation: ProgramCancellation = ProgramCancellation(), onLine: (Stream, String) -> Void = { _, _ in },
    check: (() -> String?)? = nil
  ) throws(Failure) -> Outcome {
    let wake: WakePipe
    do { wake = try WakePipe() } catch { throw Failure(description: "\(error)") }
    let process = try ProgramProcess(self)
    cancellation.onCancel { wake.wake() }
    defer { cancellation.onCancel(nil) }
    var pipes = ProgramPipes(process: process, input: input, limit: outputLimit)
    let end = process.end(waking: wake)
    // A program does not run while the machine sleeps.
    let clock = SuspendingClock()
    let start = clock.now
    var reason: Ending?
    var killTime: Double?
    var nextCheck = 1.0
    while !end.isOver {
      let now = (clock.now - start) / .seconds(1)
      if reason == nil {
        if cancellation.isCancelled {
          reason = .cancelled
        } else if now >= timeLimit {
          reason = .timedOut
        } else if endsAtLimit, pipes.output.isFull {
          reason = .stopped("it writes more than \(outputLimit) bytes")
        } else if let check, now >= nextCheck {
          nextCheck = now + 1
          reason = check().map(Ending.stopped)
        }
        if reason != nil {
          process.signal(SIGTERM)
          killTime = now + grace
        }
      }
      if let time = killTime, now >= time || cancellation.isUrgent {
        process.signal(SIGKILL)
        killTime = nil
      }
      let times = reason == nil ? [timeLimit, check == nil ? .infinity : nextCheck] : [killTime ?? .infinity]
      pipes.exchange(waiting: times.reduce(.infinity, min) - now, wake: wake, onLine)
    }
    process.signal(SIGKILL)
    pipes.finish(onLine)
    let (ending, peakBytes) = process.reap()
    return Outcome(
      ending: reason ?? ending, output: pipes.output.bytes, errors: pipes.errors.bytes, peakBytes: peakBytes)
  }
}
