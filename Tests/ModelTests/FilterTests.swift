import Seeded
import Testing

@testable import Model

/// Parsing and writing filters of smart playlists.
@Suite struct FilterTests {
  private func parsed(_ text: String) throws -> EpisodeFilter { try EpisodeFilter(parsing: text) }

  private func problem(_ text: String) -> FilterError? {
    do throws(FilterError) {
      _ = try EpisodeFilter(parsing: text)
      return nil
    } catch { return error }
  }

  @Test func filterOfTheDocumentation() throws {
    let filter = try parsed(#"unplayed and duration < 30m and tag:news and not title ~ "best of""#)
    #expect(
      filter
        == EpisodeFilter(
          .all([
            .flag(.unplayed), .number(.duration, .less, 1800), .text(.tag, .equals, "news"),
            .not(.text(.title, .contains, "best of")),
          ])))
  }

  @Test func filterOrBindsLessTightlyThanAndAndNot() throws {
    #expect(
      try parsed("new or not played downloaded").condition
        == .any([.flag(.new), .all([.not(.flag(.played)), .flag(.downloaded)])]))
    #expect(
      try parsed("(new or played) and queued").condition
        == .all([.any([.flag(.new), .flag(.played)]), .flag(.queued)]))
  }

  @Test(arguments: [
    ("duration<=1h30m", EpisodeFilter.Condition.number(.duration, .atMost, 5400)),
    ("duration<9999:00:00", .number(.duration, .less, 35_996_400)),
    ("DURATION ≤ 1:30:00", .number(.duration, .atMost, 5400)), ("left:90:00", .number(.left, .equal, 5400)),
    ("position > 1.5min", .number(.position, .more, 90)), ("age < 2w", .number(.age, .less, 1_209_600)),
    ("age>=3mo", .number(.age, .atLeast, 7_776_000)), ("size>50MB", .number(.size, .more, 50_000_000)),
    ("season = 2", .number(.season, .equal, 2)), ("episode != 7", .number(.episode, .unequal, 7)),
    ("published >= 2026-11", .date(.published, .atLeast, .date(year: 2026, month: 11, day: nil))),
    ("heard:yesterday", .date(.heard, .equal, .daysAgo(1))),
    ("published < 2024-02-29", .date(.published, .less, .date(year: 2024, month: 2, day: 29))),
    ("status:paused", .status(.paused)), ("status != played", .not(.status(.played))),
    ("has:chapters", .has(.chapters)),
    ("podcast:\"The \\\"Show\\\"\"", .text(.podcast, .contains, "The \"Show\"")),
    ("title !~ rerun", .not(.text(.title, .contains, "rerun"))),
    ("\"two words\"", .text(.title, .contains, "two words")),
    ("rule:Daily", .text(.rule, .equals, "Daily")),
    ("language:de", .text(.language, .equals, "de")), ("category ~ com", .text(.category, .contains, "com")),
    ("weekday:monday", .number(.weekday, .equal, 1)), ("weekday != SAT", .number(.weekday, .unequal, 6)),
    ("explicit", .flag(.explicit)), ("first", .flag(.first)), ("catalogue", .flag(.catalogue)),
    ("<20m", .number(.duration, .less, 1200)),
    ("unplayed >= 1h", .all([.flag(.unplayed), .number(.duration, .atLeast, 3600)])),
    ("deleted", .flag(.deleted)), ("status:deleted", .status(.deleted)),
    ("title ~ and", .text(.title, .contains, "and")), ("people:Ana", .text(.people, .contains, "Ana")),
  ]) func filterTerms(text: String, condition: EpisodeFilter.Condition) throws {
    #expect(try parsed(text).condition == condition)
  }

  @Test func filterEndsWithOrderAndLimit() throws {
    let filter = try parsed("unplayed order shortest limit 20")
    #expect(filter.order == .shortest && filter.limit == 20)
  }

  @Test(arguments: [
    ("", 0, 0, "a condition"), ("duration", 8, 0, "after “duration”"), ("duration < 30x and new", 11, 3, "a length"),
    ("duration <", 10, 0, "a length"), ("bogus", 0, 5, "a condition"), ("(new or played", 14, 0, "“)”"),
    ("new)", 3, 1, "“and”"), ("new order by", 10, 2, "newest"), ("new limit 0", 10, 1, "a number"),
    ("title ~ \"open", 8, 5, "closing quotation mark"), ("tag:\"\"", 4, 2, "a text"), ("notes = x", 6, 1, ": ~ !~"),
    ("published > 2026-02-30", 12, 10, "a day"), ("status:removed", 7, 7, "paused"), ("weekday:mo", 8, 2, "monday"),
    ("weekday < mon", 8, 1, "one of : = !="), ("not", 3, 0, "a condition"),
    ("new and", 7, 0, "a condition"), ("has:(new)", 4, 4, "chapters"), ("! new", 0, 1, "a condition"),
    ("duration < 99999999999999999999h", 11, 21, "a length"), ("limit 5", 0, 5, "a condition"),
  ]) func filterErrorPointsAtTheMistake(text: String, offset: Int, length: Int, expected: String) throws {
    let error = try #require(problem(text))
    #expect(error.offset == offset && error.length == length, "\(error)")
    #expect(error.description.contains(expected))
  }

  @Test func filterErrorIsMarkedInTheLineBelow() throws {
    let text = "new and duration < soon"
    let error = try #require(problem(text))
    #expect(error.pointing(into: text) == text + "\n                   ^^^^")
  }

  @Test func filterWithDeepNestingIsRefused() throws {
    #expect(problem(String(repeating: "(", count: 100_000) + "new")?.expected == [.lessNesting])
    #expect(problem(String(repeating: "not ", count: 100_000) + "new")?.expected == [.lessNesting])
    // Many conditions in a row are not nested. SQLite takes no more than a thousand.
    #expect(problem(String(repeating: "new ", count: 250)) == nil)
    #expect(problem(String(repeating: "new ", count: 251))?.expected == [.fewerConditions])
    #expect(problem(String(repeating: "title:x or ", count: 1100) + "new")?.expected == [.fewerConditions])
  }

  // MARK: Narrowing a list

  @Test(arguments: [
    ("zürich", EpisodeFilter.Condition.text(.title, .contains, "zürich")),
    (
      "zürich money <20m",
      .all([
        .text(.title, .contains, "zürich"), .text(.title, .contains, "money"), .number(.duration, .less, 1200),
      ])
    ),
    ("not rerun or played", .any([.not(.text(.title, .contains, "rerun")), .flag(.played)])),
  ]) func typedWordsAreSearchedInTheTitles(text: String, condition: EpisodeFilter.Condition) throws {
    #expect(try EpisodeFilter(typed: text).condition == condition)
    #expect(throws: FilterError.self) { try EpisodeFilter(parsing: text) }
  }

  @Test func typedFilterRefusesAnUnknownField() {
    for text in ["sizze:3", "duration", "tag:", "<", "not", "(a"] {
      #expect(throws: FilterError.self, "\(text)") { try EpisodeFilter(typed: text) }
    }
  }

  /// While `duration<20m` is typed, no part of it is taken for a title.
  @Test func beginningOfAWordIsNotATitleYet() throws {
    for text in ["", "d", "dura", "duration", "un", " ", "not d"] {
      #expect(try EpisodeFilter.typing(text) == nil, "\(text)")
    }
    #expect(try EpisodeFilter.typing("unplayed")?.condition == .flag(.unplayed))
    #expect(try EpisodeFilter.typing("unplayed an")?.condition == .flag(.unplayed))
    #expect(try EpisodeFilter.typing("unplayed and dur")?.condition == .flag(.unplayed))
    #expect(try EpisodeFilter.typing("dun")?.condition == .text(.title, .contains, "dun"))
    #expect(try EpisodeFilter.typing("d ")?.condition == .text(.title, .contains, "d"))
    #expect(throws: FilterError.self) { try EpisodeFilter.typing("duration<") }
  }

  @Test func filterKnowsWhetherItFindsDeletedEpisodes() throws {
    for text in ["deleted", "not deleted", "unplayed or (tag:a and status:deleted)"] {
      #expect(try parsed(text).findsDeleted, "\(text)")
    }
    #expect(try !parsed("unplayed or gone").findsDeleted)
  }

  // MARK: Completion

  private func candidates(_ text: String) -> [String] {
    FilterCompletion(text) { $0 == .tag ? ["news", "new york", "comedy"] : [] }.candidates
  }

  @Test func filterCompletion() {
    #expect(candidates("un") == ["unplayed"])
    #expect(candidates("").contains("duration") && candidates("").contains("not"))
    #expect(candidates("unplayed ") == ["and", "or", "order", "limit"])
    #expect(candidates("unplayed and du") == ["duration"])
    #expect(candidates("duration ").contains("<="))
    #expect(candidates("tag:ne") == ["news", "\"new york\""])
    #expect(candidates("tag:\"new ") == ["\"new york\""])
    #expect(candidates("status:p") == ["playing", "paused", "played"])
    #expect(candidates("(new or played ").contains(")"))
    #expect(candidates("new order l") == ["longest"])
    #expect(candidates("bogus and ") == [])
    #expect(FilterCompletion("bogus and unp", takesWords: true).candidates == ["unplayed"])
    #expect(FilterCompletion("new and du").replaces == 8..<10)
  }

  @Test(arguments: ["The “Real” Show", #"12" vinyl"#, #"Back\slash and so on"#, "The end \\"])
  func completedTitleParsesToTheTitle(title: String) throws {
    let completion = FilterCompletion("podcast=\"") { $0 == .podcast ? [title] : [] }
    let candidate = try #require(completion.candidates.first)
    #expect(try parsed("podcast=\(candidate)").condition == .text(.podcast, .equals, title))
  }

  @Test func escapedMarksDoNotEndAValue() {
    #expect(candidates(#"podcast="12\" vinyl" a"#) == ["and"])
    #expect(candidates(#"podcast="The end \\" a"#) == ["and"])
    let title = FilterCompletion(#"podcast="12\" v"#) { $0 == .podcast ? [#"12" vinyl"#] : [] }
    #expect(title.candidates == [#""12\" vinyl""#])
  }

  /// Typing the offered completions, one after the other, never gives an error before the cursor.
  @Test func filterFromCompletionsIsValid() throws {
    var generator = SplitMix64(seed: 42)
    for _ in 0..<300 {
      var text = ""
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        let completion = FilterCompletion(text) {
          $0 == .tag || $0 == .title ? ["a", "b c"] : ["9", "30m", "7MB", "2026"]
        }
        guard let candidate = completion.candidates.randomElement(using: &generator) else { break }
        text += candidate + " "
      }
      if let error = problem(text) {
        #expect(
          error.offset >= text.count - 1 || error.expected.contains { if case .value = $0 { true } else { false } },
          "\(text): \(error)")
      }
    }
  }

  // MARK: Properties

  @Test func filterDescriptionParsesToTheSameFilter() throws {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<2000 {
      let filter = EpisodeFilter(
        .random(depth: 4, using: &generator), order: .allCases.randomElement(using: &generator) ?? .newest,
        limit: Bool.random(using: &generator) ? nil : Int.random(in: 1...9999, using: &generator))
      #expect(try parsed(filter.description) == filter, "\(filter)")
    }
  }

  @Test func filterOfAnyTextIsReadOrRefusedWithAPosition() {
    var generator = SplitMix64(seed: 99)
    let pieces = [
      "unplayed", "and", "or", "not", "(", ")", "title", "~", ":", "\"", "duration", "<", "30m", " ", "é", "\u{0}", "🎧",
      "!",
      "≤", "order", "limit", "9999999999999999999", "-", "\\", "published", "2026-13-40",
    ]
    for _ in 0..<5000 {
      let text = (0..<Int.random(in: 0...14, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }
      .joined(separator: Bool.random(using: &generator) ? " " : "")
      guard let error = problem(text) else { continue }
      #expect(error.offset >= 0 && error.offset + error.length <= text.count && !error.expected.isEmpty, "\(text)")
      #expect(!error.description.isEmpty && error.pointing(into: text).contains("^"))
    }
  }
}

extension EpisodeFilter.Condition {
  /// A random condition of the language.
  static func random(depth: Int, using generator: inout SplitMix64) -> Self {
    func parts() -> [Self] {
      (0..<Int.random(in: 2...3, using: &generator)).map { _ in random(depth: depth - 1, using: &generator) }
    }
    switch depth > 0 ? Int.random(in: 0...9, using: &generator) : Int.random(in: 3...9, using: &generator) {
    case 0: return .all(parts())
    case 1: return .any(parts())
    case 2: return .not(random(depth: depth - 1, using: &generator))
    case 3:
      let text = ["x", "two words", "a \"quote\"", "back\\slash", "and", "“so”", "音", "(", "30m"]
      return .text(
        [.title, .podcast, .tag, .type, .language, .category, .rule].randomElement(using: &generator) ?? .title,
        Bool.random(using: &generator) ? .contains : .equals, text.randomElement(using: &generator) ?? "x")
    case 4: return .text(Bool.random(using: &generator) ? .notes : .people, .contains, "word")
    case 5:
      let field = [FilterField.duration, .position, .left, .size, .season, .episode].randomElement(using: &generator)
      return .number(
        field ?? .size, .allCases.randomElement(using: &generator) ?? .less,
        Int.random(in: 0...2_000_000, using: &generator))
    case 6:
      return .number(
        .age, .allCases.randomElement(using: &generator) ?? .less, Int.random(in: 0...100_000_000, using: &generator))
    case 7:
      let day = [
        FilterDay.daysAgo(0), .daysAgo(1), .date(year: 2026, month: nil, day: nil),
        .date(year: 1999, month: 12, day: nil),
        .date(year: 2024, month: 2, day: 29),
      ]
      return .date(
        Bool.random(using: &generator) ? .published : .heard, .allCases.randomElement(using: &generator) ?? .less,
        day.randomElement(using: &generator) ?? .daysAgo(0))
    case 8 where Bool.random(using: &generator):
      return .number(
        .weekday, Bool.random(using: &generator) ? .equal : .unequal, .random(in: 1...7, using: &generator))
    case 8: return .flag(.allCases.randomElement(using: &generator) ?? .new)
    default:
      return Bool.random(using: &generator)
        ? .has(.allCases.randomElement(using: &generator) ?? .clips) : .status(.paused)
    }
  }
}
