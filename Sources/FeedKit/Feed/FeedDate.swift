import Foundation
import Model

/// Parses dates in all spellings found in feeds: RFC 822 and 2822 with their common errors, ISO 8601 and W3CDTF,
/// asctime, and the formats of some blog hosts. One pass over the bytes, without regular expressions or locales.
///
/// A missing zone means UTC, a missing time means midnight. Nil for an impossible day, hour or offset, a year before
/// 1900 (.NET's year 1) or after 2999, and ambiguous dates (03/04/2005).
struct FeedDate {
  private var at: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private var year: Int?
  private var month: Int?
  private var day: Int?
  private var seconds: Int?
  private var offset: Int?
  private var isAfternoon: Bool?
  private var isKorean = false
  /// Day and month of `03/04/2005` were read in American order.
  private var isAmericanGuess = false
  /// The month name came before any number. In French and Italian it could be a weekday (`mar. 02 janv. 2024`).
  private var monthMayBeWeekday = false

  static func parse(_ text: String) -> Date? {
    var text = text
    return text.withUTF8 { parse($0) }
  }

  static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Date? {
    guard let start = bytes.baseAddress, bytes.count <= 128 else { return nil }
    var reader = FeedDate(at: start, end: start + bytes.count)
    guard reader.read() else { return nil }
    return reader.date
  }

  private init(at: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
    self.at = at
    self.end = end
  }

  // MARK: Scanning

