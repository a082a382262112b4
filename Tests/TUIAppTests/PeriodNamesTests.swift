import Foundation
import Testing

@testable import TUIApp

/// The names of days, weeks and months on the page of statistics, and days in a row.
@Suite(InTurn()) struct PeriodNamesTests {
  private static var names: PeriodNames {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    calendar.firstWeekday = 2
    // Friday, 2025-11-21, 12:00 UTC.
    return PeriodNames(now: Date(timeIntervalSince1970: 1_763_726_400), calendar: calendar)
  }

  private static func day(_ ago: Int) -> Date { names.now.addingTimeInterval(-Double(ago) * 86_400 - 43_200) }

  @Test func periodsAreNamedAsPeopleSayThem() {
    let names = Self.names
    #expect([0, 1, 2, 13].map { names.day(Self.day($0)) } == ["today", "yesterday", "Wed 19 Nov", "Sat 8 Nov"])
    #expect([4, 11, 18].map { names.week(Self.day($0)) } == ["this week", "last week", "from 3 Nov"])
    #expect(names.month(Self.day(20)) == "Nov 2025")
  }

  @Test(
    arguments: [
      ([], nil), ([0], nil), ([0, 1, 2], "3 days in a row; 3 at most"), ([1, 2], "2 days in a row; 2 at most"),
      ([2, 3], "At most 2 days in a row"), ([0, 2, 3, 4], "At most 3 days in a row"),
      ([0, 1, 4, 5, 6, 9], "2 days in a row; 3 at most"),
    ] as [([Int], String?)]) func daysInARowAreCounted(days: [Int], text: String?)
  {
    #expect(Self.names.streaks(days.map(Self.day)) == text)
  }
}
