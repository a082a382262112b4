import FeedKit
import Model
import Testing

private typealias Span = Document.Span

private func blocks(_ html: String, base: String? = nil) -> [Document.Block] {
  HTMLDocument.parse(html, baseURL: base).blocks
}

/// The text of every block, one a line, for tests that check only the text.
private func texts(_ html: String) -> [String] {
  blocks(html).map { block in
    switch block {
    case .heading(_, let spans), .paragraph(let spans), .item(_, _, let spans), .quote(let spans):
      spans.map(\.text).joined()
    case .code(let text): text
    case .image(let alternative, _): "[\(alternative)]"
    case .rule: "---"
    }
  }
}

@Suite struct HTMLDocumentTests {
  @Test func paragraphsAndStyles() {
    #expect(
      blocks("<p>One <b>bold</b>, <em>it<u>al</u>ic</em> and <code>x  y</code></p>\n<p>Two") == [
        .paragraph([
          Span("One "), Span("bold", style: .bold), Span(", "), Span("it", style: .italic),
          Span("al", style: [.italic, .underline]), Span("ic", style: .italic), Span(" and "),
          Span("x y", style: .code),
        ]),
        .paragraph([Span("Two")]),
      ])
  }

  @Test func blanksBelongToNeitherLinkNorBold() {
    #expect(
      blocks("a<a href='http://x.org'> b </a><b> c</b>") == [
        .paragraph([Span("a "), Span("b", link: 0), Span(" "), Span("c", style: .bold)])
      ])
  }

  @Test func headings() {
    #expect(
      blocks("<h2>Show <i>notes</i></h2>text<h3> Links</h3>") == [
        .heading(level: 2, [Span("Show "), Span("notes", style: .italic)]), .paragraph([Span("text")]),
        .heading(level: 3, [Span("Links")]),
      ])
  }

  @Test func nestedAndOrderedLists() {
    #expect(
      blocks("<ol start=3><li>three<ul><li>inner</li></ul><li><p>four</p><p>more</p><li value=9>nine</ol>") == [
        .item(depth: 0, ordinal: 3, [Span("three")]), .item(depth: 1, ordinal: nil, [Span("inner")]),
        .item(depth: 0, ordinal: 4, [Span("four\nmore")]), .item(depth: 0, ordinal: 9, [Span("nine")]),
      ])
  }

  @Test func breaksQuotesCodeRules() {
    #expect(
      blocks("<hr>a<br>b<br><br>c<blockquote><p>q</p><p>r</p></blockquote><hr><hr><pre>\n  x\n\ty\n</pre><hr>") == [
        .paragraph([Span("a\nb")]), .paragraph([Span("c")]), .quote([Span("q")]), .quote([Span("r")]), .rule,
        .code("  x\n    y"),
      ])
  }

  @Test func tablesBecomeLines() {
    #expect(
      texts("<table><tr><th>Time<th>Topic</tr><tr><td>1<td><p>Hello</p></tr></table>after")
        == ["Time | Topic\n1 | Hello", "after"])
  }

  @Test func linksAreNumberedOnceAndResolved() {
    let document = HTMLDocument.parse(
      """
      <a href="/b?x=1&amp;y=2">one</a> <a href="HTTP://other.org/ä b">two</a> <a href="https://example.com/b?x=1&y=2">again</a>
      <a href="javascript:alert(1)">js</a> <a href="file:///etc/passwd">file</a> <a href="#top">top</a>
      <a href="mailto:a@b.org">mail</a> <a href="www.forgot.org/x">www</a> <a href="  ">empty</a>
      """, baseURL: "https://example.com/feed/")
    #expect(
      document.links == [
        "https://example.com/b?x=1&y=2", "http://other.org/ä%20b", "mailto:a@b.org", "https://www.forgot.org/x",
      ])
    guard case .paragraph(let spans) = document.blocks.first else { return #expect(Bool(false), "no paragraph") }
    #expect(spans.first { $0.text == "again" }?.link == 0)
    #expect(spans.allSatisfy { !$0.text.contains("js") || $0.link == nil })
  }

  @Test func relativeLinksWithoutABaseAreText() {
    #expect(HTMLDocument.parse("<a href='/x'>x</a>", baseURL: nil) == Document(blocks: [.paragraph([Span("x")])]))
  }

  @Test(arguments: [
    ("see https://example.com/a_(b), and", "https://example.com/a_(b)"),
    ("(https://example.com/x?a=1&b=2).", "https://example.com/x?a=1&b=2"),
    ("go to www.example.com!", "https://www.example.com"),
    ("详见https://example.com/abc，谢谢", "https://example.com/abc"),
    ("https://example.com/abc欢迎收听", "https://example.com/abc"),
    ("https://zh.wikipedia.org/wiki/播客 是", "https://zh.wikipedia.org/wiki/播客"),
    ("“https://example.com/1”", "https://example.com/1"),
  ])
  func bareAddresses(_ text: String, _ address: String) {
    #expect(HTMLDocument.parse(text, baseURL: nil).links == [address])
  }

  @Test func addressesAcrossReferencesAndInLinks() {
    #expect(HTMLDocument.parse("<p>https://e.org/?a=1&amp;b=2</p>", baseURL: nil).links == ["https://e.org/?a=1&b=2"])
    #expect(
      HTMLDocument.parse("<a href='https://e.org/real'>https://e.org/shown</a>", baseURL: nil).links
        == ["https://e.org/real"])
  }

  @Test func images() {
    let document = HTMLDocument.parse(
      """
      <p>a<img src="/c.jpg" alt="Co &amp;amp; ver">b</p><img src="https://t.org/p.gif" width="1" height="1">
      <img src="https://t.org/q.gif" style="display: none"><img class="wp-smiley" alt="🙂" src="x.png">
      <a href="https://e.org/go"><img src="c2.jpg"></a><img src="data:image/png;base64,AAAA">
      """, baseURL: "https://e.org/")
    #expect(
      document.blocks == [
        .paragraph([Span("a")]), .image(alternative: "Co & ver", link: 0), .paragraph([Span("b")]),
        .paragraph([Span("🙂")]), .image(alternative: "", link: 1),
      ])
    #expect(document.links == ["https://e.org/c.jpg", "https://e.org/go"])
  }

  @Test func droppedElements() {
    #expect(
      texts("<style>p{}</style>a<script>if (a<b) alert('<p>x</p>')</script><iframe src=x>no</iframe><p>b<!-- c --></p>")
        == ["a", "b"])
  }

  /// It has no content, but libxml2 2.9 does not know that.
  @Test func textAfterAnEmbedIsShown() { #expect(texts("a <embed src=x>b<p>c</p><p>d") == ["a b", "c", "d"]) }

  @Test func unclosedComment() { #expect(texts("<p>a</p><!-- more <p>b</p>") == ["a", "more", "b"]) }

  @Test func commentsAndSectionsOfATextWithoutTags() {
    #expect(texts("<!-- x -->One\ntwo <!-- y") == ["One\ntwo y"])
    #expect(texts("<![CDATA[a & b]]>") == ["a & b"])
    #expect(texts("a]]> b") == ["a b"])
    #expect(texts("<!-- x -->&lt;p&gt;a") == ["a"])
  }

  @Test func tagsThatAreText() {
    #expect(texts("<p>I <3 you, <mail@e.org> a < b, &lt;b&gt;</p>") == ["I <3 you, <mail@e.org> a < b, <b>"])
    for text in ["see <www.e.org> now", "a </3 b", "<https://e.org/a b>", "x <first.last@e.org> y"] {
      #expect(texts("<p>\(text)</p>") == [text] && HTMLDocument.plainText("<p>\(text)</p>") == text)
    }
  }

  @Test func plainTextKeepsItsLines() {
    #expect(
      blocks("One\nline two\r\n\r\nPara\n- a\n- b\n1. x\n2. y\n-----\nend & &amp; <3") == [
        .paragraph([Span("One\nline two")]), .paragraph([Span("Para")]), .item(depth: 0, ordinal: nil, [Span("a")]),
        .item(depth: 0, ordinal: nil, [Span("b")]), .item(depth: 0, ordinal: 1, [Span("x")]),
        .item(depth: 0, ordinal: 2, [Span("y")]), .rule, .paragraph([Span("end & & <3")]),
      ])
  }

  @Test func wrappedPlainTextFlows() {
    let line = String(repeating: "word ", count: 13) + "wordy"
    #expect(texts("\(line)\n\(line)\nend") == ["\(line) \(line) end"])
  }

  @Test func inlineHTMLKeepsItsLines() {
    #expect(texts("One <b>x</b>\ntwo\n\nthree") == ["One x\ntwo", "three"])
    #expect(texts("<p>One\ntwo</p>") == ["One two"])
  }

  @Test func doublyEscapedHTML() {
    #expect(
      blocks("&lt;p&gt;Tom &amp;amp; Jerry&lt;/p&gt;&lt;p&gt;2") == [
        .paragraph([Span("Tom & Jerry")]), .paragraph([Span("2")]),
      ])
    #expect(texts("<p>A&amp;nbsp;B &amp;#8217; <code>&amp;lt;</code></p>") == ["A B ’ &lt;"])
  }

  @Test func chineseAndJapaneseHaveNoBlanksAtLineEnds() {
    #expect(texts("<p>　　流動的\n資金盛宴。 See\nthis，<br>　　下一行</p>") == ["流動的資金盛宴。 See this，\n下一行"])
    #expect(texts("<p>한국어\n문장</p>") == ["한국어 문장"])
  }

  @Test func hostileTextIsCleaned() {
    #expect(
      texts("<p>a\u{1B}[31mred\u{1B}]0;title\u{7}b\u{202E}c\u{2066}d\u{200B}e\u{AD}f\u{0}g\u{9B}2Jh&#27;[2Ji&#155;</p>")
        == ["aredbcdefghi›"])
    #expect(texts("it&#146;s") == ["it’s"])
    #expect(texts("👩‍👩‍👧 می‌خواهم a\u{200D}b") == ["👩‍👩‍👧 می‌خواهم ab"])
  }
}

