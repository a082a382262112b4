import Foundation
import GRDB
import Model

/// SQL functions for filters. Each connection has them. The database does not store their results.
enum FilterFunctions {
  static func add(to db: Database) {
    // SQLite itself only folds ASCII.
    db.add(
      function: DatabaseFunction("folded", argumentCount: 1, pure: true) { values in
        String.fromDatabaseValue(values[0])?.folded
      })
    // The day of the week of seconds since 1970 in a time zone; 1 is Monday. NULL without a date.
    db.add(
      function: DatabaseFunction("weekday", argumentCount: 2, pure: true) { values in
        guard let seconds = Double.fromDatabaseValue(values[0]), abs(seconds) < 1e11,
          let zone = String.fromDatabaseValue(values[1]).flatMap(TimeZone.init(identifier:))
        else { return nil }
        let local = seconds + Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds)))
        let day = Int((local / 86_400).rounded(.down))
        // 1 January 1970 was a Thursday.
        return ((day + 3) % 7 + 7) % 7 + 1
      })
  }
}
