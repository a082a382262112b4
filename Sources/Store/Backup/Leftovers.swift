import Foundation

/// Deletes files that restoring and opening leave beside the library.
extension Library {
  /// How many replaced libraries are kept, and for how many days. Each is as large as the library.
  static let (replacedKept, replacedDays) = (2, 30)

  /// Deletes libraries that were replaced long ago, and files of an interrupted restore or backup. Hold the
  /// `PlayerLock`, because another process may be restoring.
  public static func removeLeftovers(of path: String, now: Date) {
    let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let base = URL(fileURLWithPath: path).lastPathComponent
    // Files that cannot be listed or deleted only cost space.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    let unfinished = [
      restoring, restoring + "-wal", restoring + "-shm", restoring + "-journal", ".before-migration.part",
    ]
    var removed = names.filter { name in unfinished.contains { name == base + $0 } }
    let replaced = names.compactMap { name -> (name: String, date: Date)? in
      // `earshot.db.replaced-20250131-235959`, possibly with a UUID appended.
      let prefix = base + ".replaced-"
      guard name.hasPrefix(prefix), !name.hasSuffix("-wal"), !name.hasSuffix("-shm") else { return nil }
      return StampedName.date(name.dropFirst(prefix.count).prefix(15)).map { (name, $0) }
    }.sorted { ($0.date, $0.name) > ($1.date, $1.name) }
    for (index, file) in replaced.enumerated()
    where index >= replacedKept || now.timeIntervalSince(file.date) > Double(replacedDays) * 86400 {
      removed += ["", "-wal", "-shm"].map { file.name + $0 }
    }
    for name in removed { try? FileManager.default.removeItem(atPath: directory + "/" + name) }
  }
}
