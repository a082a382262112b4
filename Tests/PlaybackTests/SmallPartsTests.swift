import Model
import Testing

@testable import Playback

@Suite struct SmallPartsTests {
  @Test func errorsHaveReadableTexts() {
    #expect("\(PlaybackError.brokeOff(at: 754, of: 3360))" == "the stream broke off at 12:34 of 56:00")
    #expect("\(PlaybackError.brokeOff(at: 754, of: nil))" == "the stream broke off at 12:34")
    #expect("\(PlaybackError.httpStatus(418, "I'm a teapot"))" == "the server answered 418 I'm a teapot")
  }

  @Test(arguments: [(0, "0.000"), (12.3456, "12.346"), (0.0004, "0.000"), (1_000_000, "1000000.000"), (1.05, "1.050")])
  func numbersForMpvHaveADecimalPoint(number: Double, text: String) { #expect(LoadArguments.text(number) == text) }

  @Test func positionsForMpvAreFiniteAndNotNegative() {
    #expect(PlayRequest.position(-1) == 0)
    #expect(PlayRequest.position(.nan) == 0)
    #expect(PlayRequest.position(.infinity) == 0)
    #expect(PlayRequest.position(1e300) == 1_000_000)
  }

  @Test(arguments: [
    ("HTTP error 404 Not Found", PlaybackError.httpStatus(404, "Not Found")),
    ("Failed to resolve hostname a.example: Name or service not known", .unknownHost("a.example")),
    ("Connection to tcp://127.0.0.1:1 failed: Connection refused", .unreachable("it refuses connections")),
    ("The certificate is not correct", .insecure("its certificate is not valid")),
    ("Failed to recognize file format.", .notAudio),
    ("Something new\u{1B}[31m", .other("Something new[31m")),
  ])
  func failureReasonIsReadFromTheLog(text: String, error: PlaybackError) {
    var reason = FailureReason()
    reason.read(LogLine(text))
    #expect(reason.error(code: -13, text: "loading failed") == error)
  }

  @Test func failureReasonWithoutALogIsTheErrorCode() {
    #expect(FailureReason().error(code: -14, text: "audio output initialization failed") == .noSoundDevice)
    #expect(FailureReason().error(code: -99, text: "odd") == .other("odd"))
  }

  @Test func openingIsGivenUpAfterAFewAttempts() {
    var reason = FailureReason()
    reason.read(LogLine("http: Will reconnect at 0 in 1 second(s)."))
    #expect(!reason.hasExhaustedRetries)
    reason.read(LogLine("http: Will reconnect at 0 in 3 second(s), error=Input/output error."))
    #expect(reason.hasExhaustedRetries && reason.hasStreamError)
    reason.soundStarts()
    reason.soundMoved()
    #expect(!reason.hasExhaustedRetries && !reason.hasStreamError)
  }

  /// mpv reports the start of sound also at the end of the data that it could read.
  @Test func connectionErrorsCountUntilSoundMoves() {
    let line = LogLine("http: Will reconnect at 0 in 1 second(s).")
    var reason = FailureReason()
    reason.read(line)
    reason.soundStarts()
    #expect(reason.hasStreamError)
    reason.soundMoved()
    #expect(!reason.hasStreamError)
    // An error while sound plays stays, and one between start and sound, too.
    reason.read(line)
    reason.soundMoved()
    #expect(reason.hasStreamError)
    reason.soundStarts()
    reason.read(line)
    reason.soundMoved()
    #expect(reason.hasStreamError)
  }

  private func entry(_ title: String?, _ time: MpvValue) -> MpvValue {
    .map([MpvEntry("title", title.map { .string($0) } ?? .none), MpvEntry("time", time)])
  }

  @Test func chaptersAreCleaned() {
    let list = MpvValue.array([
      entry("Two", .double(4.974943)), entry("One", .double(-0.025057)), entry(nil, .integer(9)),
      entry("Never", .double(.nan)), entry("Nonsense", .none), .string("odd"),
    ])
    #expect(
      FileChapters.read(list) == [
        Chapter(start: 0, title: "One"), Chapter(start: 5, title: "Two"), Chapter(start: 9),
      ])
    // They begin before the file, or after any end. They do not change how the others are corrected.
    let times: [Double] = [-7, .nan, .infinity, -.infinity, 1_000_000]
    let impossible = times.map { entry("Late", .double($0)) }
    #expect(FileChapters.read(.array(impossible)).isEmpty)
    let others = [entry("One", .double(-0.025057)), entry("Two", .double(4.974943))]
    #expect(FileChapters.read(.array(impossible + others)).map(\.start) == [0, 5])
    #expect(FileChapters.read(.none).isEmpty)
  }

