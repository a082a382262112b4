import Model
import Testing

/// JSON of others.
@Suite struct JSONValueTests {
  @Test(
    arguments: [
      (#"[NaN, Infinity, -Infinity, -1]"#, "[null,null,null,-1]"), (#"["NaN"]"#, #"["NaN"]"#),
      ("\u{FEFF} [1]\u{0}\n", "[1]"), ("[1,]", "[1]"), (#"{"a":1,"a":2,}"#, #"{"a":2}"#),
      ("[\"a\tb\u{1}\"]", #"["a\tb\u0001"]"#),
      (#"["\ud800\u0041", "\udc00", "\ud83c"]"#, "[\"\u{FFFD}A\",\"\u{FFFD}\",\"\u{FFFD}\"]"),
      (#"["\ud800\ud83c\udf19"]"#, "[\"\u{FFFD}🌙\"]"), ("[1e999]", "[null]"), (#"["\q"]"#, #"["q"]"#),
    ])
  func damagedTextsAreRead(_ text: String, _ read: String) { #expect(JSONValue(text)?.text == read) }

  @Test(arguments: [
    "", " ", "[1", "[1]]", "[,]", "{,}", "[1 2]", "[-]", "[nan]", "[-Infinit]", "[NaN5]", #"["\u12"]"#,
    #"["\ud800\u12"]"#,
    #"["\"#, #"{"a"}"#, "{a:1}", "<html>",
  ])
  func otherTextsAreRefused(_ text: String) { #expect(JSONValue(text) == nil) }

  @Test func depthIsLimited() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(JSONValue(nested(64)) != nil && JSONValue(nested(65)) == nil && JSONValue(nested(100_000)) == nil)
  }

  @Test func valuesOfOtherTypesAreTaken() throws {
    let value = try #require(
      JSONValue(#"{"text":"12.5","bad":"inf","flag":true,"zero":0,"word":"false","huge":1e999}"#))
    #expect(value["text"]?.number == 12.5 && value["text"]?.int == 12 && value["bad"]?.number == nil)
    #expect(value["flag"]?.bool == true && value["flag"]?.number == nil && value["zero"]?.bool == false)
    #expect(value["word"]?.bool == nil && value["huge"]?.number == nil && value["huge"]?["x"] == nil)
  }
}
