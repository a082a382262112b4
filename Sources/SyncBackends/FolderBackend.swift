import Foundation
import Model
import Sync

/// Syncs through a folder that another program copies between devices: Syncthing, a network home, a USB stick, git.
/// docs/SYNC.md describes the format.
///
/// Each device appends to its own files and reads all. Every line is independent, and may be read repeatedly and in any
/// order. So incomplete, missing, old and duplicate files do no harm.
public struct FolderBackend: AccountBackend {
  public static let kind = "folder"
  public static let login = BackendLogin.path
  public static let traits = SyncTraits(
    timeResolution: 0.001, storesSubscriptionTimes: true, categories: SyncCategory.allCases, batch: 2000,
    mayLoseValues: false)

  private let files: SyncFolderFiles
  private let mirror: (any FolderMirror)?

  /// - Parameters:
  ///   - path: the folder that the listener named.
  ///   - device: an id that no other device has: letters, digits and `_.-`.
  ///   - library: the id of this library.
  ///   - mirror: keeps the folder the same as one on a server.
  public init(path: String, device: String, name: String, library: String, mirror: (any FolderMirror)? = nil) {
    self.mirror = mirror
    files = SyncFolderFiles(path: path, device: device, name: name, library: library)
  }

  public init(_ account: BackendAccount, connect: () throws(SyncError) -> any SyncTransport) {
    self.init(
      path: account.server, device: account.device, name: account.deviceName, library: account.library,
      mirror: account.mirror)
  }

  /// Creates the folder if its parent exists.
  public func login() async throws(SyncError) {
    try await mirror?.create()
    _ = try await mirror?.download()
    try files.create()
    try await mirror?.upload()
  }

  public func claimDevice() async throws(SyncError) -> Bool {
    // If the server cannot be reached, `pull` says so.
    guard await hasDownloaded() else { return true }
    guard try files.claim() else { return false }
    // What an earlier sync could not send.
    try await mirror?.upload()
    return true
  }

  public func ownDevice() async throws(SyncError) -> String? {
    _ = await hasDownloaded()
    return try files.ownDevice()
  }

  private func hasDownloaded() async -> Bool {
    do throws(SyncError) {
      _ = try await mirror?.download()
      return true
    } catch { return false }
  }

  public func pull(_ category: SyncCategory, since cursor: String?) async throws(SyncError) -> SyncPull {
    let old = FolderCursor(cursor)
    var new = FolderCursor(nil)
    var pull = SyncPull()
    if category == Self.traits.categories.first { pull.problems = try await mirror?.download() ?? [] }
    pull.deviceNames = try files.deviceNames(&pull.problems)
    var episodes = EpisodeReducer()
    var count = 0
    for file in try files.list(category, &pull.problems) {
      if file.isOwn { new.own[file.name] = file.size }
      let isKnown = old.signatures[file.name] == file.signature
      let offset = isKnown ? old.offsets[file.name] : 0
      guard let offset else {
        new.signatures[file.name] = file.signature
        continue
      }
      guard count < Self.pageSize else {
        pull.hasMore = true
        (new.signatures[file.name], new.offsets[file.name]) = (old.signatures[file.name], old.offsets[file.name])
        continue
      }
      new.signatures[file.name] = file.signature
      do throws(SyncError) {
        let rest = try files.read(file, from: offset, &pull.problems) { line in
          count += 1
          switch category {
          case .subscriptions: if let change = line.subscription { pull.subscriptions.append(change) }
          case .episodes: if let change = line.episode { episodes.add(change) }
          case .collections: if let change = line.register { pull.registers.append(change) }
          }
          return count < Self.pageSize
        }
        new.offsets[file.name] = rest
        pull.hasMore = pull.hasMore || rest != nil
      } catch {
        // The file is read at the next sync. The other files are used now.
        pull.problems.append("\(error)")
        new.signatures[file.name] = nil
      }
    }
    pull.episodes = episodes.result
    pull.hasLostOwnValues = cursor != nil && FolderCursor.hasLost(old.own, new.own)
    pull.cursor = new.text
    return pull
  }

  /// How many lines one pull reads. More are read by the next one (`SyncPull.hasMore`), so that a folder of any size
  /// needs the same memory.
  private static let pageSize = 10_000

  public func push(_ batch: SyncBatch) async throws(SyncError) -> SyncReceipt {
    let lines: [(SyncCategory, [JSONValue])] = [
      (.subscriptions, batch.subscriptions.map(FolderLine.json)), (.episodes, batch.episodes.map(FolderLine.json)),
      (.collections, batch.registers.map(FolderLine.json)),
    ]
    for (category, lines) in lines where !lines.isEmpty { try files.append(lines, to: category) }
    try await mirror?.upload()
    return SyncReceipt()
  }

  /// Adds this device's own files to the cursor, so that they are not read next time, and their loss is detected.
  public func cursor(
    _ category: SyncCategory, _ cursor: String?, pushed newest: Double
  ) throws(SyncError) -> String? {
    var new = FolderCursor(cursor)
    for name in new.own.keys { (new.signatures[name], new.offsets[name]) = (nil, nil) }
    new.own = [:]
    var problems: [String] = []
    for file in try files.list(category, &problems) where file.isOwn {
      new.own[file.name] = file.size
      new.signatures[file.name] = file.signature
    }
    return new.text
  }
}

/// Which files were read, and their state at that time.
struct FolderCursor {
  /// Size and time of change, by the file's path below the folder.
  var signatures: [String: String] = [:]
  /// How far a file was read that is not read to its end, in bytes.
  var offsets: [String: Int] = [:]
  /// The sizes of this device's own files, in bytes.
  var own: [String: Int] = [:]

  init(_ text: String?) {
    guard let value = text.flatMap({ JSONValue($0) }) else { return }
    if case .object(let files)? = value["files"] { signatures = files.compactMapValues(\.string) }
    if case .object(let files)? = value["offsets"] { offsets = files.compactMapValues(\.int) }
    if case .object(let files)? = value["own"] { own = files.compactMapValues(\.int) }
  }

  var text: String {
    var members: [String: JSONValue] = [
      "files": .object(signatures.mapValues { .string($0) }),
      "own": .object(own.mapValues { .number(Double($0)) }),
    ]
    if !offsets.isEmpty { members["offsets"] = .object(offsets.mapValues { .number(Double($0)) }) }
    return JSONValue.object(members).text
  }

  /// Whether one of this device's files is missing or shorter than before. If there is a newer file than all of those,
  /// this device has packed them into it, so nothing is lost.
  static func hasLost(_ old: [String: Int], _ new: [String: Int]) -> Bool {
    guard let last = old.keys.max(), !new.keys.contains(where: { $0 > last }) else { return false }
    return old.contains { name, size in (new[name] ?? -1) < size }
  }
}
