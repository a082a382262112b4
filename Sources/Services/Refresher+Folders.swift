import FeedKit
import Folders
import Foundation
import Model
import Playback
import Programs
import Store

/// Folders of the listener as podcasts: their files are the episodes. What is made from them is stored as any feed.
extension Refresher {
  /// Adds a folder, as one step of the undo log.
  /// - Parameter text: its path, absolute or beginning with `~`.
  func addFolder(
    _ text: String, _ onArrival: @escaping @Sendable (ArrivingPodcast) -> Void
  ) async -> Result<AddedPodcast, AddFailure> {
    let path = Array(Self.absolute(text).utf8)
    let result = await addFolder(at: path, onArrival).mapError { Self.failure($0, at: path) }
    if case .success(let podcast) = result, !podcast.wasKnown {
      // The podcast is there. A library that cannot be written now says so with the next change.
      try? library.recordAdded([podcast.id], label: "Add “\(podcast.title)”", now: clock())
    }
    return result
  }

  /// Adds one podcast for each folder in a folder, as one step of the undo log. A folder with nothing to play in it is
  /// left out.
  /// - Parameter text: its path, absolute or beginning with `~`.
  package func addFolders(
    in text: String, onArrival: @escaping @Sendable (ArrivingPodcast) -> Void = { _ in }
  ) async -> [Result<AddedPodcast, AddFailure>] {
    let path = Self.absolute(text)
    let folders: [[UInt8]]
    do throws(FolderError) {
      folders = try FolderScanner().folders(in: Array(path.utf8))
    } catch {
      return [.failure(Self.failure(error, at: Array(path.utf8)))]
    }
    var results: [Result<AddedPodcast, AddFailure>] = []
    for name in folders {
      let folder = Array("\(path)/".utf8) + name
      let result = await addFolder(at: folder, onArrival)
      if case .failure(let error as FolderError) = result, error == .empty { continue }
      results.append(result.mapError { Self.failure($0, at: folder) })
    }
    guard !results.isEmpty else { return [.failure(Self.failure(FolderError.empty, at: Array(path.utf8)))] }
    let added = results.compactMap { try? $0.get() }.filter { !$0.wasKnown }.map(\.id)
    try? library.recordAdded(added, label: "Add the folders in “\(path)”", now: clock())
    return results
  }

  private func addFolder(
    at path: [UInt8], _ onArrival: @escaping @Sendable (ArrivingPodcast) -> Void
  ) async -> Result<AddedPodcast, any Error> {
    let (address, shown) = (FolderAddress.address(of: path), String(decoding: path, as: UTF8.self))
    do {
      let known = try library.podcastID(feedURL: address)
      let title = (shown as NSString).lastPathComponent
      let (feed, problem) = try await readFolder(address, of: known) { done, total in
        onArrival(ArrivingPodcast(title: CleanText.line(title), titles: [], episodes: done, files: total))
      }
      guard !Task.isCancelled else { throw AddFailure.feed(.http(.cancelled), address: shown) }
      return await subscribe(Located(feed, at: address), shown: shown, problem: problem).mapError { $0 }
    } catch {
      return .failure(error)
    }
  }

  private static func failure(_ error: any Error, at path: [UInt8]) -> AddFailure {
    let shown = String(decoding: path, as: UTF8.self)
    return switch error {
    case let error as AddFailure: error
    case let error as FolderError: .feed(error.feedError(path: path), address: shown)
    case let error as StoreError: .store(error, address: shown)
    default: .feed(.unreadableFile(path: shown, reason: "\(error)"), address: shown)
    }
  }

  /// Looks at a folder again.
  func refreshFolder(
    _ candidate: RefreshCandidate, _ report: @escaping @Sendable (RefreshReport) -> Void
  ) async -> Outcome {
    do {
      let (feed, problem) = try await readFolder(candidate.feedURL, of: candidate.id) { done, total in
        report(.reading(title: candidate.title, files: done, total: total))
      }
      return await store(feed, of: candidate, problem: problem)
    } catch let error as StoreError {
      return .notStored(error)
    } catch {
      let path = FolderAddress.path(of: candidate.feedURL) ?? []
      return await storeFailure((error as? FolderError ?? .missing).feedError(path: path, isKnown: true), of: candidate)
    }
  }

  /// - Parameters:
  ///   - podcast: nil: it is not in the library yet.
  ///   - progress: called with the number of files whose tags are read, and of all that must be.
  /// - Returns: `problem`: which folders in it cannot be read, for the listener.
  private func readFolder(
    _ address: String, of podcast: PodcastID?, progress: @escaping @Sendable (Int, Int) -> Void
  ) async throws -> (feed: Feed, problem: String?) {
    try await scanning.run { try self.scanFolder(address, of: podcast, progress) }
  }

