import Foundation
import Model
import Seeded
import Testing

@testable import FeedKit

/// Changes valid input at random (see `Fuzz`) and checks what every reader guarantees of its result.
@Suite struct TextFuzzTests {
  /// Calls `body` with a mutated document and with the comment that tells how to repeat the round.
  private static func rounds(
    of seeds: [String], test: String = #function, _ body: (Data, Comment) throws -> Void
  ) async throws {
    var fuzz = Fuzz(defaultRounds: 400, test: test)
    let corpus = seeds.map { Data($0.utf8) }
    while await fuzz.begins() { try body(try fuzz.mutate(corpus), "\(fuzz.name)") }
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

  @Test func html() async throws {
    let seeds = [
      "<h1>T</h1><p>One <b>two</b> <a href=\"/x?a=1&amp;b\">three</a> 12:34 https://e.org/a&amp;b</p><ul><li>a<ol><li>b</ol></ul>",
      "<table><tr><td>1<td>2</table><pre>a\n\tb</pre><img src=x alt=y><blockquote>q<br><br>r</blockquote><script>x</script>",
      "Plain\n\n- a\n1. b\n2. c\n-----\n(1:02:03) 流動的資金盛宴 \u{1B}[31m \u{202E}x\u{200D}y &#146; &lt;p&gt;",
    ]
    try await Self.rounds(of: seeds) { data, name in
      let html = String(decoding: data, as: UTF8.self)
      let document = HTMLDocument.parse(html, baseURL: "https://e.org/feed")
      for block in document.blocks {
        switch block {
        case .heading(let level, let spans):
          #expect((1...6).contains(level))
          check(spans, document, name)
        case .paragraph(let spans), .quote(let spans), .item(_, _, let spans): check(spans, document, name)
        case .code(let text): #expect(isClean(text, keepsLines: true), name)
        case .image(let alternative, let link):
          #expect(isClean(alternative) && link.map(document.links.indices.contains) != false, name)
        case .rule: break
        }
      }
      for link in document.links { #expect(isClean(link) && !link.contains(" "), name) }
      #expect(isClean(HTMLDocument.plainText(html)), name)
    }
  }

  private func check(_ spans: [Document.Span], _ document: Document, _ name: Comment) {
    #expect(!spans.isEmpty, name)
    for span in spans {
      #expect(!span.text.isEmpty && isClean(span.text, keepsLines: true), name)
      #expect(span.link.map(document.links.indices.contains) != false && span.time.map { $0 >= 0 } != false, name)
    }
  }

  @Test func chapters() async throws {
    let seeds = [
      #"{"chapters":[{"startTime":0,"title":"a","toc":false,"endTime":3},{"startTime":"1:02","url":"https://e.org","img":"x"}]}"#
    ]
    try await Self.rounds(of: seeds) { data, name in
      guard let chapters = try? ChaptersJSON.parse(data) else { return }
      for (one, next) in zip(chapters, chapters.dropFirst()) { #expect(one.start <= next.start, name) }
      #expect(chapters.allSatisfy { $0.start >= 0 && $0.end.map { [start = $0.start] in $0 >= start } != false }, name)
      // A chapter that the file names twice is listed once.
      let listed = ChapterMerge.listed(chapters, duration: nil)
      #expect(listed.count <= chapters.count && listed.isEmpty == chapters.isEmpty, name)
      #expect(ChapterMerge.merge([chapters, Array(chapters.dropLast())]).count == listed.count, name)
    }
  }

  @Test func transcripts() async throws {
    let seeds = [
      "1\n00:00:01,000 --> 00:00:02,500\nAnna: Hi <i>there</i>\n\n2\n00:00:03,000 --> 00:00:04,000\nBob: yes",
      "WEBVTT\n\nNOTE x\n\n00:01.000 --> 00:02.000 align:start\n<v.x Ann>Hi &lt; <c>x</c>\n\n00:03.000 --> 00:04.000\ny",
      #"{"segments":[{"startTime":0,"endTime":0.5,"body":"Hi","speaker":"A"},{"startTime":1,"body":","},{"startTime":2,"body":"x"},{"startTime":3,"body":"y"}]}"#,
      "<cite>A:</cite><time>0:09</time><p>x</p><cite>B</cite><time>1:00</time><p>y &amp; z</p>", "[00:12] A: b\n\nc",
    ]
    try await Self.rounds(of: seeds) { data, name in
      guard let transcript = try? TranscriptReader.read(data) else { return }
      for line in transcript.lines {
        #expect(
          !line.text.isEmpty && isClean(line.text) && isClean(line.speaker ?? ""), name)
        #expect(line.start.map { $0 >= 0 } != false, name)
      }
    }
  }

  @Test func opml() async throws {
    let seeds = [
      "<opml version=\"2.0\"><head><title>x</title></head><body><outline text=\"A\"><outline type=\"rss\" text=\"b &amp; c\" xmlUrl=\"http://e.org/?a=1&b=2\" htmlUrl=\"http://e.org\"/></outline></body></opml>",
      "<?xml version=\"1.0\"?><opml><body><outline xmlUrl='feed://e.org'><outline type='podcast-episode' enclosureUrl='http://e.org/1' progress='9'/></outline></body></opml>",
    ]
    try await Self.rounds(of: seeds) { data, name in
      guard let entries = try? OPML.contents(data).entries else { return }
      #expect(Set(entries.map(\.url)).count == entries.count, name)
      for entry in entries {
        #expect(entry.url.hasPrefix("http") && isClean(entry.url) && isClean(entry.title ?? ""), name)
        #expect(entry.tags.allSatisfy { isClean($0) && !$0.isEmpty }, name)
      }
      let written = OPML.write(title: "t", entries: entries, date: Date(timeIntervalSince1970: 0))
      #expect((try? OPML.contents(written).entries)?.isEmpty == entries.isEmpty, name)
    }
  }

  @Test func values() async throws {
    let seeds = [
      "Sat, 28 Mar 2015 08:31:04 -0500", "2003-12-31T10:14:55.025-08:00", "2004년 05월 28일 오후 10:14:55", "1:02:03.5",
      "PT1H2M3S", "npt=1:02", "feed://u:p@example.com:80/a?b#c", "https://podcasts.apple.com/x/id12", "../a/./b/../c?d",
      "text/xml; charset=\"utf-8\"", "ada@example.org (Ada)", "R&amp;D <b>x</b> &#8211; <embed src=x>",
    ]
    try await Self.rounds(of: seeds) { data, name in
      let text = String(decoding: data, as: UTF8.self)
      let year = FeedDate.parse(text).map { Calendar(identifier: .gregorian).component(.year, from: $0) }
      #expect(year.map { (1899...3000).contains($0) } != false, name)
      #expect(FeedScalar.duration(text).map { $0 > 0 } != false, name)
      #expect(NormalPlayTime.parse(text).map { $0 >= 0 } != false, name)
      if let address = try? FeedAddress.parse(text) {
        #expect(address.urls.isEmpty == (address.directoryPage != nil), name)
        #expect(address.urls.allSatisfy { $0.hasPrefix("http") }, name)
      }
      _ = (ContentType.charset(text), AddressKey.feed(text), AddressKey.media(text), PlainTitle.text(text))
      _ = (
        PersonName.text(text), RelativeAddress.resolve(text, base: text),
        MarkupAddresses.absolute(text, base: "https://e.org/")
      )
    }
  }
}
