import Foundation
import Model
import Seeded
import Testing

@testable import AppCore

@Suite struct CalendarRulesTests {
  /// Compares dates of three centuries with Foundation's.
  @Test func civilDatesEqualFoundations() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    var random = SplitMix64(seed: 1)
    for _ in 0..<5000 {
      // 1900-01-01 to 2200-01-01.
      let date = Date(timeIntervalSince1970: Double.random(in: -2_208_988_800..<7_258_118_400, using: &random))
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      let (year, month, day) = Gregorian.date(ofDay: CalendarRules.utc.day(of: date))
      #expect(year == parts.year && month == parts.month && day == parts.day, "\(date)")
    }
  }

  @Test(arguments: [
    (-2_208_988_800.0, "1 Jan 1900"), (-1, "31 Dec 1969"), (0, "1 Jan 1970"), (951_782_400, "29 Feb 2000"),
    (4_107_456_000, "28 Feb 2100"), (4_107_542_400, "1 Mar 2100"), (-62_135_596_800, "1 Jan 1"),
  ]) func days(seconds: Double, text: String) {
    #expect(CalendarRules.utc.day(Date(timeIntervalSince1970: seconds)) == text)
  }

  @Test func dayDependsOnTheTimeZone() throws {
    func day(_ date: Date, offset: Int) throws -> Int {
      CalendarRules(zone: try #require(TimeZone(secondsFromGMT: offset))).day(of: date)
    }
    let midnight = Date(timeIntervalSince1970: 86_400 * 100)
    #expect(try day(midnight, offset: -1) == 99)
    #expect(try day(midnight + 43_200, offset: 43_199) == 100)
    #expect(try day(midnight + 43_200, offset: 43_200) == 101)
    #expect(CalendarRules.utc.day(of: midnight) == 100)
  }

  @Test func rowDaysAreRelative() {
    let now = Driver.now
    func text(_ days: Double) -> String {
      CalendarRules.utc.listDay(now.addingTimeInterval(-days * 86_400), now: now)
    }
    #expect(text(0) == "today")
    #expect(text(0.4) == "today")
    #expect(text(0.6) == "yesterday")
    #expect(text(2) == "19 Nov")
    #expect(text(182) == "23 May")
    #expect(text(183) == "22 May 2025")
    #expect(text(-2) == "23 Nov")
    #expect(text(-183) == "23 May 2026")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 1e13, 9.9e12, -9.9e12])
  func extremeDatesDoNotTrap(seconds: Double) {
    let date = Date(timeIntervalSince1970: seconds)
    #expect(!CalendarRules.utc.day(date).isEmpty)
    #expect(!CalendarRules.utc.listDay(date, now: Driver.now).isEmpty)
  }
}
