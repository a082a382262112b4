import Foundation
import Testing

@testable import FeedKit

/// Long texts bypass the XML parser. Text and markup must keep their order for any size and any chunk boundary.
@Suite struct XMLTextTests {
  /// Records each event as a line of text.
  private final class Recorder: XMLSink {
    var events = ""
    func start(_ name: XMLName, _ attributes: XMLAttributes) { events += "<\(name.local)>" }
    func end(_ name: XMLName) { events += "</\(name.local)>" }
    func text(_ bytes: UnsafeBufferPointer<UInt8>) { events += String(decoding: bytes, as: UTF8.self) }
  }

  private func events(_ document: [UInt8], pieces: Int) -> String {
    let recorder = Recorder()
    let reader = XMLReader(sink: recorder)
    var rest = document[...]
    while !rest.isEmpty {
      Array(rest.prefix(pieces)).withUnsafeBytes { reader.feed($0) }
      rest = rest.dropFirst(pieces)
    }
    reader.finish()
    return recorder.events
  }

  @Test(arguments: [1, 2, 3, 7, 64, 4096, 1 << 20])
  func orderIsKept(_ pieces: Int) {
    let long = String(repeating: "long text ", count: 40)
    let parts = [
      ("a", "a"), ("<b>", "<b>"), ("x &amp; y", "x & y"), ("</b>", "</b>"), (long, long), ("<c/>", "<c></c>"),
      (" ", " "), ("<![CDATA[<i>]]>", "<i>"), ("<!-- no -->", ""), ("tail", "tail"), ("<d>", "<d>"), (long, long),
      ("&eacute;", "é"), ("<e>]]&gt;</e>", "<e>]]></e>"), ("1 < 2", "1 < 2"), ("</d>", "</d>"), ("é流", "é流"),
    ]
    let document = "<r>" + parts.map(\.0).joined() + "</r>"
    #expect(events(Array(document.utf8), pieces: pieces) == "<r>" + parts.map(\.1).joined() + "</r>")
  }

  @Test(arguments: [1, 2, 5, 1 << 16])
  func lineEndsAreLineFeeds(_ pieces: Int) {
    let long = String(repeating: "line\r\n\r", count: 60)
    let document = "<r>a\r\nb\rc<x/>\r\n<![CDATA[d\r\ne\r]]>&amp;\n\(long)</r>"
    let read = "a\nb\nc<x></x>\nd\ne\n&\n" + long.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    #expect(events(Array(document.utf8), pieces: pieces) == "<r>\(read)</r>")
  }

  /// HTML 4's entities, and letters that editors in Prague, Warsaw and Budapest use.
  @Test(arguments: [
    ("eacute", "é"), ("ccaron", "č"), ("Zdot", "Ż"), ("odblac", "ő"), ("lstrok", "ł"), ("uring", "ů"), ("imath", "ı"),
    ("lbrack", "["), ("unknowncaron", "&unknowncaron;"), ("dblac", "&dblac;"),
  ])
  func namesOfCharacters(_ name: String, _ character: String) {
    #expect(events(Array("<r>&\(name);</r>".utf8), pieces: 100) == "<r>\(character)</r>")
  }

  @Test func cutInTheMiddleOfAText() {
    #expect(events(Array("<r><a>one &amp; t".utf8), pieces: 5) == "<r><a>one & t</a></r>")
    #expect(events(Array("<r><a>plain".utf8), pieces: 100) == "<r><a>plain</a></r>")
    #expect(events(Array("<r><a><![CDATA[x".utf8), pieces: 3) == "<r><a>x</a></r>")
  }
}
