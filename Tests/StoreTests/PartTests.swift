import Foundation
import Model
import Testing

@testable import Store

/// The small parts that everything stands on.
@Suite struct PartTests {
  @Test func theHashTellsFieldsApart() {
    func hash(_ texts: String?...) -> Int64 {
      var hash = StableHash()
      for text in texts { hash.combine(text) }
      return hash.value
    }
    let all = [
      hash("ab", "c"), hash("a", "bc"), hash("abc", ""), hash("abc", nil), hash("", "abc"), hash(nil, "abc"),
      hash("12345678"), hash("12345678", ""), hash("123456789"), hash("1234567812345678"), hash(), hash(nil), hash(""),
    ]
    #expect(Set(all).count == all.count)
    // The same in every run: it is stored.
    #expect(hash("Earshot", nil) == hash("Earshot", nil))
  }

  @Test(arguments: ["", "a", "日本", "a日b本c", "é—“x”", "🎙️a", "\u{20000}x", "ก", String(repeating: "漢", count: 1000)])
  func segmentingOnlyAddsSpaces(text: String) {
    #expect(SearchText.segmented(text).filter { $0 != " " } == text)
  }

  @Test func charactersOfUnspacedScriptsAreWords() {
    #expect(SearchText.segmented("a日本b c") == "a 日  本 b c")
    #expect(SearchText.segmented("é—“x” Привет مرحبا") == "é—“x” Привет مرحبا")
  }

  @Test func aQueryBecomesAnExpressionThatCannotFail() {
    #expect(SearchText.expression("foo bar") == "\"foo\" \"bar\"*")
    #expect(SearchText.expression("\"foo bar\" baz") == "\"foo bar\" \"baz\"*")
    #expect(SearchText.expression("baz \"foo bar") == "\"baz\" \"foo bar\"")
    #expect(SearchText.expression("AND OR NOT") == "\"AND\" \"OR\" \"NOT\"*")
    #expect(SearchText.expression(" - \" \" * ") == nil)
  }

  @Test func statusCodesAreThoseOfTheIndexes() {
    #expect(EpisodeStatus.allCases.map(\.code) == [0, 1, 2, 3, 4])
    for status in EpisodeStatus.allCases { #expect(EpisodeStatus(code: status.code) == status) }
    #expect(EpisodeStatus(code: -1) == .new && EpisodeStatus(code: 99) == .new)
  }

  @Test func everyErrorSaysWhatAndWhere() {
    let errors: [StoreError] = [
      .notALibrary(path: "/p", detail: "d"), .damaged(path: "/p", detail: "d"), .newer(path: "/p"),
      .readOnly(path: "/p"), .diskFull(path: "/p"), .busy(path: "/p"), .cannotOpen(path: "/p", detail: "d"),
      .failed(path: "/p", detail: "d"),
    ]
    for error in errors { #expect(error.description.contains("/p") && error.description.hasSuffix(".")) }
    #expect(Set(errors.map(\.description)).count == errors.count)
  }
}
