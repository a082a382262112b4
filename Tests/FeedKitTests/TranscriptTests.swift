import FeedKit
import Foundation
import Model
import Testing

private typealias Line = Transcript.Line

private func read(_ text: String, type: String? = nil, url: String? = nil) throws -> [Line] {
  try TranscriptReader.read(Data(text.utf8), type: type, url: url).lines
}

@Suite struct TranscriptTests {
  @Test func subRip() throws {
    let text = """
      1
      00:00:00,780 --> 00:00:06,210
      Adam Curry: podcasting 2.0 March
      4th <i>2023</i>

      2
      0:00:06.210 --> 00:00:07.690
      and more


      00:00:09,000 --> 00:00:12,000

      {\\an8}Dave Jones: late text
      3
      00:00:13,000 --> 00:00:12,000
      no blank before
      """
    let expected = [
      Line(start: 0.78, end: 6.21, speaker: "Adam Curry", text: "podcasting 2.0 March 4th 2023"),
      Line(start: 6.21, end: 7.69, speaker: "Adam Curry", text: "and more"),
      Line(start: 9, end: 12, speaker: "Dave Jones", text: "late text"),
      Line(start: 13, speaker: "Dave Jones", text: "no blank before"),
    ]
    #expect(try read(text, type: "application/srt") == expected)
    #expect(try read("\u{FEFF}" + text.replacing("\n", with: "\r\n"), type: "text/plain") == expected)
    #expect(try read(text.replacing("\n", with: "\r")) == expected)
  }

  @Test func rollingCaptionsAreReadOnce() throws {
    let text = """
      WEBVTT

      00:00.000 --> 00:02.000
      one two

      00:02.000 --> 00:02.010
      one two

      00:02.010 --> 00:04.000
      one two
      three<00:03.000><c> four</c>

      00:04.000 --> 00:06.000
      three four
      five
      """
    #expect(try read(text).map(\.text) == ["one two", "three four", "five"])
    #expect(try read(text).map(\.start) == [0, 2.01, 4])
    func subtitles(_ cues: [String]) -> String {
      cues.enumerated().map { "\($0 + 1)\n00:00:0\($0),000 --> 00:00:0\($0 + 1),000\n\($1)\n" }.joined(separator: "\n")
    }
    let growing = subtitles(["It is", "It is late", "It is late and dark", "late and dark\nGo home"])
    #expect(try read(growing).map(\.text).joined(separator: " ") == "It is late and dark late and dark Go home")
    let three = subtitles(["a", "a\nb", "a\nb\nc", "b\nc\nd"])
    // Short captions are joined.
    #expect(try read(three).map(\.text) == ["a b c d"])
  }

  /// Speakers repeat themselves.
  @Test func repeatedLinesAreKept() throws {
    func subtitles(_ cues: [String]) -> String {
      cues.enumerated().map { "\($0 + 1)\n00:00:0\($0),000 --> 00:00:0\($0 + 1),000\n\($1)\n" }.joined(separator: "\n")
    }
    for cues in [["Row", "Row", "Row", "Row"], ["Yes.", "Yes.", "And now the news", "Good", "Well", "Thank you"]] {
      #expect(try read(subtitles(cues)).map(\.text).joined(separator: " ") == cues.joined(separator: " "))
    }
  }

