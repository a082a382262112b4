import Foundation
import HTTP
import LoopbackServer
import Model
import Programs
import Synchronization
import Testing

@testable import Services
@testable import Store
@testable import TUIApp

/// Making transcripts with fakes of recognisers and servers.
@Suite(InTurn()) struct TranscribingTests {
  private let home: TemporaryHome
  private var output: String { home.path + "/cache/transcribing/job/output" }

  init() throws { home = try TemporaryHome() }

  private static let vtt = #"printf 'WEBVTT\n\n00:00.000 --> 00:02.000\nFrom the file.\n' > "$1.vtt""#

  /// Runs a job with a script as the recogniser. `$1` is `{output}`, `$2` the sound, `$3` the title.
  private func make(
    _ script: String, title: String = "-rf {wav} $(id)",
    _ cancellation: ProgramCancellation = ProgramCancellation(),
    _ report: @escaping @Sendable (TranscribingJob.Progress) -> Void = { _ in }
  ) async throws -> Transcript {
    let command = ["/bin/sh", "-c", script, "fake", "{output}", "{audio}", "{title}", "{language}"]
    return try await run(preferences(command), title: title, cancellation, report)
  }

  private func preferences(_ command: [String]) throws -> TranscribingPreferences {
    var preferences = TranscribingPreferences()
    preferences.command = try TranscribingCommand(command, home: home.path, path: nil)
    return preferences
  }

  private func run(
    _ preferences: TranscribingPreferences, title: String = "Title", source: String = "", file: String? = nil,
    _ cancellation: ProgramCancellation = ProgramCancellation(),
    _ report: @escaping @Sendable (TranscribingJob.Progress) -> Void = { _ in }
  ) async throws -> Transcript {
    var job = TranscribingJob(
      preferences: preferences, executable: try BuiltProgram.path(), environment: home.environment,
      userAgent: "test", log: LogFile.logger(home.directories))
    // An idle program gets no processor for minutes while other tests need all of them.
    job.isIdle = false
    let sound = try file ?? home.file("sound.mp3", [1, 2, 3])
    let subject = TranscribingJob.Subject(
      title: title, podcast: "Podcast", language: "de-AT", file: source.isEmpty ? sound : nil, source: source)
    let cache = home.path + "/cache"
    return try await withCheckedThrowingContinuation { [job] continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let directory = try #require(try TranscribingDirectory(in: cache))
            return try job.run(subject, in: directory, cancellation, report: report)
          })
      }
    }
  }

  /// The reason of a failure.
  private func reason(_ script: String, sourceLocation: SourceLocation = #_sourceLocation) async -> String {
    do {
      _ = try await make(script)
      return "it did not fail"
    } catch TranscribingJob.Failure.reason(let reason) { return reason.text } catch { return "\(error)" }
  }

  // MARK: The command

  @Test func fileIsRead() async throws {
    let transcript = try await make(Self.vtt)
    #expect(transcript.lines.map(\.text) == ["From the file."])
    #expect(transcript.origin?.kind == .made && transcript.origin?.name == "sh")
    #expect(FileManager.default.fileExists(atPath: home.path + "/cache/transcribing/job") == false)
  }

  @Test func argumentsAreOneWordEach() async throws {
    let transcript = try await make(
      #"test "$(cat "$2" | wc -c)" -eq 3 && echo "[00:00:00.000 --> 00:00:01.000] $# $3 $4""#)
    // A title is never an option, and placeholders in it are not replaced.
    #expect(transcript.lines.map(\.text) == ["4 -rf {wav} $(id) de"])
  }

  @Test func passwordsAreNotPassedOn() async throws {
    #expect(home.environment["EARSHOT_AO"] != nil)
    let transcript = try await make(#"echo "[00:00:00.000 --> 00:00:01.000] ${EARSHOT_AO:-none} ${HOME:+home}""#)
    #expect(transcript.lines.map(\.text) == ["none home"])
  }

  @Test func linesAreShownWhileItWorks() async throws {
    let seen = Mutex<[Int]>([])
    let script = """
      for i in 1 2 3; do echo "[00:00:0$i.000 --> 00:00:0$i.500] line $i"; done
      """
    let transcript = try await make(script) { progress in
      if case .lines(let lines, _) = progress { seen.withLock { $0.append(lines.count) } }
    }
    #expect(transcript.lines.count == 3)
    #expect(seen.withLock { $0 } == [0, 1, 2, 3])
  }

  @Test(arguments: [
    ("echo garbage", "neither"), ("true", "neither"), ("echo 'out of memory' >&2; exit 1", "status 1: out of memory"),
    ("kill -9 $$", "signal 9"), (": > \"$1.vtt\"", "output.vtt is refused: it is empty"),
    ("ln -s /etc/passwd \"$1.vtt\"", "it is not a file"), ("mkfifo \"$1.srt\"", "it is not a file"),
    ("head -c 20000001 /dev/zero > \"$1.json\"", "more than 20 MB"),
    (#"printf 'WEBVTT\n\n00:50.000 --> 00:51.000\na\n\n00:10.000 --> 00:11.000\nb\n' > "$1.vtt""#, "backwards"),
    (#"printf '{' > "$1.json""#, "not a transcript"),
    (#"echo '[00:00:50.000 --> 00:00:51.000] a'; echo '[00:00:01.000 --> 00:00:02.000] b'"#, "backwards"),
  ]) func badResultIsRefused(script: String, reason: String) async throws {
    let text = await self.reason(script)
    #expect(text.contains(reason), "\(text)")
    #expect(FileManager.default.fileExists(atPath: home.path + "/cache/transcribing/job") == false)
  }

  /// It is stopped when it has written more than 20 MB, and need not fill the disk first.
  @Test func hugeResultIsStoppedEarly() async throws {
    let text = await reason(#"head -c 30000000 /dev/zero > "$1.vtt"; sleep 1000"#)
    #expect(text.contains("more than 20 MB"), "\(text)")
  }

  @Test func hangingProgramIsCancelledWithItsChild() async throws {
    let cancellation = ProgramCancellation()
    let ids = home.path + "/ids"
    let script = "sleep 1000 & echo $! > \(ids); echo '[00:00:00.000 --> 00:00:01.000] begun'; sleep 1000"
    await #expect(throws: TranscribingJob.Failure.cancelled) {
      try await make(script, cancellation) { progress in
        if case .lines(let lines, _) = progress, !lines.isEmpty { cancellation.cancel() }
      }
    }
    let id = try #require(
      pid_t(try String(contentsOfFile: ids, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(try await Eventually.until { Self.isGone(id) })
  }

  /// A program may print for hours without an end.
  @Test func endlessOutputIsStopped() async throws {
    let text = await reason(
      #"exec yes "[00:00:01.000 --> 00:00:02.000] $(head -c 9000 /dev/zero | tr '\0' a)""#)
    #expect(text.contains("writes more than 20000000 bytes"), "\(text)")
  }

  /// The reason names no file of Earshot, and an unreadable last line is none.
  @Test(arguments: [
    (#"printf 'first\n\0\0\0\n' >&2; exit 1"#, "sh failed: exit status 1: first."),
    (
      "echo '/x/job: 3: exec: /bin/whisper: Permission denied' >&2; exit 126",
      "sh failed: exit status 126: /bin/whisper: Permission denied."
    ),
  ]) func reasonIsReadable(script: String, reason: String) async {
    #expect(await self.reason(script) == reason)
  }

  /// A program that reads the episode's own file gets no WAVE file, but the length of the sound is known.
  @Test func lengthOfAFileIsKnown() async throws {
    let script = #"echo "[00:00:01.000 --> 00:00:09.000] $(ls)."; cat "$1" > /dev/null || exit 3"#
    let sound = try home.file("tone.wav", TestWave.seconds(5))
    let found = try await run(preferences(["/bin/sh", "-c", script, "fake", "{audio}"]), file: sound)
    #expect(abs((found.origin?.duration ?? 0) - 5) < 0.1)
    #expect(found.lines.map(\.text) == ["."] && found.lines[0].end == found.origin?.duration)
    let beyond = try preferences(["/bin/echo", "[00:00:09.000 --> 00:00:10.000] beyond {audio}"])
    await #expect(throws: TranscribingJob.Failure.self) { try await run(beyond, file: sound) }
  }

  private static func isGone(_ id: pid_t) -> Bool {
    let status = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
    return kill(id, 0) != 0 || status?.contains(") Z ") == true
  }

  @Test func oneJobAtATime() throws {
    let first = try TranscribingDirectory(in: home.path + "/cache")
    #expect(first != nil)
    #expect(try TranscribingDirectory(in: home.path + "/cache") == nil)
  }

  @Test func soundIsConverted() async throws {
    let script = #"echo "[00:00:00.000 --> 00:00:01.000] $(od -An -tu2 -j20 -N6 "$1" | tr -s ' ')""#
    let wave = try home.file("tone.wav", TestWave.seconds(2))
    let transcript = try await run(preferences(["/bin/sh", "-c", script, "fake", "{wav}"]), source: wave)
    // Plain PCM, one channel, 16,000 samples a second (the lower word).
    #expect(transcript.lines.map(\.text) == ["1 1 16000"])
    #expect(abs((transcript.origin?.duration ?? 0) - 2) < 0.1)
  }

  @Test func soundThatCannotBeReadIsAFailure() async throws {
    let preferences = try preferences(["/bin/cat", "{wav}"])
    let file = try home.file("broken.mp3", Array("not sound".utf8))
    await #expect(throws: TranscribingJob.Failure.self) { try await run(preferences, source: file) }
  }

  @Test func rightWordsAreCounted() {
    func transcript(_ text: String) -> Transcript { Transcript(lines: [Transcript.Line(start: 0, text: text)]) }
    let truth = transcript("One two, three four.")
    #expect(WordComparison.share(of: transcript("one TWO three four"), rightBy: truth) == 1)
    #expect(WordComparison.share(of: transcript("one too three four"), rightBy: truth) == 0.75)
    #expect(WordComparison.share(of: transcript("two three four"), rightBy: truth) == 0.75)
    #expect(WordComparison.share(of: transcript("one one two three four"), rightBy: truth) == 0.75)
    #expect(WordComparison.share(of: transcript(""), rightBy: truth) == 0)
  }

  /// A real recogniser with a small model: poor words, but true times.
  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/pocketsphinx_continuous"), "needs pocketsphinx")
  )
  func pocketSphinxIsRead() async throws {
    let preferences = try preferences([SourceTree.root + "/scripts/pocketsphinx-lines", "{wav}"])
    let sound = try #require(Resources(executable: try BuiltProgram.path()).file(of: "earshot:welcome/3-library.opus"))
    let transcript = try await run(preferences, source: sound)
    let length = try #require(transcript.origin?.duration)
    #expect(transcript.lines.count > 3)
    #expect(transcript.lines.allSatisfy { line in line.start.map { $0 < length } == true })
  }

  /// A library with one episode, whose file is on this machine.
  private func transcriber(
    _ script: String, _ change: (inout TranscribingPreferences) throws -> Void = { _ in }
  ) throws -> (Transcriber, Library, EpisodeID) {
    var preferences = try preferences(["/bin/sh", "-c", script, "fake", "{output}", "{audio}"])
    try change(&preferences)
    let library = try Library(path: home.path + "/l.db")
    var feed = Feed()
    var episode = FeedEpisode()
    (episode.guid, episode.mediaURL) = ("1", "https://example.com/1.mp3")
    feed.episodes = [episode]
    let podcast = try library.subscribe(feed: feed, feedURL: "https://example.com/feed", now: Date())
    let id = try #require(try library.episodeIDs(EpisodeQuery(.podcast(podcast))).first)
    let sound = try home.file("sound.mp3", [1, 2, 3])
    let transcriber = Transcriber(
      library: library,
      job: TranscribingJob(
        preferences: preferences, executable: "", environment: home.environment, userAgent: "test",
        log: LogFile.logger(home.directories)),
      cache: home.path + "/cache", file: { _ in sound }, isOnBattery: { false }, report: { _ in })
    return (transcriber, library, id)
  }

  /// At the end of the player nothing is left of a job, not even of a program that does not end by itself.
  @Test func endOfThePlayerLeavesNoFiles() async throws {
    let ids = home.path + "/ids"
    let (transcriber, library, id) = try transcriber(
      "trap '' TERM; : > \"$1.wav\"; echo $$ > \(ids).new; mv \(ids).new \(ids); while :; do sleep 1000; done")
    try library.addToTranscribing([id])
    transcriber.start()
    #expect(try await Eventually.until { FileManager.default.fileExists(atPath: ids) })
    transcriber.stop()
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        transcriber.finish()
        done.resume()
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path + "/cache/transcribing") == ["lock"])
    #expect(try library.transcribingList().map(\.failure) == [nil])
  }

  @Test(arguments: [("not played", 1), ("played", 0)])
  func finishedDownloadIsOfferedToTheFilter(filter: String, count: Int) throws {
    let (transcriber, library, id) = try transcriber("exit 1") { $0.automatic = try EpisodeFilter(parsing: filter) }
    let writes = DispatchQueue(label: "writes")
    transcriber.notice(.delayed(id, message: "no answer"), on: writes)
    writes.sync {}
    #expect(try library.transcribingList().isEmpty)
    transcriber.notice(.finished(id, title: "T", bytes: 3), on: writes)
    writes.sync {}
    #expect(try library.transcribingList().count == count)
  }

  @Test func failedDownloadIsNotTriedAgainByItself() throws {
    let (transcriber, library, id) = try transcriber("exit 1") {
      $0.automatic = try EpisodeFilter(parsing: "not played")
    }
    try transcriber.addDownload(id)
    #expect(try library.transcribingList().count == 1)
    try library.failTranscribing(id, "why")
    try transcriber.addDownload(id)
    #expect(try library.transcribingList().map(\.failure) == ["why"])
  }

  /// Hours of work are not repeated because another process writes to the library.
  @Test func transcriptThatCannotBeSavedIsSavedLater() async throws {
    let (transcriber, library, id) = try transcriber("echo run >> \(home.path)/runs; \(Self.vtt)")
    let other = try Library(path: home.path + "/l.db")
    try library.addToTranscribing([id])
    let steps: [Transcriber.Step] = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let (isLocked, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
          try? other.write { _ in
            isLocked.signal()
            mayEnd.wait()
          }
        }
        isLocked.wait()
        let first = transcriber.step()
        mayEnd.signal()
        continuation.resume(returning: [first, transcriber.step()])
      }
    }
    #expect(steps == [.mustWait, .worked])
    #expect(try library.madeTranscript(id)?.lines.map(\.text) == ["From the file."])
    #expect(try String(contentsOfFile: home.path + "/runs", encoding: .utf8) == "run\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path + "/cache/transcribing") == ["lock"])
  }

  // MARK: The server

  private func ask(
    _ server: LoopbackServer, key: String? = nil, _ cancellation: ProgramCancellation = ProgramCancellation()
  ) async throws -> Transcript {
    let file = try home.file("sound.wav", [UInt8](repeating: 7, count: 200_000))
    let call = TranscribingServer(url: server.url("/v1/audio/transcriptions"), model: "small", key: key, userAgent: "t")
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            try call.transcribe(file, language: "de", duration: 100, timeLimit: 600, cancellation)
          })
      }
    }
  }

  @Test func serverGetsAForm() async throws {
    let server = try LoopbackServer()
    server.route(
      "/v1/audio/transcriptions",
      .text(#"{"text":"x","segments":[{"start":0,"end":2,"text":" Hello."}]}"#, type: "application/json"))
    let transcript = try await ask(server, key: "secret")
    #expect(transcript.lines == [Transcript.Line(start: 0, end: 2, text: "Hello.")])
    let request = try #require(server.requests.first)
    #expect(request.method == "POST" && request.header("Authorization") == "Bearer secret")
    #expect(request.header("Content-Type")?.hasPrefix("multipart/form-data; boundary=") == true)
    let body = String(decoding: request.body, as: UTF8.self)
    for part in ["name=\"file\"; filename=\"sound.wav\"", "verbose_json", "small", "name=\"language\"\r\n\r\nde"] {
      #expect(body.contains(part), "\(part)")
    }
    #expect(request.body.count > 200_000)
  }

  @Test(arguments: [
    (LoopbackServer.Response.status(401), "refuses the key (401)"), (.status(413), "413"),
    (.status(429), "no requests"),
    (.status(500), "status 500"), (.text("<html>Log in</html>", type: "text/html"), "not a transcript"),
    (.text(#"{"text":"no times"}"#), "not a transcript"),
    (.redirect(307, to: "http://example.org/"), "redirects (307)"),
    (LoopbackServer.Response.text(#"{"segments":[]}"#).cut(afterBytes: 5), "broke"),
  ]) func badAnswerIsRefused(response: LoopbackServer.Response, reason: String) async throws {
    let server = try LoopbackServer()
    server.route("/v1/audio/transcriptions", response)
    let error = await #expect(throws: ReportedError.self) { try await ask(server) }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    #expect(server.requests.count == 1, "nothing is sent twice")
  }

  @Test(arguments: [
    (307, ReportedError.Cause.configuration), (401, .configuration), (403, .configuration), (400, .data), (413, .data),
    (408, .connectivity), (429, .connectivity), (500, .connectivity),
  ]) func causeOfARefusalIsKnown(status: Int, cause: ReportedError.Cause) async throws {
    let server = try LoopbackServer()
    server.route("/v1/audio/transcriptions", .status(status, headers: [("Location", "http://example.org/")]))
    let error = await #expect(throws: ReportedError.self) { try await ask(server) }
    #expect(error?.cause == cause, "\(error?.description ?? "")")
  }

  @Test func slowServerIsCancelled() async throws {
    let server = try LoopbackServer()
    let cancellation = ProgramCancellation()
    server.route("/v1/audio/transcriptions") { _ in
      cancellation.cancel()
      return .never
    }
    await #expect(throws: ReportedError.self) { try await ask(server, cancellation) }
  }

  // MARK: Settings

  @Test(arguments: [
    (#"command = "/bin/cat {wav} {size}""#, "[transcribe] command: there is no {size}"),
    (#"url = "http://""#, "[transcribe] url: names no server"),
    (#"command = "/bin/cat""#, "must contain {wav} or {audio}"), (#"command = """#, "names no program"),
    (#"command = "/bin/cat {wav} | tee x""#, "no shell runs it"), (#"command = 5"#, "must be a text"),
    (#"url = "ftp://x""#, "[transcribe] url: must begin"), (#"auto = "nonsense =""#, "[transcribe] auto:"),
  ]) func badSettingIsNamed(line: String, problem: String) {
    let configuration = Configuration(text: "[transcribe]\n" + line)
    #expect(configuration.problems.count == 1)
    #expect(configuration.problems.first?.description.contains(problem) == true, "\(configuration.problems)")
  }

  /// It may be on a disk that is not mounted, or outside the PATH of a timer: everything else works.
  @Test(arguments: [
    ("no-such-recogniser {wav}", "there is no program “no-such-recogniser”"),
    ("/etc/passwd {wav}", "“/etc/passwd” is no program: it cannot be executed"),
  ]) func missingProgramIsNamedWhenItIsNeeded(command: String, problem: String) {
    let configuration = Configuration(text: "[transcribe]\ncommand = \"\(command)\"")
    #expect(configuration.problems.isEmpty)
    #expect(throws: ReportedError(problem)) {
      try configuration.transcribing.command?.located()
    }
  }

  @Test func commandIsATextOrAList() {
    var configuration = Configuration(text: "[transcribe]\ncommand = [\"/bin/cat\", \"a b\", \"{wav}\"]")
    #expect(configuration.transcribing.command?.resolved { "{\($0.rawValue)}" } == ["/bin/cat", "a b", "{wav}"])
    configuration.read("[transcribe]\ncommand = \"/bin/cat 'a b' {wav}\"", file: "config.toml")
    #expect(configuration.transcribing.command?.resolved { "{\($0.rawValue)}" } == ["/bin/cat", "a b", "{wav}"])
    #expect(configuration.problems.isEmpty)
  }

  @Test(
    arguments: [
      ([:], false), (["BAT0/type": "Battery", "BAT0/status": "Discharging"], true),
      (["BAT0/type": "Battery", "BAT0/status": "Charging"], false),
      (["BAT0/type": "Battery", "BAT0/status": "Discharging", "AC/type": "Mains", "AC/online": "1"], false),
      (["BAT0/type": "Battery", "BAT0/status": "Discharging", "AC/type": "Mains", "AC/online": "0"], true),
      (["mouse/type": "Battery", "mouse/status": "Discharging", "mouse/scope": "Device"], false),
    ] as [([String: String], Bool)]) func batteryIsRecognised(files: [String: String], isBattery: Bool) throws
  {
    let directory = home.path + "/power"
    for (name, text) in files {
      let file = "\(directory)/\(name)"
      try FileManager.default.createDirectory(
        atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try (text + "\n").write(toFile: file, atomically: true, encoding: .utf8)
    }
    #expect(PowerSupply.isBattery(directory) == isBattery)
  }

  // MARK: Verbs

  /// Sets a script as the recogniser.
  private func configure(_ script: String) throws {
    let file = try home.file("fake", "#!/bin/sh\n\(script)\n".utf8)
    chmod(file, 0o700)
    try home.configure(
      "refresh_on_start = false\n[transcribe]\ncommand = \"\(file) {output} {audio} {title}\"\non_battery = true\n")
  }

  @Test func transcriptIsMadeShownAndRemoved() async throws {
    try configure("echo \"[00:00:00.000 --> 00:00:01.500] made of $3\"")
    let made = try await BuiltProgram.run(["transcript", "2", "--make", "--format", "srt"], in: home)
    #expect(made.status == 0, "\(made.stderr)")
    let title = try home.library { try $0.episode(EpisodeID(2))?.row.title ?? "" }
    #expect(made.text.hasPrefix("1\n00:00:00,000 --> 00:00:01,500\nmade of \(title)\n"))
    #expect(made.stderr.contains("made here") && made.stderr.contains("fake"))
    // The publisher's comes first.
    let shown = try await BuiltProgram.run(["transcript", "2"], in: home)
    #expect(!shown.text.contains("made of"))
    #expect(try home.library { try $0.madeTranscript(EpisodeID(2))?.lines.count } == 1)
    let removed = try await BuiltProgram.run(["transcript", "2", "--remove", "--json"], in: home)
    #expect(try removed.object()["removed"] as? Bool == true)
    #expect(try home.library { try $0.madeTranscript(EpisodeID(2)) } == nil)
  }

  @Test func fileIsImported() async throws {
    let file = try home.file("my.srt", "1\n00:00:01,000 --> 00:00:02,000\nMine.\n".utf8)
    #expect(try await BuiltProgram.run(["transcript", "2", "--import", file], in: home).status == 0)
    let stored = try home.library { try $0.madeTranscript(EpisodeID(2)) }
    #expect(stored?.lines.map(\.text) == ["Mine."] && stored?.origin?.kind == .imported)
    #expect(stored?.origin?.name == "my.srt")
    let bad = try home.file("bad.vtt", "nothing".utf8)
    let refused = try await BuiltProgram.run(["transcript", "2", "--import", bad], in: home)
    #expect(refused.status == 65 && refused.stderr.contains("no text"))
    let twoFormats = try await BuiltProgram.run(["transcript", "2", "--format", "vtt", "--json"], in: home)
    #expect(twoFormats.status == 64 && twoFormats.stderr.contains("--json and --format vtt exclude each other"))
  }

  @Test func doctorRunsTheCommand() async throws {
    try configure("echo '[00:00:00.000 --> 00:00:02.000] Welcome to Earshot'")
    let outcome = try await BuiltProgram.run(["doctor", "--json"], in: home)
    let check = try #require(try outcome.objects().first { $0["name"] as? String == "transcripts" })
    #expect(check["verdict"] as? String == "warning")
    let detail = try #require(check["detail"] as? String)
    #expect(detail.contains("% of the words right") && detail.contains("× as fast") && detail.contains("MB of memory"))
    try configure("exit 4")
    let broken = try await BuiltProgram.run(["doctor"], in: home)
    #expect(broken.text.contains("failed: exit status 4"))
  }

  /// Also SIGTERM and a closed terminal leave no files, and the list is again as it was.
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP], [nil, "broken"])
  func stoppedCommandCleansUp(signal: Int32, failure: String?) async throws {
    let ids = home.path + "/ids"
    try configure("echo $$ > \(ids).new; mv \(ids).new \(ids); sleep 1000")
    try await BuiltProgram.run(["list"], in: home).expectSuccess()
    if let failure {
      try home.library { library in
        try library.addToTranscribing([EpisodeID(2)])
        try library.failTranscribing(EpisodeID(2), failure)
      }
    }
    let child = try ChildProcess(
      BuiltProgram.path(), ["transcript", "2", "--make"], environment: home.environment, input: "/dev/null",
      output: home.path + "/out", errors: home.path + "/err")
    #expect(try await Eventually.until { FileManager.default.fileExists(atPath: ids) })
    kill(child.id, signal)
    #expect(try await child.status() == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path + "/cache/earshot/transcribing") == ["lock"])
    #expect(try home.library { try $0.transcribingList() }.map(\.failure) == (failure == nil ? [] : [failure]))
    let errors = try String(contentsOfFile: home.path + "/err", encoding: .utf8)
    #expect(errors.contains("it was stopped") && !errors.contains("\u{1B}"), "\(errors)")
  }

  @Test func failureIsSaidOnce() async throws {
    try configure("echo broken >&2; exit 3")
    let outcome = try await BuiltProgram.run(["transcript", "2", "--make"], in: home)
    #expect(outcome.status == 1)
    #expect(outcome.stderr.split(separator: "broken").count == 2, "\(outcome.stderr)")
  }

  /// The status tells a script whether another try may help.
  @Test(arguments: [
    (#"command = "/no/such/program {wav}""#, 78), (#"url = "http://127.0.0.1:1/""#, 69),
    (#"command = ["/bin/sh", "-c", "echo '[00:59:00.000 --> 00:59:01.000] a'", "sh", "{audio}"]"#, 65),
    (#"command = ["/bin/sh", "-c", "exit 3", "sh", "{audio}"]"#, 1),
  ]) func failureHasItsStatus(setting: String, status: Int) async throws {
    try home.configure("refresh_on_start = false\n[transcribe]\n\(setting)\non_battery = true\n")
    let one = try await BuiltProgram.run(["transcript", "2", "--make"], in: home)
    #expect(Int(one.status) == status, "\(one.stderr)")
    _ = try home.library { try $0.addToTranscribing([EpisodeID(2)]) }
    let all = try await BuiltProgram.run(["transcribe"], in: home)
    #expect(Int(all.status) == status, "\(all.stderr)")
  }

  /// Another try would not help.
  @Test func fileWithoutSoundIsBadData() async throws {
    let file = try home.file("noise.mp3", "no sound".utf8)
    let outcome = try await BuiltProgram.run(["speech-sound", file, home.path + "/sound.wav"], in: home)
    #expect(outcome.status == 65 && outcome.stderr.contains("cannot be read"), "\(outcome.status) \(outcome.stderr)")
  }

  @Test func withoutASettingItSaysWhatIsMissing() async throws {
    let outcome = try await BuiltProgram.run(["transcribe"], in: home)
    #expect(outcome.status == 78 && outcome.stderr.contains("[transcribe]"), "\(outcome.stderr)")
  }

  @Test func filterAddsEpisodesAndFailuresAreNotTriedAgain() async throws {
    try configure("echo broken >&2; exit 3")
    // The episodes of the welcome podcast have transcripts, which are taken away here.
    try await BuiltProgram.run(["list"], in: home).expectSuccess()
    let count = try home.library { library in
      try library.episodeIDs(EpisodeQuery(.matching(try EpisodeFilter(parsing: "not has:transcript and has:media"))))
        .count
    }
    let outcome = try await BuiltProgram.run(["transcribe", "not played", "--json"], in: home)
    #expect(outcome.status == (count > 0 ? 1 : 0))
    #expect(try outcome.objects().count == count)
    let list = try home.library { try $0.transcribingList() }
    #expect(list.allSatisfy { $0.failure?.contains("status 3: broken") == true })
    let again = try await BuiltProgram.run(["transcribe", "not played", "--json"], in: home)
    #expect(try again.objects().isEmpty)
  }

  /// After `kill -9` neither the recogniser nor its files are left.
  @Test func killedEarshotLeavesNothing() async throws {
    let ids = home.path + "/ids"
    try configure("sleep 1000 & echo $! $$ > \(ids).new; mv \(ids).new \(ids); sleep 1000")
    let child = try ChildProcess(
      BuiltProgram.path(), ["transcript", "2", "--make"], environment: home.environment, input: "/dev/null",
      output: home.path + "/out", errors: home.path + "/err")
    #expect(try await Eventually.until { FileManager.default.fileExists(atPath: ids) })
    kill(child.id, SIGKILL)
    #expect(try await child.status() == -SIGKILL)
    for id in try String(contentsOfFile: ids, encoding: .utf8).split(whereSeparator: \.isWhitespace) {
      let id = try #require(pid_t(id))
      #expect(try await Eventually.until { Self.isGone(id) })
    }
    let cache = home.path + "/cache/earshot"
    #expect(FileManager.default.fileExists(atPath: cache + "/transcribing/job"))
    #expect(
      try await Eventually.until {
        TranscribingDirectory.deleteLeftovers(in: cache)
        return !FileManager.default.fileExists(atPath: cache + "/transcribing/job")
      })
    #expect(try home.library { try $0.transcribingList().count } == 1, "it stays in the list")
  }

  /// They go although nothing is left to do.
  @Test func nextCommandDeletesTheFilesOfAKilledOne() async throws {
    try configure("exit 1")
    let job = home.path + "/cache/earshot/transcribing/job"
    try FileManager.default.createDirectory(atPath: job, withIntermediateDirectories: true)
    try await BuiltProgram.run(["transcribe"], in: home).expectSuccess()
    #expect(!FileManager.default.fileExists(atPath: job))
  }
}

extension BuiltProgram.Outcome {
  fileprivate func expectSuccess() { #expect(status == 0, "\(stderr)") }
}

/// A WAVE file of silence with two channels of 8,000 samples a second.
private enum TestWave {
  static func seconds(_ seconds: Int) -> [UInt8] {
    func word(_ value: Int, _ bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(value >> (8 * $0) & 0xFF) } }
    let size = seconds * 8000 * 4
    var bytes = Array("RIFF".utf8) + word(36 + size, 4)
    bytes += Array("WAVEfmt ".utf8) + word(16, 4) + word(1, 2) + word(2, 2)
    bytes += word(8000, 4) + word(32_000, 4) + word(4, 2) + word(16, 2)
    bytes += Array("data".utf8) + word(size, 4)
    return bytes + [UInt8](repeating: 0, count: size)
  }
}
