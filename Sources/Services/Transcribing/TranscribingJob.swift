import FeedKit
import Foundation
import HTTP
import Logging
import Model
import Programs

/// Makes the transcript of one sound with the listener's program or server. It blocks its thread.
package struct TranscribingJob: Sendable {
  /// What the job is about.
  package struct Subject: Sendable {
    package var title: String
    package var podcast: String
    /// The language of the feed.
    package var language: String?
    /// A complete file on this machine. Nil: there is none.
    package var file: String?
    /// The argument of `earshot speech-sound`: the number of an episode, or a file.
    package var source: String

    package init(title: String, podcast: String, language: String? = nil, file: String? = nil, source: String) {
      self.title = title
      self.podcast = podcast
      self.language = language
      self.file = file
      self.source = source
    }
  }

  package enum Progress: Sendable {
    /// The sound is fetched and converted.
    case reading
    /// All lines so far, and the share of the sound that they cover.
    case lines([Transcript.Line], fraction: Double?)
    /// The program has ended, and had this many bytes of memory at most.
    case ended(peakBytes: Int)
  }

  package enum Failure: Error, Equatable {
    case cancelled
    case reason(ReportedError)
  }

  package var preferences: TranscribingPreferences
  /// The path of `earshot`, which reads the sound in a process of its own.
  package var executable: String
  /// That of the player. The recogniser does not get its passwords and keys.
  package var environment: [String: String]
  package var userAgent: String
  package var log: Logger
  package var clock: @Sendable () -> Date = { Date() }
  /// Its processes only get the time that no others want. False if the listener waits for it.
  package var isIdle = true

  package init(
    preferences: TranscribingPreferences, executable: String, environment: [String: String], userAgent: String,
    log: Logger
  ) {
    self.preferences = preferences
    self.executable = executable
    self.environment = environment
    self.userAgent = userAgent
    self.log = log
  }

  /// How many lines of a recogniser are written to the log.
  private static let logLimit = 500

  /// What made it, for the origin.
  private var name: String {
    if let model = preferences.model { return model }
    if let command = preferences.command { return command.name }
    return preferences.url.flatMap { try? WebAddress($0).host } ?? ""
  }

  package func run(
    _ subject: Subject, in directory: TranscribingDirectory, _ cancellation: ProgramCancellation,
    report: (Progress) -> Void
  ) throws(Failure) -> Transcript {
    do throws(ReportedError) {
      var transcript = try make(subject, in: directory.path, cancellation, report)
      transcript.origin?.name = name
      transcript.origin?.date = clock()
      return transcript
    } catch {
      throw cancellation.isCancelled ? .cancelled : .reason(error)
    }
  }

  private func make(
    _ subject: Subject, in directory: String, _ cancellation: ProgramCancellation, _ report: (Progress) -> Void
  ) throws(ReportedError) -> Transcript {
    report(.reading)
    // Programs that name the result after the file that they read then write `{output}.vtt` into their directory.
    let wav = directory + "/output.wav"
    let command: TranscribingCommand?
    do throws(ReportedError) { command = try preferences.command?.located() } catch {
      throw ReportedError("[transcribe] command: \(error).", .configuration)
    }
    let needsWAV = command.map { $0.uses(.wav) || subject.file == nil } ?? true
    var duration: Double?
    do throws(ReportedError) {
      duration = try readSound(subject.file ?? subject.source, to: wav, cancellation)
      // It was only read for its length, which headers do not always tell.
      if !needsWAV { try? FileManager.default.removeItem(atPath: wav) }
    } catch {
      // The program may know more formats.
      guard !needsWAV, !cancellation.isCancelled else { throw error }
    }
    let language = Self.language(subject.language)
    var transcript: Transcript
    if let command {
      transcript = try run(command, on: subject, wav: wav, duration: duration, directory, cancellation, report)
    } else {
      report(.lines([], fraction: nil))
      let server = try server()
      transcript = try server.transcribe(
        wav, language: language, duration: duration, timeLimit: Self.timeLimit(duration), cancellation)
    }
    transcript.origin = TranscriptOrigin(kind: .made, name: "", date: .distantPast, duration: duration)
    return transcript
  }

  /// Writes the sound as a WAVE file.
  /// - Returns: its length in seconds.
  private func readSound(
    _ source: String, to wav: String, _ cancellation: ProgramCancellation
  ) throws(ReportedError) -> Double {
    var program = ListenerProgram([executable, "speech-sound", "--", source, wav], environment: environment)
    program.isIdle = isIdle
    let outcome = try start(program, cancellation) { _, _ in }
    guard outcome.ending == .exited(0) else {
      // The statuses of a source that cannot be read (`SpeechSoundVerb`).
      let cause: ReportedError.Cause =
        switch outcome.ending {
        case .exited(69): .connectivity
        case .exited(65): .data
        default: .other
        }
      throw ReportedError(outcome.lastError.isEmpty ? "The sound cannot be read." : outcome.lastError, cause)
    }
    // 16,000 samples of two bytes a second, after a head of 44 bytes.
    var status = stat()
    guard lstat(wav, &status) == 0, status.st_size > 44 + 3200 else {
      throw ReportedError("There is no sound in the file.", .data)
    }
    return Double(status.st_size - 44) / 32_000
  }

  private func run(
    _ command: TranscribingCommand, on subject: Subject, wav: String, duration: Double?, _ directory: String,
    _ cancellation: ProgramCancellation, _ report: (Progress) -> Void
  ) throws(ReportedError) -> Transcript {
    let output = directory + "/output"
    let words = command.resolved { placeholder in
      switch placeholder {
      case .audio: subject.file ?? wav
      case .wav: wav
      case .output: output
      case .language: Self.language(subject.language) ?? "auto"
      case .title: subject.title.programArgument
      case .podcast: subject.podcast.programArgument
      }
    }
    // Python would keep its lines until a buffer is full.
    let variables = ListenerProgram.environment(from: environment).merging(["PYTHONUNBUFFERED": "1"]) { $1 }
    var program = ListenerProgram(words, environment: variables)
    program.directory = directory
    program.isIdle = isIdle
    program.timeLimit = Self.timeLimit(duration)
    program.outputLimit = RecognizedText.maxBytes
    program.endsAtLimit = true
    var printed = RecognizedLines()
    var logged = 0
    report(.lines([], fraction: nil))
    let outcome = try start(
      program, cancellation,
      onLine: { stream, line in
        logged += 1
        if logged <= Self.logLimit { log.info("\(command.name): \(UntrustedText.cleaned(line))") }
        guard stream == .output, printed.add(line) else { return }
        let reached = printed.lines.last.flatMap { $0.end ?? $0.start }
        report(.lines(printed.lines, fraction: duration.flatMap { all in reached.map { min(1, $0 / all) } }))
      },
      check: {
        TranscribingResult.problem(output)
          ?? (printed.isFull ? "its output: \(RecognizedTextError.tooManyLines.description)" : nil)
      })
    printed.finish()
    report(.ended(peakBytes: outcome.peakBytes))
    if let reason = outcome.reason {
      let isRefused = if case .stopped = outcome.ending { true } else { false }
      throw ReportedError(
        "\(command.name) failed: \(UntrustedText.cleaned(reason)).", isRefused ? .data : .other)
    }
    if let transcript = try TranscribingResult.read(output, duration: duration) { return transcript }
    guard !printed.lines.isEmpty else {
      throw ReportedError(
        "\(command.name) wrote neither {output}.vtt, .srt, .json or .tsv, nor lines with times.", .data)
    }
    do throws(RecognizedTextError) { return try RecognizedText.checked(printed.lines, duration: duration) } catch {
      throw ReportedError("The output of \(command.name) is refused: \(error.description).", .data)
    }
  }

  private func start(
    _ program: ListenerProgram, _ cancellation: ProgramCancellation,
    onLine: (ListenerProgram.Stream, String) -> Void, check: (() -> String?)? = nil
  ) throws(ReportedError) -> ListenerProgram.Outcome {
    do throws(ListenerProgram.Failure) {
      return try program.run(cancellation, onLine: onLine, check: check)
    } catch {
      throw ReportedError("\(error.description).")
    }
  }

  private func server() throws(ReportedError) -> TranscribingServer {
    var key: String?
    if let command = preferences.keyCommand {
      do throws(ReportedError) {
        key = try SecretCommand.run(command)
      } catch {
        throw ReportedError("[transcribe] key_command \(error).", .configuration)
      }
    }
    return TranscribingServer(url: preferences.url ?? "", model: preferences.model, key: key, userAgent: userAgent)
  }

  /// The first part of a BCP 47 tag. Nil if there is no such tag.
  static func language(_ tag: String?) -> String? {
    guard let part = tag?.split(whereSeparator: { $0 == "-" || $0 == "_" }).first?.lowercased(),
      part.wholeMatch(of: /[a-z]{2,3}/) != nil
    else { return nil }
    return part
  }

  /// Seconds. A slow machine takes some times the length of the sound, and an idle program waits for all others.
  static func timeLimit(_ duration: Double?) -> Double { max(3600, 40 * (duration ?? 7200)) }
}
