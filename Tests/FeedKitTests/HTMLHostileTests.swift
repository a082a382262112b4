import FeedKit
import Foundation
import Model
import Testing

/// Input that is made to hurt: each must come back, whole or cut, within the bounds that the types promise.
/// Anything that grew with the square of its input would take minutes.
@Suite struct HTMLHostileTests {
  private func repeated(_ text: String, bytes: Int) -> String {
    String(repeating: text, count: bytes / text.utf8.count)
  }

  private static let patterns = [
    "<div>", "<b>", "<ul><li>", "<blockquote>", "<table><tr><td>", "</b>", "<b></i>", "<p>", "<a ", "<a href=\"",
    "<a '\"", "<!--", "<![CDATA[", "]]>", "&", "&amp;", "&#27;[", "<script>", "<pre>", "<h1>", "<hr>", "<br>",
    "\u{1B}]",
    "\u{1B}[", "https://", "www.", "12:34 ", "1:", "- x\n", "1. x\n", "&lt;p&gt;", "\u{202E}", "x\u{301}", "<q>",
    "<li>a", "a<b>b</b>", "<svg>", "<a href=http://e.org/a>12:34</a>", "1/", "(", "<img src=x>", "&#x", "\r", "<?",
    "<!",
  ]

  @Test(arguments: patterns) func thousandsOfThem(_ pattern: String) {
    let html = repeated(pattern, bytes: 100_000)
    let document = HTMLDocument.parse("<p>start</p>" + html, baseURL: "https://e.org/")
    #expect(document.blocks.first == .paragraph([Document.Span("start")]))
    #expect(document.blocks.count <= 20_100)
    #expect(document.links.count <= 5_000)
    #expect(HTMLDocument.parse(html, baseURL: nil).blocks.count <= 20_100)
    #expect(HTMLDocument.plainText("start " + html).hasPrefix("start"))
  }

  @Test func fiveMegabytesOfNestedTagsKeepTheirText() {
    let html = repeated("<div><b>", bytes: 5_000_000) + "deep &amp; end" + repeated("</b></div>", bytes: 2_000_000)
    let texts = HTMLDocument.parse("<p>start</p>" + html, baseURL: nil).blocks.map { block in
      if case .paragraph(let spans) = block { spans.map(\.text).joined() } else { "" }
    }
    #expect(texts == ["start", "deep & end"])
  }

  @Test func aTagOfAMillionAttributes() {
    let attributes = (0..<200_000).map { " a\($0)=1" }.joined()
    let document = HTMLDocument.parse("<p>a</p><p\(attributes)>b</p>", baseURL: nil)
    #expect(document.blocks.first == .paragraph([Document.Span("a")]))
  }

  @Test func longAttributes() {
    let data = "data:image/png;base64," + String(repeating: "A", count: 1_000_000)
    let html = "<p>a<img src='\(data)' alt='pic'><a href='http://e.org/\(data)'>b</a></p>"
    #expect(HTMLDocument.parse(html, baseURL: nil).links == [])
  }
}

/// Changes valid input at random, reproducibly, and looks at what every reader promises of its answer.
/// EARSHOT_FUZZ_SECONDS=60 goes on for that long instead of a fixed number of rounds.
@Suite struct TextFuzzTests {
  private static let seconds = ProcessInfo.processInfo.environment["EARSHOT_FUZZ_SECONDS"].flatMap(Double.init)

  private static func rounds(_ body: (inout Mutator) throws -> Void) rethrows {
    var mutator = Mutator(seed: 0x5EED)
    let end = seconds.map { Date().addingTimeInterval($0) }
    var round = 0
    while end.map({ Date() < $0 }) ?? (round < 400) {
      try body(&mutator)
      round += 1
    }
  }

