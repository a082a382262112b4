import Foundation
import Model
import Testing

@testable import Store

/// Small helpers that the other parts use.
@Suite struct PartTests {
  @Test func hashDistinguishesFields() {
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
    // The same in every run, because it is stored.
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

  @Test(arguments: [
    ("foo bar", "\"foo\" AND \"bar\"*"), ("foo bar ", "\"foo\" AND \"bar\""), ("fo* b", "\"fo*\"* AND \"b\""),
    ("\"foo bar\" baz", "\"foo bar\" AND \"baz\"*"), ("baz \"foo bar", "\"baz\" AND \"foo bar\""),
    ("AND OR NOT", "\"and\" AND \"or\" AND \"not\"*"), (" - \" \" * ", nil), ("after:2024", nil),
    ("podcast:x", nil), ("title:x", "\"title:x\"*"), ("after:soon", "\"after:soon\"*"), ("流", "\" 流 \"*"),
  ])
  func queryBecomesAValidExpression(text: String, expression: String?) {
    #expect(SearchQuery(text, timeZone: .gmt).expression == expression)
  }

  @Test func filtersAreReadOffAQuery() {
    let query = SearchQuery("tea podcast:\"The Daily\" after:2024-02 before:2024-02-29 PODCAST:über", timeZone: .gmt)
    #expect(query.podcasts == ["the daily", "uber"])
    #expect(query.after == 1_706_745_600 && query.before == 1_709_251_200)
    #expect(query.terms == [SearchQuery.Term(text: "tea", kind: .word)])
    // The day begins in the listener's time zone.
    let east = SearchQuery("after:2024", timeZone: TimeZone(secondsFromGMT: 3600) ?? .gmt)
    #expect(east.after == 1_704_063_600)
    #expect(SearchQuery("after:20 x", timeZone: .gmt).after == nil)
    #expect(SearchQuery("after:2024-99-99999999999999999999", timeZone: .gmt).after == nil)
  }

  @Test func statusCodesAreThoseOfTheIndexes() throws {
    #expect(EpisodeStatus.allCases.map(\.code) == [0, 1, 2, 3, 4])
    for status in EpisodeStatus.allCases { #expect(try EpisodeStatus(code: status.code) == status) }
    // Codes of a newer version are refused instead of being read as "new".
    for code in [-1, 5, 99] { #expect(throws: StoreError.self) { try EpisodeStatus(code: code) } }
  }

  @Test func errorsHaveCauseAndPath() {
    let errors: [StoreError] = [
      .notALibrary(path: "/p", detail: "d"), .damaged(path: "/p", detail: "d"), .newer(path: "/p"),
      .readOnly(path: "/p"), .diskFull(path: "/p"), .busy(path: "/p"), .cannotOpen(path: "/p", detail: "d"),
      .failed(path: "/p", detail: "d"), .cannotCopy(path: "/p", detail: "d"),
    ]
    for error in errors { #expect(error.description.contains("/p") && error.description.hasSuffix(".")) }
    #expect(Set(errors.map(\.description)).count == errors.count)
  }
}