  private func scanFolder(
    _ address: String, of podcast: PodcastID?, _ progress: (Int, Int) -> Void
  ) throws -> (feed: Feed, problem: String?) {
    guard let root = FolderAddress.path(of: address) else { throw FolderError.missing }
    let known = try podcast.map { try library.feedEpisodes(of: $0) } ?? [:]
    let contents = try FolderScanner().scan(root, known: known.values.compactMap { FolderFile($0, in: address) })
    let cues = CueSheet.chapters(in: contents, root: root)
    var items: [FolderItem] = []
    var unread: [Int] = []
    for file in contents.sounds {
      let episode = known[FolderAddress.file(file.path, in: address)]
      // Only the file itself says whether it has chapters of its own beside a cue sheet.
      if let episode, episode.isUnchanged(file), cues[file.path] ?? episode.chapters == episode.chapters {
        items.append(FolderItem(file, .known(episode)))
      } else if let guid = FileIdentity.guid(of: root + [UInt8(ascii: "/")] + file.path) {
        unread.append(items.count)
        items.append(FolderItem(file, .read(guid: guid, tags: nil)))
      } else if let episode {
        // It cannot be read now, such as without permission, which is no reason to take it for gone.
        items.append(FolderItem(file, .known(episode)))
      }
    }
    guard !items.isEmpty else { throw FolderError.empty }
    let files = unread.map { FolderAddress.file(items[$0].file.path, in: address) }
    let facts = self.facts?(files) { progress($0, files.count) } ?? []
    for (index, facts) in zip(unread, facts) {
      guard let facts, case .read(let guid, _) = items[index].source else { continue }
      let path = String(decoding: root, as: UTF8.self) + "/" + String(decoding: items[index].file.path, as: UTF8.self)
      let tags = FileTags(
        metadata: facts.metadata, duration: facts.duration,
        chapters: MediaChapters(streams: nil).corrected(facts.chapters, in: path), hasPicture: facts.hasPicture)
      items[index].source = .read(guid: guid, tags: tags)
    }
    let stored = try podcast.flatMap { try library.podcastDetail($0)?.feed }
    let feed = FolderFeed(
      address: address, root: root, contents: contents, items: items, known: known.isEmpty ? nil : stored
    ).make()
    let more = contents.unreadable.count - 1
    let problem = contents.unreadable.first.map {
      $0.feedError(path: root).cause + (more > 0 ? ", nor can \(Counted.text(more, "other folder"))" : "")
        + (podcast == nil ? "" : FolderError.comfort)
    }
    return (feed, problem)
  }

  private static func absolute(_ text: String) -> String {
    URL(fileURLWithPath: HomePath.expanding(text)).standardizedFileURL.path
  }
}

extension FolderFile {
  /// The file of a stored episode. Nil if it is not below the folder.
  fileprivate init?(_ episode: FeedEpisode, in folder: String) {
    guard let address = episode.mediaURL, FolderAddress.contains(folder, address),
      let (root, path) = FolderAddress.path(of: folder).flatMap({ root in
        FolderAddress.path(of: address).map { (root, $0) }
      })
    else { return nil }
    self.init(
      path: Array(path.dropFirst(root.count + 1)), bytes: episode.mediaBytes ?? 0,
      modified: episode.updated.map { Int64($0.timeIntervalSince1970) } ?? 0)
  }
}

extension FeedEpisode {
  /// Whether a file has not changed since this was made from it. Its duration is missing if its tags could not be read.
  fileprivate func isUnchanged(_ file: FolderFile) -> Bool {
    mediaBytes == file.bytes && duration != nil && guid != nil
      && updated.map { Int64($0.timeIntervalSince1970) } == file.modified
  }
}

extension FolderError {
  fileprivate static let comfort = "; nothing is removed"

  /// - Parameters:
  ///   - path: of the folder.
  ///   - isKnown: the podcast has episodes, and the listener may fear for them.
  func feedError(path: [UInt8], isKnown: Bool = false) -> FeedError {
    let shown = String(decoding: path, as: UTF8.self)
    let comfort = isKnown ? Self.comfort : ""
    switch self {
    case .missing: return .unreadableFile(path: shown, reason: "there is no such folder" + comfort)
    case .notAFolder:
      let hint = isKnown ? comfort : "; use “earshot import” for a list of podcasts"
      return .unreadableFile(path: shown, reason: "it is a file, not a folder" + hint)
    case .empty: return .unreadableFile(path: shown, reason: "it has no files that can be played" + comfort)
    case .unreadable(let path, let reason):
      return .unreadableFile(path: String(decoding: path, as: UTF8.self), reason: reason + comfort)
    case .tooMany(let limit):
      let hint = isKnown ? comfort : "; use --each to add its folders one by one"
      return .unreadableFile(path: shown, reason: "it has more than \(limit) files that can be played" + hint)
    }
  }
}
