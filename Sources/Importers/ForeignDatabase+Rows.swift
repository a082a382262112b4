import Foundation
import GRDB

/// A row of another program's table. A column may be missing and may contain any value. Unexpected values are treated
/// as missing, without an error.
struct ForeignRow {
  let row: Row

  /// The text of a column. Nil if it is missing or empty.
  func text(_ column: String) -> String? {
    switch value(column) {
    case .string(let text): text.isEmpty ? nil : text
    case .int64(let number): String(number)
    case .blob(let data): String(data: data, encoding: .utf8).flatMap { $0.isEmpty ? nil : $0 }
    case .double, .null, nil: nil
    }
  }

  /// The number in a column, which may be stored as text.
  func number(_ column: String) -> Double? {
    switch value(column) {
    case .int64(let number): Double(number)
    case .double(let number): number.isFinite ? number : nil
    case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    case .blob, .null, nil: nil
    }
  }

  func flag(_ column: String) -> Bool { (number(column) ?? 0) != 0 }

  func integer(_ column: String) -> Int? { number(column).flatMap { Int(exactly: $0.rounded()) } }

  /// The date of a number of seconds since 1970. Nil for 0, which programs write for "never".
  /// - Parameter perSecond: the unit, such as 1000 for milliseconds.
  func date(_ column: String, perSecond: Double = 1) -> Date? {
    guard let number = number(column), number > 0, number / perSecond < 1e11 else { return nil }
    return Date(timeIntervalSince1970: number / perSecond)
  }

  private func value(_ column: String) -> DatabaseValue.Storage? {
    (row[column] as DatabaseValue?)?.storage
  }
}
