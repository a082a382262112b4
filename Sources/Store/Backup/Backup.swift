import Foundation
import GRDB
import Model

/// An automatic backup of the library.
public struct Backup: Sendable, Equatable, Encodable {
  public var path: String
  public var date: Date
  public var bytes: Int64

  public init(path: String, date: Date, bytes: Int64) {
    self.path = path
    self.date = date
    self.bytes = bytes
  }

  /// Whether there are subscriptions beside the podcasts that come with the program. False if it cannot be read.
  var hasPodcasts: Bool {
    let sql = "SELECT 1 FROM podcast WHERE isSubscribed AND feedURL NOT LIKE 'earshot:%'"
    return (try? LibraryFile(path: path).openToRead().read { try $0.hasRow(sql) }) ?? false
  }
}

/// The directory of backups beside the library, and the rule for which of them to keep.
struct BackupDirectory {
  /// The path of the library.
  var library: String

  /// How many days have their newest backup kept, and how many weeks before those days.
  static let (days, weeks) = (7, 4)

  var path: String { URL(fileURLWithPath: library).deletingLastPathComponent().path + "/backups" }

  /// The backups, newest first. Files with other names are ignored.
  func list() -> [Backup] {
    // A missing or unreadable directory has no backups.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.compactMap { name in
      guard name.hasPrefix(prefix), name.hasSuffix(".db"),
        let date = StampedName.date(name.dropFirst(prefix.count).dropLast(3)),
        let size = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)[.size] as? Int64
      else { return nil }
      return Backup(path: path + "/" + name, date: date, bytes: size)
    }.sorted { ($0.date, $0.path) > ($1.date, $1.path) }
  }

  /// The path for a backup made now.
  func newPath(now: Date) throws(StoreError) -> String {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true,
        attributes: [.posixPermissions: Int(OwnerOnly.directoryMode)])
      OwnerOnly.restrictContents(of: path)
    } catch {
      throw .cannotOpen(path: path, detail: FileFailure.text(error))
    }
    return "\(path)/\(prefix)\(StampedName.stamp(now)).db"
  }

  /// Deletes old backups. All backups of the newest day stay, so that a backup made after a mishap does not replace
  /// the one before it.
  /// - Parameter newest: the path of the backup that was just made, which stays even if a wrong clock gave it an old
  ///   date.
  func rotate(keeping newest: String) {
    let all = list()
    // After a loss, backups without podcasts must not replace the last one that has some.
    var kept = Set(all.first(where: \.hasPodcasts).map { [$0.path] } ?? [])
    var (days, weeks): (Set<Int>, Set<Int>) = ([], [])
    for backup in all {
      let day = Int(backup.date.seconds / 86400)
      if days.count < Self.days && days.insert(day).inserted || days == [day] {
        kept.insert(backup.path)
      } else if days.count == Self.days, !days.contains(day), weeks.count < Self.weeks, weeks.insert(day / 7).inserted {
        kept.insert(backup.path)
      }
    }
    for backup in all where !kept.contains(backup.path) && backup.path != newest {
      // A file that cannot be deleted only costs space.
      try? FileManager.default.removeItem(atPath: backup.path)
    }
  }

  /// How the names of backups begin.
  var prefix: String { URL(fileURLWithPath: library).deletingPathExtension().lastPathComponent + "-" }
}

/// File names with a time stamp.
enum StampedName {
  /// `20250131-235959`, in UTC.
  static func stamp(_ date: Date) -> String {
    let format = Date.VerbatimFormatStyle(
      format:
        "\(year: .padded(4))\(month: .twoDigits)\(day: .twoDigits)-\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased))\(minute: .twoDigits)\(second: .twoDigits)",
      locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
    return date.formatted(format)
  }

  /// `BASE-20250131-235959`, with a UUID appended if the name is taken.
  static func free(_ base: String, now: Date) -> String {
    let name = "\(base)-\(stamp(now))"
    guard FileManager.default.fileExists(atPath: name) else { return name }
    return "\(name)-\(UUID().uuidString.lowercased())"
  }

  /// Parses a stamp. Nil for any other text.
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
