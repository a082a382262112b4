import GRDB
import Model

/// Maintenance of the library, and the compression of notes that an older version stored as text.
extension Library {
  /// Renews the search index if most of it is dead, indexes the episodes that are marked for it, compresses notes that
  /// an older version stored as text, and merges the segments of the index. It works in steps that let other writers in
  /// between. Call it when the program is idle; an interrupted call is continued by the next one.
  /// - Parameter isWanted: called before each step; false stops.
  public func maintain(while isWanted: () -> Bool = { true }) throws(StoreError) {
    try renewSearchIndex()
    try indexAllPending(while: isWanted)
    while isWanted(), try packNotes() {}
    try mergeSearchIndex(while: isWanted)
  }

  /// Compresses the notes of the next 200 old episodes, which takes about 10 ms.
  /// - Returns: whether there may be more.
  func packNotes() throws(StoreError) -> Bool {
    let packer = NotesPacker()
    return try write { db in
      guard let last = try db.meta("notesToPack").flatMap({ Int64($0) }) else { return false }
      // Newest first, because they are read most.
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT episodeID, summary, contentHTML FROM episodeContent WHERE episodeID <= ?
          ORDER BY episodeID DESC LIMIT 200
          """, arguments: [last])
      for row in rows {
        let packed = [1, 2].map { Self.packed(row[$0], packer) }
        guard packed.contains(where: { !$0.isNull }) else { continue }
        try db.run(
          """
          UPDATE episodeContent SET summary = coalesce(?, summary), contentHTML = coalesce(?, contentHTML)
          WHERE episodeID = ?
          """, [packed[0], packed[1], try CheckedRow(row)[0] as Int64])
      }
      if let last = rows.last {
        let next = try CheckedRow(last)[0] as Int64 - 1
        try db.setMeta("notesToPack", String(next))
      } else {
        try db.setMeta("notesToPack", nil)
        try db.setMeta("compactionDue", "1")
      }
      return !rows.isEmpty
    }
  }

  /// Frees the space of the old notes once all of them are compressed. It copies the library and blocks writers, so
  /// call it at the end of a session. If another process uses the library, or the disk has no space for the copy, it
  /// is tried again later. A large library keeps its file size, and its free pages are reused.
  public func compactIfDue() throws(StoreError) {
    let isDue = try read { db in
      let size = try ["page_count", "page_size"].map { try Int.fetchOne(db, sql: "PRAGMA \($0)") ?? 0 }
      return try db.meta("compactionDue") != nil && size[0] * size[1] <= Self.largestToCompact
    }
    guard isDue else { return }
    do {
      try pool.vacuum()
    } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_FULL, .SQLITE_LOCKED].contains(error.resultCode) {
      return
    } catch {
      throw StoreError(error, path: path)
    }
    try write { try $0.setMeta("compactionDue", nil) }
  }

  /// Bytes. Copying more would take too long.
  private static let largestToCompact = 250_000_000

  /// NULL for notes that are already compressed, or do not get smaller.
  private static func packed(_ value: DatabaseValue, _ packer: NotesPacker) -> DatabaseValue {
    let packed = packer.pack(value)
    return packed == value ? .null : packed
  }
}
