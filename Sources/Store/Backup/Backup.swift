import Foundation
import GRDB

/// A copy of the library that was made by itself.
public struct Backup: Sendable, Equatable {
  public var path: String
  public var date: Date
  public var bytes: Int64
}

/// The directory of backups beside the library, and which of them are kept.
struct BackupDirectory {
  /// Of the library.
  var library: String

  /// The newest of so many days are kept, and the newest of so many weeks before them.
  static let (days, weeks) = (7, 4)

  var path: String { URL(fileURLWithPath: library).deletingLastPathComponent().path + "/backups" }

  /// The newest first. What is named otherwise is not ours.
  func list() -> [Backup] {
    // A directory that is not there, or cannot be read, has none.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.compactMap { name in
      guard name.hasPrefix(prefix), name.hasSuffix(".db"),
        let date = StampedName.date(name.dropFirst(prefix.count).dropLast(3)),
        let size = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)[.size] as? Int64
      else { return nil }
      return Backup(path: path + "/" + name, date: date, bytes: size)
    }.sorted { ($0.date, $0.path) > ($1.date, $1.path) }
  }

  /// The name of a backup that is made now.
  func newPath(now: Date) throws(StoreError) -> String {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true,
        attributes: [.posixPermissions: Int(OwnerOnly.directoryMode)])
      OwnerOnly.tightenContents(of: path)
    } catch {
      throw .cannotOpen(path: path, detail: error.localizedDescription)
    }
    return "\(path)/\(prefix)\(StampedName.stamp(now)).db"
  }

  /// Removes what is too old. Of the newest day all stay: one that is made after a mishap must not cost the one from
  /// before it.
  func rotate() {
    let all = list()
    var kept: Set<String> = []
    var (days, weeks): (Set<Int>, Set<Int>) = ([], [])
    for backup in all {
      let day = Int(backup.date.seconds / 86400)
      if days.count < Self.days && days.insert(day).inserted || days == [day] {
        kept.insert(backup.path)
      } else if days.count == Self.days, !days.contains(day), weeks.count < Self.weeks, weeks.insert(day / 7).inserted {
        kept.insert(backup.path)
      }
    }
    for backup in all where !kept.contains(backup.path) {
      // One that cannot be removed costs room, nothing else.
      try? FileManager.default.removeItem(atPath: backup.path)
    }
  }

  private var prefix: String { URL(fileURLWithPath: library).deletingPathExtension().lastPathComponent + "-" }
}

/// Names of files that say when they were made.
enum StampedName {
  /// `20250131-235959`, in UTC.
  static func stamp(_ date: Date) -> String {
    let format = Date.VerbatimFormatStyle(
      format:
        "\(year: .padded(4))\(month: .twoDigits)\(day: .twoDigits)-\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased))\(minute: .twoDigits)\(second: .twoDigits)",
      locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
    return date.formatted(format)
  }

  /// `BASE-20250131-235959`, with more when that is taken.
  static func free(_ base: String, now: Date) -> String {
    let name = "\(base)-\(stamp(now))"
    guard FileManager.default.fileExists(atPath: name) else { return name }
    return "\(name)-\(UUID().uuidString.lowercased())"
  }

  /// What `stamp` has made; nil for anything else.
  static func date(_ text: Substring) -> Date? {
    let parts = text.split(separator: "-")
    guard parts.count == 2, parts[0].count == 8, parts[1].count == 6, let day = Int(parts[0]), let time = Int(parts[1])
    else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let components = DateComponents(
      year: day / 10000, month: day / 100 % 100, day: day % 100, hour: time / 10000, minute: time / 100 % 100,
      second: time % 100)
    return components.isValidDate(in: calendar) ? calendar.date(from: components) : nil
  }
}
