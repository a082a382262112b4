import Foundation
import Model

/// Writes `2011-04-27T07:00:00Z` without a formatter: thousands of dates a feed are common.
enum ISODate {
  static func text(_ date: Date) -> String {
    let seconds = Int(date.timeIntervalSince1970.rounded(.down))
    let days = seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400
    let time = seconds - days * 86400
    let (year, month, day) = Gregorian.date(ofDay: days)
    return Gregorian.text(year, month, day) + "T" + Gregorian.padded(time / 3600, 2) + ":"
      + Gregorian.padded(time / 60 % 60, 2) + ":" + Gregorian.padded(time % 60, 2) + "Z"
  }
}
