import Foundation
import Sync

/// A folder that something else carries from device to device: Syncthing, a network home, a USB stick, git.
/// docs/SYNC.md describes the format.
///
/// Each device appends to files of its own and reads all. Every line stands alone and may be read any number of times, in
/// any order: so half a file, a missing, an older or a doubled one does no harm.
public struct FolderBackend: SyncBackend {
  public let traits = SyncTraits(
    timeResolution: 0.001, storesSubscriptionTimes: true, categories: SyncCategory.allCases, batch: 2000,
    mayLoseValues: false)

  private let files: FolderFiles

  /// - Parameters:
  ///   - path: the folder that the listener named.
  ///   - device: a name that no other device has: letters, digits and `_.-`.
  public init(path: String, device: String, name: String) {
    files = FolderFiles(path: path, device: device, name: name)
  }

  /// Makes the folder ready, at login.
  public func create() throws(SyncError) { try files.create() }

  public func pull(_ category: SyncCategory, since cursor: String?) async throws(SyncError) -> SyncPull {
    let old = FolderCursor(cursor)
    var new = FolderCursor(nil)
    var pull = SyncPull()
    pull.deviceNames = try files.deviceNames()
    var episodes = EpisodeReducer()
    for file in try files.list(category) {
      new.signatures[file.name] = file.signature
      if file.isOwn { new.own[file.name] = file.size }
      if old.signatures[file.name] == file.signature { continue }
      do throws(SyncError) {
        for line in try files.read(file) {
          switch category {
          case .subscriptions: if let change = line.subscription { pull.subscriptions.append(change) }
          case .episodes: if let change = line.episode { episodes.add(change) }
          case .collections: if let change = line.register { pull.registers.append(change) }
          }
        }
      } catch {
        // Another time: the others count.
        pull.problems.append("\(error)")
        new.signatures[file.name] = nil
      }
    }
    pull.episodes = episodes.result
    pull.hasLostOwnValues = cursor != nil && FolderCursor.hasLost(old.own, new.own)
    pull.cursor = new.text
    return pull
  }

  public func push(_ batch: SyncBatch) async throws(SyncError) -> SyncReceipt {
    let lines: [(SyncCategory, [JSONValue])] = [
      (.subscriptions, batch.subscriptions.map(FolderLine.json)), (.episodes, batch.episodes.map(FolderLine.json)),
      (.collections, batch.registers.map(FolderLine.json)),
    ]
    for (category, lines) in lines where !lines.isEmpty { try files.append(lines, to: category) }
    return SyncReceipt()
  }

  /// What was written is known, so that it is missed when it is gone, and not read the next time.
  public func cursor(
    _ category: SyncCategory, _ cursor: String?, pushed newest: Double
  ) throws(SyncError) -> String? {
    var new = FolderCursor(cursor)
    for name in new.own.keys { new.signatures[name] = nil }
    new.own = [:]
    for file in try files.list(category) where file.isOwn {
      new.own[file.name] = file.size
      new.signatures[file.name] = file.signature
    }
    return new.text
  }
}

/// Which files were read, as they were then.
struct FolderCursor {
  /// Size and time of change, by the file's name below the folder.
  var signatures: [String: String] = [:]
  /// Bytes of this device's own files.
  var own: [String: Int] = [:]

  init(_ text: String?) {
    guard let value = text.flatMap({ JSONValue($0) }) else { return }
    if case .object(let files)? = value["files"] { signatures = files.compactMapValues(\.string) }
    if case .object(let files)? = value["own"] { own = files.compactMapValues(\.int) }
  }

  var text: String {
    JSONValue.object([
      "files": .object(signatures.mapValues { .string($0) }),
      "own": .object(own.mapValues { .number(Double($0)) }),
    ]).text
  }

  /// Whether one of this device's files is gone or shorter than it was. One that is newer than all of them has come in
  /// their place, when this device packed them.
  static func hasLost(_ old: [String: Int], _ new: [String: Int]) -> Bool {
    guard let last = old.keys.max(), !new.keys.contains(where: { $0 > last }) else { return false }
    return old.contains { name, size in (new[name] ?? -1) < size }
  }
}
