import Foundation
import Model
import Testing

@testable import FeedKit

/// What recognisers of speech write.
struct RecognizedTextTests {
  private func read(_ text: String, _ ending: String, duration: Double? = 100) throws -> [Transcript.Line] {
    try RecognizedText.read(Data(text.utf8), ending: ending, duration: duration).lines
  }

  private static let lines = [
    Transcript.Line(start: 0, end: 2.76, text: "One."), Transcript.Line(start: 2.76, end: 5, text: "Two."),
  ]

  @Test(arguments: [
    ("vtt", "WEBVTT\n\n00:00.000 --> 00:02.760\nOne.\n\n00:02.760 --> 00:05.000\nTwo.\n"),
    ("srt", "1\n00:00:00,000 --> 00:00:02,760\nOne.\n\n2\n00:00:02,760 --> 00:00:05,000\nTwo.\n"),
    (
      "json",
      #"{"version":"1.0.0","segments":[{"startTime":0,"endTime":2.76,"body":"One."},{"startTime":2.76,"endTime":5,"body":"Two."}]}"#
    ),
    (
      "json",
      #"{"text":"","segments":[{"id":0,"start":0.0,"end":2.76,"text":" One."},{"start":2.76,"end":5,"text":" Two."}]}"#
    ),
    (
      "json",
      #"{"transcription":[{"timestamps":{"from":"00:00:00,000"},"offsets":{"from":0,"to":2760},"text":" One."},{"offsets":{"from":2760,"to":5000},"text":" Two."}]}"#
    ),
    ("tsv", "start\tend\ttext\n0\t2760\tOne.\n2760\t5000\tTwo.\n"),
  ]) func everyFormatIsRead(ending: String, text: String) throws {
    #expect(try read(text, ending) == Self.lines)
  }

  @Test func endBeyondTheSoundIsCut() throws {
    #expect(try read("WEBVTT\n\n00:00.000 --> 00:30.000\nOne.\n", "vtt", duration: 12).first?.end == 12)
  }

  @Test(arguments: [
    ("vtt", "", RecognizedTextError.empty), ("vtt", "garbage\u{1B}[2J", .empty), ("json", "{}", .notATranscript),
    ("json", "<html>Log in</html>", .notATranscript), ("json", #"{"segments":[]}"#, .empty),
    ("json", #"{"segments":[{"text":"no times"}]}"#, .noTimes),
    ("tsv", "a\tb\tc\n", .empty),
    (
      "vtt", "WEBVTT\n\n00:50.000 --> 00:51.000\nOne\n\n00:10.000 --> 00:11.000\nTwo\n",
      .backwards(from: 50, to: 10)
    ),
    ("vtt", "WEBVTT\n\n10:00.000 --> 10:01.000\nOne\n", .pastEnd(600, duration: 100)),
  ]) func badResultIsRefused(ending: String, text: String, error: RecognizedTextError) {
    #expect(throws: error) { try read(text, ending) }
  }

  @Test func tooLargeResultIsRefused() {
    #expect(throws: RecognizedTextError.tooLarge) {
      try RecognizedText.read(Data(count: RecognizedText.maxBytes + 1), ending: "vtt", duration: nil)
    }
  }

  @Test func textIsCleaned() throws {
    #expect(try read("WEBVTT\n\n00:00.000 --> 00:01.000\n\u{1B}[31mred\u{1B}[0m <b>bold</b>\n", "vtt").count == 1)
    let text = try read("WEBVTT\n\n00:00.000 --> 00:01.000\n\u{1B}[31mred\n", "vtt")[0].text
    #expect(!text.unicodeScalars.contains { $0.value < 32 })
  }

  @Test func printedLinesAreRead() {
    var lines = RecognizedLines()
    let added = [
      "whisper_init_from_file: loading", "[00:00:00.000 --> 00:00:02.760]   One.", "[00:02.760 --> 00:05.000] Two.",
      "progress = 10%",
    ].map { lines.add($0) }
    #expect(added == [false, true, true, false])
    #expect(lines.lines == Self.lines)
  }

  @Test func printedSubRipIsRead() {
    var lines = RecognizedLines()
    let added = ["1", "00:00:00,000 --> 00:00:02,760", "One.", "2", "00:00:02,760 --> 00:00:05,000", "Two."].map {
      lines.add($0)
    }
    // A line is complete when the next times come, because a number may also be what is said.
    #expect(added == [false, false, false, false, true, false])
    let isLast = lines.finish()
    #expect(isLast && lines.lines == Self.lines)
  }

  @Test(arguments: [
    ["1", "00:00:00,000 --> 00:00:02,760", "1984", "2", "00:00:02,760 --> 00:00:05,000", "2"],
    ["00:00:00.000 --> 00:00:02.760", "1984", "00:00:02.760 --> 00:00:05.000", "2"],
  ]) func numbersThatAreSaidAreKept(printed: [String]) {
    var lines = RecognizedLines()
    for line in printed { lines.add(line) }
    lines.finish()
    #expect(lines.lines.map(\.text) == ["1984", "2"])
  }

  @Test func tooManyLinesAreRefused() {
    let lines = (0..<TranscriptReader.lineLimit + 1).map { Transcript.Line(start: Double($0), text: "\($0)") }
    #expect(throws: RecognizedTextError.tooManyLines) { try RecognizedText.checked(lines, duration: nil) }
    // The first row has the names.
    let table = "start\tend\ttext\n" + String(repeating: "0\t1\ta\n", count: TranscriptReader.lineLimit + 1)
    #expect(throws: RecognizedTextError.tooManyLines) { try read(table, "tsv") }
  }

  @Test func writtenTranscriptIsReadBack() throws {
    let transcript = Transcript(lines: [
      Transcript.Line(start: 0, end: 2.76, speaker: "Ann", text: "One < two & three."),
      Transcript.Line(start: 3661.5, end: 3662, speaker: "Ann", text: "Later."),
    ])
    let vtt = TranscriptWriter.webVTT(transcript).joined(separator: "\n")
    #expect(try read(vtt, "vtt", duration: nil) == transcript.lines)
    #expect(TranscriptWriter.subRip(transcript)[5] == "01:01:01,500 --> 01:01:02,000")
    let srt = TranscriptWriter.subRip(Transcript(lines: Self.lines)).joined(separator: "\n")
    #expect(try read(srt, "srt", duration: nil) == Self.lines)
  }
}