@Suite struct HTMLTimestampTests {
  private func times(_ text: String) -> [Double] {
    HTMLDocument.parse(text, baseURL: nil).blocks.flatMap { block -> [Double] in
      switch block {
      case .paragraph(let spans), .item(_, _, let spans): spans.compactMap(\.time)
      default: []
      }
    }
  }

  @Test(arguments: [
    ("12:34 Intro", [754.0]), ("(00:12) a [1:02:03] b", [12, 3723]), ("1:02:03.500", [3723.5]),
    ("0:00 – 5:12 Start", [0, 312]), ("00:10-02:20", [10, 140]), ("在12：34處", [754]), ("• 3:05: News", [185]),
    ("- 3:05 News", [185]), ("<li><b>04:10</b> x</li>", [250]), ("120:05 end", [7205]),
  ])
  func found(_ text: String, _ seconds: [Double]) { #expect(times(text) == seconds) }

  @Test(arguments: [
    "in 16:9 format", "John 3:16 says", "at 10:30 pm", "um 20:15 Uhr", "10:00 UTC", "2024-05-01 10:00", "v1:23:45:67",
    "12:345", "1:62", "上午10:30", "a12:34", "http://e.org/12:34", "12:34:56:78", "ratio 4:3", "01.05.2024, 10:00:00",
    "$12:34",
  ])
  func notTimes(_ text: String) { #expect(times(text) == []) }

  @Test func timesInLinks() {
    let document = HTMLDocument.parse(
      "<p><a href='#t=1:05'>01:05</a> <a href='https://y.org/w?t=70'>01:10</a> <a href='https://e.org/'>02:00 x</a></p>",
      baseURL: "https://e.org/e")
    #expect(document.links == ["https://e.org/"])
    #expect(
      document.blocks == [
        .paragraph([
          Document.Span("01:05", time: 65), Document.Span(" "), Document.Span("01:10", time: 70), Document.Span(" "),
          Document.Span("02:00", link: 0, time: 120), Document.Span(" x", link: 0),
        ])
      ])
  }
}

@Suite struct HTMLPlainTextTests {
  @Test(arguments: [
    ("<p>One <b>b</b>old</p><p>two</p>", "One bold two"), ("a\n\n  b", "a b"), ("a<br/>b", "a b"),
    ("Tom &amp; Jerry&nbsp;&hellip; &unknown; & &#x2019;", "Tom & Jerry … &unknown; & ’"),
    ("&lt;p&gt;esc &amp;amp; aped&lt;/p&gt;", "esc & aped"), ("a<script>x<p></script>b", "a b"),
    ("<a title=\"x > y\">t</a>", "t"), ("I <3 <a@b.c>", "I <3 <a@b.c>"), ("<!-- x -->a<!-- b", "a b"),
    ("流動的\u{200B}資金", "流動的資金"), ("a\u{1B}[2Jb\u{202E}c", "abc"), ("x &#27;[31my", "x y"), ("", ""), ("<", "<"),
    ("&", "&"),
    ("<![CDATA[a]]>", "a"), ("a[b[0]] > ]", "a[b[0]] > ]"), ("caf\u{e9} \u{A0} \u{3000}z", "café z"),
  ])
  func line(_ html: String, _ text: String) { #expect(HTMLDocument.plainText(html) == text) }

  @Test(arguments: [
    "<p>a<audio controls>Your browser is old</audio></p><p>b</p>", "<p>a <svg/>b</p>", "<p>a <kbd>x</kbd>y</p><p>z",
    "<p>a<my-tag>b</my-tag>c<p>d", "<template-x>a</template-x><p>b", "<iframe src=x>no</iframe>a<p>b",
    "<p>a</p><object>x<embed src=y>z</object><p>b", "<p>a<select><option>1<option>2</select><p>b",
    "<p>a<audio src=x></p><p>b</p><p><audio src=y></audio>c", "<p>a<script>'<script>'</script> b</p>",
    "<p>a<iframe></p><p>b</p><script>x</script><p>c", "<!-- x -->a", "<![CDATA[a <b>b</b>]]>", "<p>a<?php x ?>b<p>c",
  ])
  func whatIsShownIsFound(_ html: String) {
    #expect(HTMLDocument.plainText(html) == texts(html).joined(separator: " "))
  }

  /// A description that was cut inside the end tag of a dropped element.
  @Test func tagsBeforeATagWithoutEndAreRemoved() {
    #expect(HTMLDocument.plainText("<p>a<iframe>b<p>c</p>d</iframe") == "a b c d</iframe")
  }

  /// Runs of ordinary characters are copied at once. Special characters must be found anywhere among them.
  @Test(arguments: [" ", "  ", "\n", "\u{A0}", "é", "流", "\u{1B}", "\u{7F}", "\u{200B}", "x "])
  func specialCharactersAnywhereInALine(part: String) {
    let words = "Eleven bright words, and blanks between them: a run and another."
    for offset in 0...words.count {
      for tail in [words.count, offset, min(words.count, offset + 16), min(words.count, offset + 17)] {
        let (start, end) = (words.prefix(offset), words.prefix(tail).dropFirst(offset))
        let text = "\(start)\(part)\(end)"
        #expect(HTMLDocument.plainText(text) == CleanText.line(text), "\(text.debugDescription)")
        let marked = "\(start)<b>\(part)</b>\(end)"
        #expect(HTMLDocument.plainText(marked) == CleanText.line(text), "\(marked.debugDescription)")
      }
    }
  }

  /// A fast path keeps joiners. It must give the same result as the slow path everywhere.
  @Test func joiners() {
    let parts = ["\u{200D}", "\u{200C}", "👩", "❤\u{FE0F}", "می", "a", " ", "\u{202E}", "क", "é", "\u{2014}"]
    for first in parts {
      for second in parts {
        for third in parts {
          for fourth in parts {
            let html = "x" + first + second + third + fourth + "y"
            #expect(HTMLDocument.plainText(html) == CleanText.line(html), "\(html.debugDescription)")
          }
        }
      }
    }
  }
}