  private func isClean(_ text: String, keepsLines: Bool = false) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x0A: keepsLines
      case 0x00...0x1F, 0x7F...0x9F, 0x200B, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: false
      default: true
      }
    }
  }

  @Test func html() {
    let seeds = [
      "<h1>T</h1><p>One <b>two</b> <a href=\"/x?a=1&amp;b\">three</a> 12:34 https://e.org/a&amp;b</p><ul><li>a<ol><li>b</ol></ul>",
      "<table><tr><td>1<td>2</table><pre>a\n\tb</pre><img src=x alt=y><blockquote>q<br><br>r</blockquote><script>x</script>",
      "Plain\n\n- a\n1. b\n2. c\n-----\n(1:02:03) 流動的資金盛宴 \u{1B}[31m \u{202E}x\u{200D}y &#146; &lt;p&gt;",
    ].map { Array($0.utf8) }
    Self.rounds { mutator in
      let html = String(decoding: mutator.mutated(seeds), as: UTF8.self)
      let document = HTMLDocument.parse(html, baseURL: "https://e.org/feed")
      for block in document.blocks {
        switch block {
        case .heading(let level, let spans):
          #expect((1...6).contains(level))
          check(spans, document, html)
        case .paragraph(let spans), .quote(let spans), .item(_, _, let spans): check(spans, document, html)
        case .code(let text): #expect(isClean(text, keepsLines: true), "\(html.debugDescription)")
        case .image(let alternative, let link):
          #expect(isClean(alternative) && link.map(document.links.indices.contains) != false)
        case .rule: break
        }
      }
      for link in document.links { #expect(isClean(link) && !link.contains(" "), "\(html.debugDescription)") }
      #expect(isClean(HTMLDocument.plainText(html)), "\(html.debugDescription)")
    }
  }

  private func check(_ spans: [Document.Span], _ document: Document, _ html: String) {
    #expect(!spans.isEmpty, "\(html.debugDescription)")
    for span in spans {
      #expect(!span.text.isEmpty && isClean(span.text, keepsLines: true), "\(html.debugDescription)")
      #expect(span.link.map(document.links.indices.contains) != false && span.time.map { $0 >= 0 } != false)
    }
  }

  @Test func chapters() {
    let seeds = [
      #"{"chapters":[{"startTime":0,"title":"a","toc":false,"endTime":3},{"startTime":"1:02","url":"https://e.org","img":"x"}]}"#
    ].map { Array($0.utf8) }
    Self.rounds { mutator in
      guard let chapters = try? ChaptersJSON.parse(Data(mutator.mutated(seeds))) else { return }
      for (one, next) in zip(chapters, chapters.dropFirst()) { #expect(one.start <= next.start) }
      #expect(chapters.allSatisfy { $0.start >= 0 && $0.end.map { [start = $0.start] in $0 >= start } != false })
      #expect(ChapterMerge.merge([chapters, Array(chapters.dropLast())]).count == chapters.count)
    }
  }

  @Test func transcripts() {
    let seeds = [
      "1\n00:00:01,000 --> 00:00:02,500\nAnna: Hi <i>there</i>\n\n2\n00:00:03,000 --> 00:00:04,000\nBob: yes",
      "WEBVTT\n\nNOTE x\n\n00:01.000 --> 00:02.000 align:start\n<v.x Ann>Hi &lt; <c>x</c>\n\n00:03.000 --> 00:04.000\ny",
      #"{"segments":[{"startTime":0,"endTime":0.5,"body":"Hi","speaker":"A"},{"startTime":1,"body":","},{"startTime":2,"body":"x"},{"startTime":3,"body":"y"}]}"#,
      "<cite>A:</cite><time>0:09</time><p>x</p><cite>B</cite><time>1:00</time><p>y &amp; z</p>", "[00:12] A: b\n\nc",
    ].map { Array($0.utf8) }
    Self.rounds { mutator in
      let data = Data(mutator.mutated(seeds))
      guard let transcript = try? TranscriptReader.read(data) else { return }
      for line in transcript.lines {
        #expect(
          !line.text.isEmpty && isClean(line.text) && isClean(line.speaker ?? ""), "\(data.base64EncodedString())")
        #expect(line.start.map { $0 >= 0 } != false)
      }
    }
  }

  @Test func opml() {
    let seeds = [
      "<opml version=\"2.0\"><head><title>x</title></head><body><outline text=\"A\"><outline type=\"rss\" text=\"b &amp; c\" xmlUrl=\"http://e.org/?a=1&b=2\" htmlUrl=\"http://e.org\"/></outline></body></opml>",
      "<?xml version=\"1.0\"?><opml><body><outline xmlUrl='feed://e.org'><outline type='podcast-episode' enclosureUrl='http://e.org/1' progress='9'/></outline></body></opml>",
    ].map { Array($0.utf8) }
    Self.rounds { mutator in
      let data = Data(mutator.mutated(seeds))
      guard let entries = try? OPML.read(data) else { return }
      #expect(Set(entries.map(\.url)).count == entries.count)
      for entry in entries {
        #expect(entry.url.hasPrefix("http") && isClean(entry.url) && isClean(entry.title ?? ""))
        #expect(entry.tags.allSatisfy { isClean($0) && !$0.isEmpty })
      }
      let written = OPML.write(title: "t", entries: entries, date: Date(timeIntervalSince1970: 0))
      #expect((try? OPML.read(written))?.isEmpty == entries.isEmpty, "\(data.base64EncodedString())")
    }
  }
}

/// A small seeded generator of damage (SplitMix64), so that a failure can be repeated.
private struct Mutator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  private static let pieces: [[UInt8]] =
    [
      "<", ">", "&", "\"", "'", "</", "<!--", "-->", "]]>", "<p>", "&#", ";", "\n", "\r", "\0", "\u{1B}[", "\u{202E}",
      ":",
      "-->", "{", "}", "[", "]", ",", "99999999999", "-1", "1e999", "流", "http://", "<script>", "<pre>", "<li>", "null",
    ].map { Array($0.utf8) } + [
      [0xFF], [0xC2, 0x9B], [0xE2, 0x80], [0x00, 0xD8], [0xEF, 0xBB, 0xBF], [0xFF, 0xFE],
    ]

  mutating func next(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((z ^ (z >> 31)) % UInt64(max(bound, 1)))
  }

  mutating func mutated(_ seeds: [[UInt8]]) -> [UInt8] {
    var bytes = seeds[next(seeds.count)]
    for _ in 0...next(8) {
      let position = next(bytes.count + 1)
      switch next(5) {
      case 0: bytes.insert(contentsOf: Self.pieces[next(Self.pieces.count)], at: position)
      case 1: bytes.removeSubrange(position..<min(bytes.count, position + 1 + next(12)))
      case 2: if position < bytes.count { bytes[position] = UInt8(next(256)) }
      case 3:
        let end = min(bytes.count, position + next(40))
        bytes.insert(contentsOf: Array(bytes[position..<end]), at: next(bytes.count + 1))
      default: bytes.removeSubrange(min(bytes.count, position + 20)..<bytes.count)
      }
    }
    return bytes
  }
}
