import Foundation
import Testing

@testable import FeedKit

@Suite struct FeedDateTests {
  /// Spellings found in feeds, and what they mean; an empty meaning is no date.
  static let spellings: [(String, String)] = [
    // RFC 822, RFC 2822 and what becomes of them
    ("Sat, 01 Feb 2025 06:07:08 +0000", "2025-02-01T06:07:08Z"),
    ("Sat, 01 Feb 2025 06:07:08 GMT", "2025-02-01T06:07:08Z"),
    ("sat,1 feb 25 6:07 est", "2025-02-01T11:07:00Z"),
    ("1 February 2025 06:07:08 -0730", "2025-02-01T13:37:08Z"),
    ("Sat, 01-Feb-2025 06:07:08 UTC", "2025-02-01T06:07:08Z"),
    ("Saturday, February 1, 2025 6:07 PM PST", "2025-02-02T02:07:00Z"),
    ("Feb 01 2025 12:00:00 AM", "2025-02-01T00:00:00Z"),
    ("Sat, 01 Feb 2025 06:07:08 +02:00", "2025-02-01T04:07:08Z"),
    ("Sat, 01 Feb 2025 06:07:08 GMT+2", "2025-02-01T04:07:08Z"),
    ("Sat, 01 Feb 2025 06:07:08 GMT-0400 (EDT)", "2025-02-01T10:07:08Z"),
    ("Sat, 01 Feb 2025 06:07:08 Etc/GMT", "2025-02-01T06:07:08Z"),
    ("Sat, 01 Feb 2025 06:07:08 XYZ", "2025-02-01T06:07:08Z"),
    ("Sat, 01 Feb 2025", "2025-02-01T00:00:00Z"),
    ("Sat, 01 Feb 2025 24:00:00 +0000", "2025-02-02T00:00:00Z"),
    ("Fri, 28 Sept 2007 10:00:00 CEST", "2007-09-28T08:00:00Z"),
    ("01 Jan 99 00:00:00 +0000", "1999-01-01T00:00:00Z"),
    ("Sat, 2025/02/01 06:07:08 EDT", "2025-02-01T10:07:08Z"),
    // asctime
    ("Sat Feb  1 06:07:08 2025", "2025-02-01T06:07:08Z"),
    ("Sat Feb 1 06:07:08 PST 2025", "2025-02-01T14:07:08Z"),
    // ISO 8601, W3CDTF
    ("2025-02-01T06:07:08Z", "2025-02-01T06:07:08Z"),
    ("2025-02-01T06:07:08.123456+01:00", "2025-02-01T05:07:08Z"),
    ("2025-02-01T06:07:08,5-0130", "2025-02-01T07:37:08Z"),
    ("2025-02-01T06:07", "2025-02-01T06:07:00Z"),
    ("2025-02-01 06:07:08 +0100", "2025-02-01T05:07:08Z"),
    ("20250201T060708Z", "2025-02-01T06:07:08Z"),
    ("2025-02-01", "2025-02-01T00:00:00Z"),
    ("2025-02", "2025-02-01T00:00:00Z"),
    ("2025", "2025-01-01T00:00:00Z"),
    ("2025-032", "2025-02-01T00:00:00Z"),
    ("20250201", "2025-02-01T00:00:00Z"),
    ("250201", "2025-02-01T00:00:00Z"),
    ("2025/2/1 6:07:08", "2025-02-01T06:07:08Z"),
    ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
    ("1738390028", "2025-02-01T06:07:08Z"),
    // Elsewhere
    ("1.2.2025 06:07", "2025-02-01T06:07:00Z"),
    ("25/12/2024", "2024-12-25T00:00:00Z"),
    ("12/25/2024", "2024-12-25T00:00:00Z"),
    ("Sa, 01 März 2025 06:07:08 +0100", "2025-03-01T05:07:08Z"),
    ("mar., 04 févr. 2025 06:07:08 +0100", "2025-02-04T05:07:08Z"),
    ("Сб, 01 фев 2025 06:07:08 +0300", "2025-02-01T03:07:08Z"),
    ("2025년 02월 01일 06:07:08", "2025-01-31T21:07:08Z"),
    ("2025-02-01 오후 06:07:08", "2025-02-01T09:07:08Z"),
    ("2025年02月01日 06:07:08", "2025-02-01T06:07:08Z"),
    // Nonsense
    ("", ""), ("soon", ""), ("Sat, 32 Feb 2025 06:07:08 GMT", ""), ("Sat, 29 Feb 2025 06:07:08 GMT", ""),
    ("Sat, 01 Foo 2025 06:07:08 GMT", ""), ("2025-13-01", ""), ("2025-02-01T25:00:00Z", ""),
    ("2025-02-01T10:61:00Z", ""), ("2025-02-01T10:xx:00Z", ""), ("2025-02-01T10:00:00+99:99", ""),
    ("Mon, 01 Jan 0001 00:00:00 +0000", ""), ("03/04/2005", ""), ("99999", ""), ("::::", ""), ("-", ""),
    ("99999999999999999999999999", ""), ("1:2:3:4:5", ""),
  ]

  @Test("A date in any spelling", arguments: spellings)
  func reads(spelling: String, meaning: String) {
    #expect(FeedDate.parse(spelling) == (meaning.isEmpty ? nil : FeedSample.date(meaning)))
  }

  static let durations: [(String, Int?)] = [
    ("3723", 3723), ("1:02:03", 3723), ("62:03", 3723), ("01:02:03.900", 3723), (" 45 ", 45), ("00:45", 45),
    ("25:3:30", 90210), (":45", 45), ("1h 2m 3s", 3723), ("62 min", 3720), ("PT1H2M3S", 3723), ("90 minutes", 5400),
    ("12.5", 12), ("12,5", 12), ("0", nil), ("00:00:00", nil), ("-5", nil), ("a:b", nil), ("1:2:3:4", nil), ("", nil),
    ("1e9", nil), ("99999999999999", nil), ("bh:123;12j!", nil), ("nan", nil), ("1.2.3", nil), ("1 2", nil),
  ]

  @Test("A duration in any spelling", arguments: durations)
  func reads(spelling: String, seconds: Int?) { #expect(FeedScalar.duration(spelling) == seconds) }

  @Test func playTimes() {
    #expect(NormalPlayTime.parse("05:12:03.500") == 18723.5)
    #expect(NormalPlayTime.parse("0") == 0)
    #expect(NormalPlayTime.parse("npt=7:48") == 468)
    #expect(NormalPlayTime.parse("-1") == nil)
  }

  @Test func numbers() {
    #expect(FeedScalar.positive(" 31416000 ") == 31_416_000)
    #expect(FeedScalar.positive("0") == nil)
    #expect(FeedScalar.positive("99999999999999999999") == nil)
    #expect(FeedScalar.ordinal("315.5") == 315)
    #expect(FeedScalar.ordinal("one") == nil)
    #expect(FeedScalar.explicit("Clean") == false)
    #expect(FeedScalar.explicit("perhaps") == nil)
  }
}
