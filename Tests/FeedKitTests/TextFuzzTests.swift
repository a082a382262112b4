import Foundation
import Model
import Testing

@testable import FeedKit

/// Changes valid input at random (see `Fuzz`) and looks at what every reader promises of its answer.
@Suite struct TextFuzzTests {
  private static func rounds(_ body: (inout Fuzz) throws -> Void) rethrows {
    var fuzz = Fuzz(defaultRounds: 400)
    while fuzz.goesOn { try body(&fuzz) }
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

  @Test func html() throws {
    let seeds = [
      "<h1>T</h1><p>One <b>two</b> <a href=\"/x?a=1&amp;b\">three</a> 12:34 https://e.org/a&amp;b</p><ul><li>a<ol><li>b</ol></ul>",
      "<table><tr><td>1<td>2</table><pre>a\n\tb</pre><img src=x alt=y><blockquote>q<br><br>r</blockquote><script>x</script>",
      "Plain\n\n- a\n1. b\n2. c\n-----\n(1:02:03) 流動的資金盛宴 \u{1B}[31m \u{202E}x\u{200D}y &#146; &lt;p&gt;",
    ].map { Data($0.utf8) }
    try Self.rounds { fuzz in
      let html = String(decoding: try fuzz.mutate(seeds), as: UTF8.self)
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

  @Test func chapters() throws {
    let seeds = [
      #"{"chapters":[{"startTime":0,"title":"a","toc":false,"endTime":3},{"startTime":"1:02","url":"https://e.org","img":"x"}]}"#
    ].map { Data($0.utf8) }
    try Self.rounds { fuzz in
      let data = try fuzz.mutate(seeds)
      guard let chapters = try? ChaptersJSON.parse(data) else { return }
      for (one, next) in zip(chapters, chapters.dropFirst()) { #expect(one.start <= next.start) }
      #expect(chapters.allSatisfy { $0.start >= 0 && $0.end.map { [start = $0.start] in $0 >= start } != false })
      #expect(ChapterMerge.merge([chapters, Array(chapters.dropLast())]).count == chapters.count)
    }
  }

  @Test func transcripts() throws {
    let seeds = [
      "1\n00:00:01,000 --> 00:00:02,500\nAnna: Hi <i>there</i>\n\n2\n00:00:03,000 --> 00:00:04,000\nBob: yes",
      "WEBVTT\n\nNOTE x\n\n00:01.000 --> 00:02.000 align:start\n<v.x Ann>Hi &lt; <c>x</c>\n\n00:03.000 --> 00:04.000\ny",
      #"{"segments":[{"startTime":0,"endTime":0.5,"body":"Hi","speaker":"A"},{"startTime":1,"body":","},{"startTime":2,"body":"x"},{"startTime":3,"body":"y"}]}"#,
      "<cite>A:</cite><time>0:09</time><p>x</p><cite>B</cite><time>1:00</time><p>y &amp; z</p>", "[00:12] A: b\n\nc",
    ].map { Data($0.utf8) }
    try Self.rounds { fuzz in
      let data = try fuzz.mutate(seeds)
      guard let transcript = try? TranscriptReader.read(data) else { return }
      for line in transcript.lines {
        #expect(
          !line.text.isEmpty && isClean(line.text) && isClean(line.speaker ?? ""), "\(data.base64EncodedString())")
        #expect(line.start.map { $0 >= 0 } != false)
      }
    }
  }

  @Test func opml() throws {
    let seeds = [
      "<opml version=\"2.0\"><head><title>x</title></head><body><outline text=\"A\"><outline type=\"rss\" text=\"b &amp; c\" xmlUrl=\"http://e.org/?a=1&b=2\" htmlUrl=\"http://e.org\"/></outline></body></opml>",
      "<?xml version=\"1.0\"?><opml><body><outline xmlUrl='feed://e.org'><outline type='podcast-episode' enclosureUrl='http://e.org/1' progress='9'/></outline></body></opml>",
    ].map { Data($0.utf8) }
    try Self.rounds { fuzz in
      let data = try fuzz.mutate(seeds)
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

  @Test func values() throws {
    let seeds = [
      "Sat, 28 Mar 2015 08:31:04 -0500", "2003-12-31T10:14:55.025-08:00", "2004년 05월 28일 오후 10:14:55", "1:02:03.5",
      "PT1H2M3S", "npt=1:02", "feed://u:p@example.com:80/a?b#c", "https://podcasts.apple.com/x/id12", "../a/./b/../c?d",
      "text/xml; charset=\"utf-8\"", "ada@example.org (Ada)", "R&amp;D <b>x</b> &#8211; <embed src=x>",
    ].map { Data($0.utf8) }
    try Self.rounds { fuzz in
      let text = String(decoding: try fuzz.mutate(seeds), as: UTF8.self)
      let year = FeedDate.parse(text).map { Calendar(identifier: .gregorian).component(.year, from: $0) }
      #expect(year.map { (1899...3000).contains($0) } != false, "\(text.debugDescription)")
      #expect(FeedScalar.duration(text).map { $0 > 0 } != false, "\(text.debugDescription)")
      #expect(NormalPlayTime.parse(text).map { $0 >= 0 } != false, "\(text.debugDescription)")
      if case .urls(let urls) = try? FeedAddress.parse(text).target {
        #expect(!urls.isEmpty && urls.allSatisfy { $0.hasPrefix("http") }, "\(text.debugDescription)")
      }
      _ = (ContentType.charset(text), AddressKey.feed(text), AddressKey.media(text), PlainTitle.text(text))
      _ = (PersonName.text(text), RelativeAddress.resolve(text, base: text))
    }
  }
}
