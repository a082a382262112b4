import Foundation
import GRDB
import Model

/// Podcasts that are folders of the listener (`FolderAddress`).
extension Library {
  /// The address of the podcast below whose folder the file is, also of a former subscription. Nil: there is none.
  public func folder(of address: String) throws(StoreError) -> String? {
    guard FolderAddress.isLocal(address) else { return nil }
    return try read { db in
      try String.fetchAll(db, "SELECT feedURL FROM podcast WHERE \(FolderPodcast.condition)")
        .first { FolderAddress.contains($0, address) }
    }
  }

  /// Records that the listener has added these podcasts, as one step of the undo log.
  public func recordAdded(_ podcasts: [PodcastID], label: String, now: Date) throws(StoreError) {
    guard !podcasts.isEmpty else { return }
    try write { db in
      _ = try UndoLog.record(db, label: label, step: .adoption(subscribed: podcasts, tags: []), now: now)
    }
  }
}

enum FolderPodcast {
  /// A condition on the table `podcast`.
  static let condition = "feedURL LIKE 'file:///%'"

  /// The name of the podcast of all these episodes in a folder that devices share. Each is found by its guid, which is
  /// the identity of its file.
  static let syncName = "earshot:folders"
}
