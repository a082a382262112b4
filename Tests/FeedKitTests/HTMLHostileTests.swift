import FeedKit
import Foundation
import Model
import Testing

/// Malicious input: each document must be read, whole or cut, within the documented limits. Quadratic behaviour would
/// take minutes.
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

  @Test(arguments: patterns) func thousandsOfOutlinesAreRead(_ pattern: String) {
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

  @Test func tagWithAMillionAttributes() {
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