  /// False if something cannot be part of a date.
  private mutating func read() -> Bool {
    skipBlanks()
    if let only = wholeNumber() { return only }
    while at < end {
      let byte = at.pointee
      if isDigit(byte) {
        guard readNumber() else { return false }
      } else if seconds != nil, isMinus(at), hasDigit(at + 3) {
        at += 2
        guard readOffset(sign: -1) else { return false }
      } else if isLetter(byte) {
        guard readWord() else { return false }
      } else if byte == UInt8(ascii: "("), seconds == nil ? year != nil : offset != nil {
        while at < end, at.pointee != UInt8(ascii: ")") { at += 1 }  // The zone's name, repeated.
      } else if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"), seconds != nil, hasDigit(at + 1) {
        guard readOffset(sign: byte == UInt8(ascii: "-") ? -1 : 1) else { return false }
      } else {
        at += 1
      }
    }
    return true
  }

  /// A date written as one number: an epoch, or a short form of ISO 8601 (`20031231101455`, `20031231`, `2003335`,
  /// `031231`, `-0312`, `2003`).
  private mutating func wholeNumber() -> Bool? {
    var scan = at
    if scan < end, scan.pointee == UInt8(ascii: "-") { scan += 1 }
    let first = scan
    var value = 0
    while scan < end, isDigit(scan.pointee), scan - first < 14 {
      value = value * 10 + Int(scan.pointee - 0x30)
      scan += 1
    }
    let digits = scan - first
    if digits == 10, scan < end, scan.pointee == UInt8(ascii: "."), hasDigit(scan + 1) { scan = number(scan + 1).next }
    while scan < end, scan.pointee <= 0x20 { scan += 1 }
    guard digits > 0, scan == end else { return nil }
    at = end
    switch digits {
    case 4 where (1900...2999).contains(value): (year, month, day) = (value, 1, 1)
    case 4: (year, month, day) = (Self.century(value / 100), value % 100, 1)
    case 6: (year, month, day) = (Self.century(value / 10000), value / 100 % 100, value % 100)
    case 7: setOrdinal(value / 1000, value % 1000)
    case 8: (year, month, day) = (value / 10000, value / 100 % 100, value % 100)
    case 14:
      let date = value / 1_000_000
      (year, month, day) = (date / 10000, date / 100 % 100, date % 100)
      return setTime(value / 10000 % 100, value / 100 % 100, value % 100)
    case 10, 13:
      let epoch = digits == 13 ? value / 1000 : value
      (year, month, day) = (1970, 1, 1)
      seconds = epoch
    default: return false
    }
    return true
  }

  private mutating func readNumber() -> Bool {
    let (value, digits, next) = number(at)
    let hasDate = day != nil && month != nil && year != nil
    if next < end, seconds == nil, hasDigit(next + 1), digits <= 2 {
      // After a date, `10.30` is also a time.
      let separator = next.pointee
      if separator == UInt8(ascii: ":") || separator == UInt8(ascii: ".") && hasDate {
        return readTime(hour: value, next)
      }
    }
    if year == nil, month == nil, day == nil, let numeric = numericDate(value, digits, next) { return numeric }
    at = next
    if digits == 8, year == nil, month == nil, day == nil {
      (year, month, day) = (value / 10000, value / 100 % 100, value % 100)
      return true
    }
    if hasDate {
      if seconds == nil {
        // `T12`, `3pm`: only an hour.
        if digits <= 2 { return setTime(value, 0, 0) }
        // ISO 8601's basic time, T101455.
        guard digits == 4 || digits == 6 else { return false }
        let time = digits == 6 ? value : value * 100
        return setTime(time / 10000, time / 100 % 100, time % 100)
      }
      // `0100`: an offset without its sign.
      guard offset == nil, digits == 4 else { return true }
      offset = (value / 100 * 60 + value % 100) * 60
      return isSane(offset)
    }
    if digits >= 3 || value > 31 {
      guard year == nil else { return false }
      year = digits == 2 ? Self.century(value) : digits == 3 ? 1900 + value : value
    } else if day == nil {
      day = value
    } else if year == nil {
      year = Self.century(value)
    }
    return true
  }

  /// Numbers joined by a separator: `2003-12-31`, `2003/12`, `2003-335`, `2004년 05월 28일`, `31.12.2003`, `03-12-31`.
  private mutating func numericDate(_ first: Int, _ digits: Int, _ start: UnsafePointer<UInt8>) -> Bool? {
    guard let (second, secondDigits, afterSecond) = joined(start) else { return nil }
    let third = joined(afterSecond)
    at = third?.next ?? afterSecond
    guard let (last, lastDigits, _) = third else {
      guard digits == 4 else { return nil }
      if secondDigits == 3 { setOrdinal(first, second) } else { (year, month, day) = (first, second, 1) }
      return true
    }
    if digits == 4 {
      (year, month, day) = (first, second, last)
    } else if lastDigits == 4 {
      // Day and month can be in either order. It is clear only if one of them cannot be a month.
      if first > 12 || first == second {
        (year, month, day) = (last, second, first)
      } else if second > 12 {
        (year, month, day) = (last, first, second)
      } else {
        // Countries that use points put the day first. `PM` is used in a country that puts the month first.
        isAmericanGuess = start.pointee != UInt8(ascii: ".")
        (year, month, day) = isAmericanGuess ? (last, first, second) : (last, second, first)
      }
    } else if digits == 2, lastDigits == 2 {
      (year, month, day) = (Self.century(first), second, last)
    } else {
      return false
    }
    return true
  }

  /// The number after a separator. In Korean, Chinese and Japanese, the separator is a word.
  private mutating func joined(
    _ start: UnsafePointer<UInt8>
  ) -> (value: Int, digits: Int, next: UnsafePointer<UInt8>)? {
    guard start < end else { return nil }
    var scan = start
    if [UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: ".")].contains(scan.pointee) {
      scan += 1
    } else if scan.pointee >= 0xE0 {
      if scan.pointee >= 0xEB { isKorean = true }  // 년 월 일; 年 月 日 start with E5…E6.
      while scan < end, scan.pointee >= 0x80 { scan += 1 }
      while scan < end, scan.pointee == 0x20 { scan += 1 }
    } else {
      return nil
    }
    guard hasDigit(scan) else { return nil }
    let found = number(scan)
    // Excludes the hour of a time, as in `2003-12-31T10:14`.
    return found.next < end && found.next.pointee == UInt8(ascii: ":") ? nil : found
  }

  private mutating func readTime(hour: Int, _ separator: UnsafePointer<UInt8>) -> Bool {
    let (minute, _, afterMinute) = number(separator + 1)
    var second = 0
    at = afterMinute
    if at < end, at.pointee == separator.pointee {
      guard hasDigit(at + 1) else { return false }
      let (value, _, next) = number(at + 1)
      second = value
      at = next
    }
    if at < end, at.pointee == UInt8(ascii: ".") || at.pointee == UInt8(ascii: ","), hasDigit(at + 1) {
      at = number(at + 1).next
    } else if at + 1 < end, at.pointee == UInt8(ascii: ":") {
      // `10:14:55:00` (frames), `10:14:55:-0800`.
      at = number(at + 1).next
    }
    // A letter that is not part of a zone makes the time invalid: `09:xx:00`, `10:14Zx`.
    return setTime(hour, minute, second)
  }

  private mutating func setTime(_ hour: Int, _ minute: Int, _ second: Int) -> Bool {
    guard hour <= 23 || hour == 24 && minute == 0 && second == 0, minute <= 59, second <= 60 else { return false }
    seconds = hour * 3600 + minute * 60 + second
    return true
  }

  /// An offset: `+0100`, `-08:00`, `+1`.
  private mutating func readOffset(sign: Int) -> Bool {
    let (value, digits, next) = number(at + 1)
    at = next
    var minutes = digits <= 2 ? value * 60 : value / 100 * 60 + value % 100
    if digits > 2, value % 100 > 59 { return false }
    if digits <= 2, at < end, at.pointee == UInt8(ascii: ":"), hasDigit(at + 1) {
      let (more, _, after) = number(at + 1)
      guard more <= 59 else { return false }
      minutes += more
      at = after
    }
    offset = sign * minutes * 60
    return isSane(offset)
  }

  private func isSane(_ offset: Int?) -> Bool { abs(offset ?? 0) <= 15 * 3600 }

  private mutating func readWord() -> Bool {
    let start = at
    while at < end, isLetter(at.pointee) { at += 1 }
    let word = UnsafeBufferPointer(start: start, count: at - start)
    // `Mon,`: a weekday in any language. Without a preceding number, it is not a month.
    var after = at
    if after < end, after.pointee == UInt8(ascii: ".") { after += 1 }
    if after < end, after.pointee == UInt8(ascii: ","), day == nil, year == nil, month == nil,
      !(word.count > 3 && FeedDateWords.month(word) != nil)
    {
      return true
    }
    if month == nil || monthMayBeWeekday, let found = FeedDateWords.month(word) {
      monthMayBeWeekday = month == nil && day == nil && year == nil
      month = found
      return true
    }
    if word.count == 1, at + 1 < end, at[0] == UInt8(ascii: "."), at[1] | 0x20 == UInt8(ascii: "m") {
      // `p.m.`
      isAfternoon = word[0] | 0x20 == UInt8(ascii: "p")
      at += 2
      return true
    }
    if let afternoon = FeedDateWords.isAfternoon(word) {
      isAfternoon = afternoon
      if word.first.map({ $0 >= 0xEB }) ?? false { isKorean = true }
      return true
    }
    if seconds != nil, offset == nil, let zone = FeedDateWords.zone(word) { offset = zone }
    // Letters within a time are invalid (`09:xx`).
    return !(seconds != nil && at < end && at.pointee == UInt8(ascii: ":"))
  }

  // MARK: Result

  private var date: Date? {
    guard let year, let month, let day, (1900...2999).contains(year), (1...12).contains(month) else { return nil }
    guard day >= 1, day <= Gregorian.days(in: month, year), !isAmericanGuess || isAfternoon != nil else { return nil }
    var time = seconds ?? 0
    if let isAfternoon {
      let hour = time / 3600
      if isAfternoon, hour < 12 { time += 12 * 3600 }
      if !isAfternoon, hour == 12 { time -= 12 * 3600 }
    }
    let zone = offset ?? (isKorean ? 9 * 3600 : 0)
    return Date(timeIntervalSince1970: Double(Gregorian.daysSinceEpoch(year, month, day) * 86400 + time - zone))
  }

  private mutating func setOrdinal(_ year: Int, _ dayOfYear: Int) {
    var rest = dayOfYear
    for month in 1...12 {
      let days = Gregorian.days(in: month, year)
      if rest <= days {
        (self.year, self.month, day) = (year, month, rest)
        return
      }
      rest -= days
    }
  }

  // MARK: Bytes

  /// Only nine digits count, because longer numbers are never valid.
  private func number(_ start: UnsafePointer<UInt8>) -> (value: Int, digits: Int, next: UnsafePointer<UInt8>) {
    var value = 0
    var scan = start
    while scan < end, isDigit(scan.pointee) {
      if scan - start < 9 { value = value * 10 + Int(scan.pointee - 0x30) }
      scan += 1
    }
    return (value, scan - start, scan)
  }

  /// RFC 2822 §4.3: two-digit years below 50 are in this century.
  private static func century(_ short: Int) -> Int { short + (short < 50 ? 2000 : 1900) }

  /// The minus sign U+2212 or the en dash U+2013, which word processors write for `-`.
  private func isMinus(_ scan: UnsafePointer<UInt8>) -> Bool {
    guard end - scan >= 3, scan[0] == 0xE2 else { return false }
    return scan[1] == 0x88 && scan[2] == 0x92 || scan[1] == 0x80 && scan[2] == 0x93
  }

  private func hasDigit(_ scan: UnsafePointer<UInt8>) -> Bool { scan < end && isDigit(scan.pointee) }
  private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
  private func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A || byte >= 0x80 }
  private mutating func skipBlanks() { while at < end, at.pointee <= 0x20 { at += 1 } }
}
