import Foundation
import Testing

@testable import Model

@Suite struct JSONFormatTests {
  private struct Sample: Codable, Equatable {
    enum Choice: Codable, Equatable {
      case plain
      case with(name: String, Int)
    }
    var zebra: [String?]
    var apple: Int64
    var choices: [Choice]
    var words: [String: [Double]]
    var date: Date
    var flag: Bool
    var small: UInt8
    var empty: [Int]
    var none: String?
    var nested: [[Int]]
  }

  private let sample = Sample(
    zebra: ["a", nil, "“quoted” \"\\/\" \t\r\n\u{8}\u{c}"], apple: .min, choices: [.plain, .with(name: "n", 3)],
    words: ["ä": [1, 0.5, -2.25e-7], "b": [], "a b": [1e15, 1e16, 1.5e300]],
    date: Date(timeIntervalSince1970: 951_782_400), flag: true, small: 255, empty: [], none: nil, nested: [[], [1, 2]])

  private func foundation(_ value: some Encodable, pretty: Bool) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
    encoder.dateEncodingStrategy = .iso8601
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test(arguments: [true, false]) func layoutIsThatOfFoundation(isPretty: Bool) throws {
    let format = JSONFormat(isPretty: isPretty)
    #expect(try format.text(of: [sample, sample]) == foundation([sample, sample], pretty: isPretty))
    #expect(try format.text(of: [Sample]()) == foundation([Sample](), pretty: isPretty))
    #expect(try format.text(of: [String: Int]()) == foundation([String: Int](), pretty: isPretty))
    #expect(try format.text(of: "fragment") == "\"fragment\"")
  }

  @Test func storedValuesAreReadBack() throws {
    var value = sample
    value.words["far"] = [.infinity, -.infinity]
    value.date = Date(timeIntervalSince1970: 1.25)
    let bytes = try JSONFormat(isStored: true).bytes(of: value)
    #expect(try JSONFormat.decodeStored(Sample.self, from: Data(bytes)) == value)
    // Stored values must stay readable, so this does not change.
    let stored = JSONFormat(isStored: true)
    #expect(try stored.text(of: [Double.infinity, -.infinity, .nan]) == #"["inf","-inf","nan"]"#)
    #expect(try stored.text(of: [Date(timeIntervalSince1970: 1.25)]) == "[1.25]")
    #expect(try JSONFormat().text(of: [Double.infinity, .nan]) == "[null,null]")
    #expect(
      try JSONFormat().text(of: [Date(timeIntervalSince1970: -62_135_596_800), Date(timeIntervalSince1970: .nan)])
        == #"["0001-01-01T00:00:00Z",null]"#)
  }

  /// No character of Unicode that could act on a terminal is written as it is, and all are read back.
  @Test func hiddenCharactersAreEscaped() throws {
    for start in stride(from: UInt32(0), to: 0x110000, by: 0x1000) {
      let scalars = (start..<start + 0x1000).compactMap { Unicode.Scalar($0) }
      guard !scalars.isEmpty else { continue }
      var text = ""
      text.unicodeScalars.append(contentsOf: scalars)
      // As a key, too.
      let bytes = try JSONFormat(isSorted: false).bytes(of: [text: text])
      let written = String(decoding: bytes, as: UTF8.self)
      let raw = written.unicodeScalars.filter {
        switch $0.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: $0.value != 0x200C && $0.value != 0x200D
        default: (0xE0000..<0xE1000).contains($0.value)
        }
      }
      #expect(raw.isEmpty, "\(raw)")
      let read = try JSONDecoder().decode([String: String].self, from: Data(bytes))
      #expect(read[text].map { Array($0.unicodeScalars) } == scalars, "\(start)")
    }
  }

  @Test func charactersAreEscapedAtEachPlace() throws {
    let escapes = [
      "\u{7F}": #"\u007f"#, "\u{9B}": #"\u009b"#, "\u{202E}": #"\u202e"#, "\u{2069}": #"\u2069"#,
      "\u{FEFF}": #"\ufeff"#, "\u{E0041}": #"\udb40\udc41"#, "\u{0}": #"\u0000"#, "\u{1B}": #"\u001b"#,
      "\"": #"\""#, "é": "é", "\u{200D}": "\u{200D}", "🎙️": "🎙️", "流": "流",
    ]
    for (text, escaped) in escapes {
      for place in 0..<20 {
        let start = String(repeating: "x", count: place)
        #expect(try JSONFormat().text(of: start + text + "end of it") == "\"\(start)\(escaped)end of it\"")
        #expect(try JSONFormat().text(of: start + text) == "\"\(start)\(escaped)\"")
      }
    }
  }

  @Test func longListsAreWrittenInPieces() throws {
    let list = Array(repeating: sample, count: 5000)
    for format in [JSONFormat(), JSONFormat(isPretty: true), JSONFormat(isSorted: false)] {
      // Sorting keeps an object in memory until it ends.
      var (pieces, largest) = ([UInt8](), 0)
      try format.write(list) {
        pieces += $0
        largest = max(largest, $0.count)
      }
      #expect(try pieces == format.bytes(of: list))
      #expect(largest < 300_000 && pieces.count > 1_000_000)
    }
  }

  @Test func secretsInAddressesAreHidden() throws {
    let text = #"<a href="https://u:p@example.org/feed?token=abcdefgh">"#
    #expect(try JSONFormat(secrets: .hidden).text(of: text) == #""<a href=\"https://example.org/feed?token=***\">""#)
    #expect(
      try JSONFormat(secrets: .loginsHidden).text(of: text)
        == #""<a href=\"https://example.org/feed?token=abcdefgh\">""#)
    #expect(try JSONFormat().text(of: text) == #""<a href=\"https://u:p@example.org/feed?token=abcdefgh\">""#)
  }

  @Test func absentValuesAreLeftOutOrNull() throws {
    var episode = FeedEpisode()
    episode.guid = "g"
    #expect(try JSONFormat().text(of: episode) == #"{"guid":"g"}"#)
    let all = try JSONSerialization.jsonObject(with: Data(JSONFormat.feed.bytes(of: episode))) as? [String: Any]
    #expect(Set(all?.keys.map { $0 } ?? []) == Set(Mirror(reflecting: episode).children.compactMap(\.label)))
    #expect(all?["season"] is NSNull && all?["mediaBytes"] is NSNull && all?["pubDate"] is NSNull)
    #expect((all?["persons"] as? [Any])?.isEmpty == true)
  }
}