  @Test func webVTT() throws {
    let text = """
      WEBVTT - title

      STYLE
      ::cue { color: red }

      NOTE a --> comment
      over two lines

      intro
      00:01.000 --> 00:04.000 align:start position:10%
      <v.loud Mary &amp; Sue>Hi, <c.x>I'm</c> <00:00:02.000>here &lt;3

      01:00:00.000 --> 01:00:01.000
      plain&nbsp;text &rlm;here
      """
    #expect(
      try read(text) == [
        Line(start: 1, end: 4, speaker: "Mary & Sue", text: "Hi, I'm here <3"),
        Line(start: 3600, end: 3601, text: "plain text here"),
      ])
  }

  @Test func commentAfterAnEmptyCueIsNoText() throws {
    let text = """
      WEBVTT

      00:01.000 --> 00:02.000

      NOTE to ourselves
      in two lines

      00:03.000 --> 00:04.000

      NOTEBOOKS are late

      STYLE

      00:05.000 --> 00:06.000
      NOTE well
      """
    #expect(
      try read(text) == [
        Line(start: 3, end: 4, text: "NOTEBOOKS are late"), Line(start: 5, end: 6, text: "NOTE well"),
      ])
  }

  /// Quadratic behaviour would take minutes.
  @Test(arguments: ["<vx", "<v ", "<v."], ["", ">"])
  func tagsWithoutAnEnd(_ tag: String, _ end: String) throws {
    let tags = String(repeating: tag, count: 100_000 / tag.utf8.count) + end
    let lines = try read("WEBVTT\n\n00:01.000 --> 00:04.000\n<v Ann>so</v> \(tags)\n")
    #expect(lines.first?.speaker == "Ann" && lines.first?.text.hasPrefix("so") == true)
  }

  @Test func voicesOfOneCue() throws {
    let text = "WEBVTT\n\n00:01.000 --> 00:04.000\n<v Ann>Hi</v>\n<v.loud Bob>Yo, <i>Ann</i></v> and <video>\n"
    #expect(
      try read(text) == [
        Line(start: 1, end: 4, speaker: "Ann", text: "Hi"),
        Line(start: 1, end: 4, speaker: "Bob", text: "Yo, Ann and"),
      ])
    #expect(try read("WEBVTT\n\n00:01.000 --> 00:04.000\nso\n<v Ann>hi").map(\.speaker) == [nil, "Ann"])
  }

  @Test func jsonWordsAreJoined() throws {
    let words = ["Hello", ",", "it", "'s", "me", ".", "Next", "one"]
    let segments = words.enumerated().map { index, word in
      "{\"startTime\":\(index),\"endTime\":\(Double(index) + 0.9),\"body\":\"\(word)\"\(index == 0 ? ",\"speaker\":\"A\"" : "")}"
    }
    #expect(
      try read("{\"version\":\"1.0.0\",\"segments\":[\(segments.joined(separator: ","))]}") == [
        Line(start: 0, end: 5.9, speaker: "A", text: "Hello, it's me."),
        Line(start: 6, end: 7.9, speaker: "A", text: "Next one"),
      ])
  }

  /// One bad character, or one segment without a time, does not lose the others.
  @Test(arguments: [#"wo\u0009rd"#, "a\tb", #"x\ud83d"#]) func badSegmentsSpareTheOthers(body: String) throws {
    let segments = (0..<8).map { #"{"startTime":\#($0),"endTime":\#($0).9,"body":"\#($0 == 3 ? body : "word")"}"# }
    let lines = try read(#"{"segments":[\#(segments.joined(separator: ",")),{"body":"x"}]}"#)
    #expect(lines.count < 5 && lines.first?.text.hasPrefix("word word word") == true)
  }

  @Test func jsonSentencesStay() throws {
    #expect(
      try read(
        "{\"segments\":[{\"startTime\":2,\"body\":\"Second sentence of it \\u001b[2J.\"},{\"startTime\":0.5,\"endTime\":2,\"speaker\":\"B\",\"body\":\"A whole sentence.\"},{\"body\":7}]}",
        type: "application/json")
        == [
          Line(start: 0.5, end: 2, speaker: "B", text: "A whole sentence."),
          Line(start: 2, text: "Second sentence of it ."),
        ])
  }

  @Test(arguments: ["[\n {", "[{", " [ \t{", "\u{FEFF}[\r\n{"])
  func jsonWithoutAName(_ head: String) throws {
    let text = head + "\"start\":1,\"end\":2.5,\"text\":\"One.\"},\n{\"start\":2.5,\"end\":3,\"text\":\"Two.\"}\n]"
    #expect(try read(text) == [Line(start: 1, end: 2.5, text: "One."), Line(start: 2.5, end: 3, text: "Two.")])
    #expect(throws: TranscriptError.empty) { try read("[ \n ]") }
    #expect(try read("[ ] to do").map(\.text) == ["[ ] to do"])
    #expect(try read("[Music]\nHello").map(\.text) == ["[Music]", "Hello"])
  }

  /// A list of cues with whole-number times: their unit follows from their length.
  @Test func jsonInMilliseconds() throws {
    func starts(_ length: Int, count: Int, fraction: String = "") throws -> [Double?] {
      let cues = (0..<count).map {
        "{\"start\":\($0 * length)\(fraction),\"end\":\(($0 + 1) * length),\"text\":\"A sentence, number \($0).\"}"
      }
      return try read("[\(cues.joined(separator: ","))]").prefix(2).map(\.start)
    }
    #expect(try starts(2500, count: 3) == [0, 2.5])
    #expect(try starts(300, count: 500) == [0, 0.3])
    #expect(try starts(5, count: 100) == [0, 5])
    // Minutes of talk in one cue are possible in seconds too.
    #expect(try starts(90, count: 40) == [0, 90])
    #expect(try starts(2500, count: 3, fraction: ".5") == [0.5, 2500.5])
  }

  /// A file of Podcasting 2.0 is in seconds, whatever its numbers are.
  @Test func namedListIsInSeconds() throws {
    let cue = "{\"startTime\":5000,\"endTime\":9000,\"body\":\"Words.\"}"
    #expect(try read("{\"segments\":[\(cue)]}") == [Line(start: 5000, end: 9000, text: "Words.")])
  }

  @Test func timeBeforeTheName() throws {
    let html =
      "<time>0:09</time><cite>Kevin:</cite><p>We have this.</p><p>And more.</p><time>0:20</time><cite>Ann:</cite><p>Yes</p>"
      + "<cite>Kevin:</cite><p>No</p><time>0:30</time>"
    #expect(
      try read(html) == [
        Line(start: 9, speaker: "Kevin", text: "We have this."), Line(start: nil, speaker: "Kevin", text: "And more."),
        Line(start: 20, speaker: "Ann", text: "Yes"), Line(start: nil, speaker: "Kevin", text: "No"),
      ])
  }

  @Test func html() throws {
    #expect(
      try read(
        "<cite>Kevin:</cite>\n<time>0:09</time>\n<p>We have <b>this</b>.</p><cite>Ann:</cite><time>1:00:10</time><p>Yes<script>x()</script></p>"
      ) == [
        Line(start: 9, end: 3610, speaker: "Kevin", text: "We have this."),
        Line(start: 3610, speaker: "Ann", text: "Yes"),
      ])
    #expect(try read("<p>Just text</p><p>and more", type: "text/html").map(\.text) == ["Just text", "and more"])
  }

  @Test func plainText() throws {
    #expect(
      try read("[00:12] Anna: Hello\n\nSo it is: yes, fine\n12:30 no", type: "text/plain") == [
        Line(start: 12, speaker: "Anna", text: "Hello"), Line(start: nil, text: "So it is: yes, fine"),
        Line(start: 750, text: "no"),
      ])
  }

  @Test func utf16AndWindows1252() throws {
    let text = "1\n00:00:01,000 --> 00:00:02,000\nGrüße…\n"
    let expected = [Line(start: 1, end: 2, text: "Grüße…")]
    for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16, .windowsCP1252] {
      let data = try #require(text.data(using: encoding))
      #expect(try TranscriptReader.read(data).lines == expected, "\(encoding)")
    }
  }

  @Test func errors() {
    #expect(throws: TranscriptError.empty) { try read("WEBVTT\n\n") }
    #expect(throws: TranscriptError.empty) { try read("") }
    #expect(throws: TranscriptError.notATranscript) { try read("{\"error\":1}") }
  }

  @Test(
    arguments: [
      ("application/json", nil), ("text/vtt; charset=utf-8", nil), ("application/x-subrip", "https://e.org/t.html"),
      (nil, "https://e.org/t.vtt?x=1"), ("application/octet-stream", "https://e.org/t.srt"),
    ] as [(String?, String?)])
  func webPageIsNoTranscript(type: String?, url: String?) {
    let page = "<!DOCTYPE html><title>Not found</title><p>There is nothing here.</p>"
    #expect(throws: TranscriptError.webPage) { try read(page, type: type, url: url) }
  }

  @Test(
    arguments: [
      ("text/html", "https://e.org/t.vtt"), ("text/plain", nil), ("audio/mpeg", "https://e.org/t"), (nil, nil),
    ] as [(String?, String?)])
  func htmlOfAnotherTypeIsATranscript(type: String?, url: String?) throws {
    #expect(try read("<p>Just text</p>", type: type, url: url).map(\.text) == ["Just text"])
  }

  @Test func preferred() {
    let html = TranscriptLink(url: "https://e.org/t.html", type: "text/html")
    let german = TranscriptLink(url: "https://e.org/t.srt", type: "application/x-subrip", language: "de-DE")
    let vtt = TranscriptLink(url: "https://e.org/t.vtt?x=1", type: nil, language: "en")
    let json = TranscriptLink(url: "https://e.org/t", type: "application/json; charset=utf-8")
    #expect(TranscriptReader.preferred([html, german, vtt, json]) == json)
    #expect(TranscriptReader.preferred([html, german, vtt]) == vtt)
    #expect(TranscriptReader.preferred([]) == nil)
  }
}
