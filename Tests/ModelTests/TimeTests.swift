import Foundation
import Testing

@testable import Model

@Suite struct TimeTextTests {
  @Test(
    arguments: [
      (0, "0:00"), (5, "0:05"), (59.99, "0:59"), (245, "4:05"), (754, "12:34"), (3599, "59:59"), (3723, "1:02:03"),
      (36_000, "10:00:00"), (360_000, "100:00:00"),
      (-5, "-0:05"),
      (-0.5, "0:00"), (.nan, "-:--"), (.infinity, "-:--"), (1e300, "876000:00:00"),
    ] as [(Double, String)])
  func clockText(_ seconds: Double, _ expected: String) { #expect(TimeText.clock(seconds) == expected) }

  @Test(
    arguments: [
      (0, "0s"), (30, "30s"), (59.6, "1m"), (89, "1m"), (90, "2m"), (2700, "45m"), (3599, "1h 00m"), (3720, "1h 02m"),
      (36_000, "10h 00m"), (-4, "0s"), (.nan, ""),
    ] as [(Double, String)])
  func shortDuration(_ seconds: Double, _ expected: String) { #expect(TimeText.short(seconds) == expected) }

  /// Files of other programs have any number.
  @Test(arguments: [1e300, -1e300, .infinity, -.infinity, .nan]) func anyNumberHasATextAndADate(number: Double) {
    _ = TimeText.whole(number)
    #expect(ISODate.text(Date(timeIntervalSince1970: number)).hasSuffix("Z"))
  }

  @Test func spanFitsTheTimesThatAreShown() {
    #expect(TimeText.span(213.9, 215.2) == 2)
    #expect(TimeText.span(27.262, 60.012) == 33)
    #expect(TimeText.span(0, 0.9) == 0)
  }
}

@Suite struct GregorianTests {
  @Test func daysAndDatesAreEachOthersInverse() {
    var expected = (year: 1896, month: 1, day: 1)
    for number in Gregorian.daysSinceEpoch(1896, 1, 1)...Gregorian.daysSinceEpoch(2104, 12, 31) {
      #expect(Gregorian.date(ofDay: number) == expected)
      #expect(Gregorian.daysSinceEpoch(expected.year, expected.month, expected.day) == number)
      expected.day += 1
      if expected.day > Gregorian.days(in: expected.month, expected.year) {
        expected = expected.month == 12 ? (expected.year + 1, 1, 1) : (expected.year, expected.month + 1, 1)
      }
    }
    #expect(expected == (2105, 1, 1))
  }

  @Test func dateTextHasTheKnownParts() {
    #expect(Gregorian.text(2026, 11, 5) == "2026-11-05")
    #expect(Gregorian.text(2026, 1) == "2026-01")
    #expect(Gregorian.text(33) == "0033")
  }
}
