import Foundation
import Model
import Testing

@testable import Store

/// The JSON that is written directly as bytes equals that of `JSONEncoder`.
@Suite struct JSONBytesTests {
  private func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return encoder
  }

  private func written(_ write: (inout JSONBytes) -> Void) -> String {
    var json = JSONBytes(showsSecrets: true)
    write(&json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private func expected(_ value: some Encodable) throws -> String {
    String(decoding: try encoder().encode(value), as: UTF8.self)
  }

  @Test func textsAreEscapedLikeTheEncoder() throws {
    // Each character at each offset of the eight bytes that are checked together.
    for code in (UInt32(0)...0x180) + [0x7FF, 0x800, 0x2028, 0xD7FF, 0xE000, 0xFFFF, 0x1F399, 0x10FFFF] {
      let scalar = try #require(Unicode.Scalar(code))
      for place in [0, 1, 3, 6, 7, 8, 9] {
        let text = String(repeating: "x", count: place) + String(scalar) + "end of a text"
        #expect(written { $0.text(text) } == (try expected(text)), "\(code) at \(place)")
      }
    }
  }

  @Test func invalidUTF8IsRepaired() {
    for bytes in [[0x61, 0xFF, 0x62], [0xC3], [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]]
      as [[UInt8]]
    {
      var json = JSONBytes(showsSecrets: true)
      bytes.withUnsafeBufferPointer { json.text($0) }
      #expect(String(validating: json.bytes, as: UTF8.self) == "\"\(String(decoding: bytes, as: UTF8.self))\"")
    }
  }

  @Test func numbersAndDatesAreWrittenLikeTheEncoder() throws {
    for number in [0, 1, -1, 0.5, 17.782, 1e15, 1e16, 1e17, 1.5e300, -2.25e-7, 4_294_967_296] {
      #expect(written { $0.value(number) } == (try expected(number)))
    }
    var seconds = -62_135_596_800.0
    while seconds < 253_402_300_800 {
      let date = Date(timeIntervalSince1970: seconds)
      #expect(written { $0.date(seconds) } == (try expected(date)), "\(seconds)")
      seconds += 611_223_347
    }
    for seconds in [
      0, -1, -86_400, -12_219_292_801, -12_219_292_800, 951_782_400, 951_868_799, 1_709_164_800.75, -0.5, 4_107_542_399,
    ] {
      #expect(written { $0.date(seconds) } == (try expected(Date(timeIntervalSince1970: seconds))), "\(seconds)")
    }
  }

  @Test func secretsInAddressesAreHidden() {
    var json = JSONBytes(showsSecrets: false)
    json.text(#"<a href="https://u:p@example.org/feed?token=abcdefgh">"#)
    #expect(String(decoding: json.bytes, as: UTF8.self) == #""<a href=\"https://example.org/feed?token=***\">""#)
  }

  @Test func storedValuesAreWrittenAgain() throws {
    let stored = #"{"b":[{"z":1.0,"a":"x\u0009\"y\"","n":null},[],{}],"a":{"k":true,"c":-2.50e1},"x":12345678901}"#
    var json = JSONBytes(showsSecrets: true)
    Array(stored.utf8).withUnsafeBufferPointer {
      var reader = StoredReader(bytes: $0)
      reader.copy(to: &json)
    }
    let text = """
      {
        "a" : {
          "c" : -25,
          "k" : true
        },
        "b" : [
          {
            "a" : "x\\t\\"y\\"",
            "z" : 1
          },
          [

          ],
          {

          }
        ],
        "x" : 12345678901
      }
      """
    #expect(String(decoding: json.bytes, as: UTF8.self) == text)
  }

  @Test(arguments: [
    "", "not JSON", "{", "[]", "{\"a\":}", "{\"a\":1", "{\"a\":1}x", "{\"a\":1,}", "{\"a\":tru}", "{\"a\":-}",
    "{\"a\":\"b}",
    "{\"a\":\"\u{1}\"}", "{\"a\":1e}", "{\"a\" 1}", "{a:1}",
  ])
  func invalidJSONIsNoObject(text: String) {
    Array(text.utf8).withUnsafeBufferPointer { #expect(StoredObject($0) == nil) }
  }

  @Test func deeplyNestedJSONIsRefused() {
    let text = "{\"a\":" + String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000) + "}"
    Array(text.utf8).withUnsafeBufferPointer { #expect(StoredObject($0) == nil) }
  }
}