  /// Vorbis comments number their chapters from 0 or from 1.
  @Test(
    arguments: [
      ([0, 1], ["0", "1", nil]), ([1, 3], ["1", nil, "3"]), ([3], [nil, nil, "3"]), ([0], ["0", nil, nil]),
      ([1, 2], [nil, nil, nil]), ([0, 3], [nil, nil, nil]), ([], [nil, nil, nil]), ([3, 9], [nil, nil, "3"]),
    ] as [([Int], [String?])])
  func linksOfVorbisChapters(_ numbers: [Int], urls: [String?]) {
    let list = MpvValue.array([entry("A", .integer(0)), entry("B", .integer(5)), entry("C", .integer(9))])
    let tags = MpvValue.map(
      [MpvEntry("title", .string("T")), MpvEntry("chapter00url", .string("x"))]
        + numbers.map { MpvEntry("CHAPTER00\($0)URL", .string("\($0)")) })
    #expect(FileChapters.read(list, tags: tags).map(\.url) == urls)
  }

  @Test func linkStaysAtItsChapter() {
    let list = MpvValue.array([entry("Late", .integer(9)), entry("Never", .none), entry("Early", .integer(5))])
    let tags = MpvValue.map((1...3).map { MpvEntry("CHAPTER00\($0)URL", .string("\($0)")) })
    #expect(
      FileChapters.read(list, tags: tags) == [
        Chapter(start: 5, title: "Early", url: "3"), Chapter(start: 9, title: "Late", url: "1"),
      ])
  }

  @Test func mpvValuesAreTheSameAfterAConversion() {
    let value = MpvValue.map([
      MpvEntry("s", .string("流動 %")), MpvEntry("f", .flag(true)), MpvEntry("i", .integer(-3)),
      MpvEntry("d", .double(0.5)), MpvEntry("n", .none), MpvEntry("", .array([])),
      MpvEntry("a", .array([.integer(1), .map([MpvEntry("k", .array([.string("")]))])])),
    ])
    #expect(value.withNode { MpvValue($0.pointee) } == value)
    #expect(value["i"].number == -3)
    #expect(value["absent"] == .none)
  }

  @Test func addressIsUsedUnchangedOrRefused() throws {
    #expect(
      try MediaSource(PlayRequest(address: "HTTPS://a.example/b c.mp3?x=1", generation: 1))
        == .http("https://a.example/b c.mp3?x=1"))
    #expect(try MediaSource(PlayRequest(address: "http://[::1]:80/a", generation: 1)) == .http("http://[::1]:80/a"))
    #expect(throws: PlaybackError.addressRefused("it names no host")) {
      try MediaSource(PlayRequest(address: "http:///etc/passwd", generation: 1))
    }
    #expect(throws: PlaybackError.addressRefused("it begins with edl://")) {
      try MediaSource(PlayRequest(address: "edl://x", generation: 1))
    }
  }

  @Test func onlyTheNewestLoadIsKept() {
    let mailbox = PlayerMailbox()
    #expect(!mailbox.post(.setPaused(true)))
    #expect(mailbox.take().isEmpty)
    #expect(mailbox.post(.load(PlayRequest(address: "/a", generation: 1))))
    _ = mailbox.post(.seek(3, .none))
    #expect(!mailbox.post(.load(PlayRequest(address: "/b", generation: 2))))
    _ = mailbox.post(.setSpeed(2))
    #expect(mailbox.take() == [.load(PlayRequest(address: "/b", generation: 2)), .setSpeed(2)])
    #expect(!mailbox.isCurrent(1) && mailbox.isCurrent(2))
    mailbox.record(PlaybackPosition(generation: 1, seconds: 9))
    #expect(mailbox.position == nil)
    _ = mailbox.post(.shutDown)
    #expect(!mailbox.post(.load(PlayRequest(address: "/c", generation: 3))))
    #expect(mailbox.take() == [.shutDown])
  }
}
