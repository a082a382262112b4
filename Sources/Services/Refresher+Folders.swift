import FeedKit
import Folders
import Foundation
import Model
import Playback
import Store

/// Folders of the listener as podcasts: their files are the episodes. What is made from them is stored as any feed.
extension Refresher {
  /// Adds a folder, as one step of the undo log.
  /// - Parameter text: its path, absolute or beginning with `~`.
  func addFolder(_ text: String) async -> Result<AddedPodcast, AddFailure> {
    let path = Self.absolute(text)
    let result = await addFolder(at: Array(path.utf8))
    if case .success(let podcast) = result, !podcast.wasKnown {
      // The podcast is there. A library that cannot be written now says so with the next change.
      try? library.noteAdded([podcast.id], label: "Add “\(podcast.title)”", now: clock())
    }
    return result
  }

  /// Adds one podcast for each folder in a folder, as one step of the undo log. A folder with nothing to play in it is
  /// left out.
  /// - Parameter text: its path, absolute or beginning with `~`.
  package func addFolders(in text: String) async -> [Result<AddedPodcast, AddFailure>] {
    let path = Self.absolute(text)
    let folders: [[UInt8]]
    do throws(FolderError) {
      folders = try FolderScanner().folders(in: Array(path.utf8)).filter { name in
        do throws(FolderError) { _ = try FolderScanner().scan(Array("\(path)/".utf8) + name) } catch {
          return error != .empty
        }
        return true
      }
      guard !folders.isEmpty else { throw .empty }
    } catch {
      return [.failure(.feed(error.feedError(path: Array(path.utf8)), address: path))]
    }
    var results: [Result<AddedPodcast, AddFailure>] = []
    for name in folders { results.append(await addFolder(at: Array("\(path)/".utf8) + name)) }
    let added = results.compactMap { try? $0.get() }.filter { !$0.wasKnown }.map(\.id)
    try? library.noteAdded(added, label: "Add the folders in “\(path)”", now: clock())
    return results
  }

  private func addFolder(at path: [UInt8]) async -> Result<AddedPodcast, AddFailure> {
    let (address, shown) = (FolderAddress.address(of: path), String(decoding: path, as: UTF8.self))
    do {
      let known = try library.podcastID(feedURL: address)
      let feed = try await readFolder(address, of: known)
      guard !Task.isCancelled else { return .failure(.feed(.http(.cancelled), address: shown)) }
      return await subscribe(feed, feedURL: address, shown: shown, info: RefreshInfo())
    } catch let error as FolderError {
      return .failure(.feed(error.feedError(path: path), address: shown))
    } catch let error as StoreError {
      return .failure(.store(error, address: shown))
    } catch {
      return .failure(.feed(.unreadableFile(path: shown, reason: "\(error)"), address: shown))
    }
  }

  /// Looks at a folder again.
  func refreshFolder(_ candidate: RefreshCandidate) async -> Outcome {
    do {
      return await store(try await readFolder(candidate.feedURL, of: candidate.id), of: candidate)
    } catch let error as StoreError {
      return .notStored(error)
    } catch {
      let path = FolderAddress.path(of: candidate.feedURL) ?? []
      return await storeFailure((error as? FolderError ?? .missing).feedError(path: path, isKnown: true), of: candidate)
    }
  }

  /// - Parameter podcast: nil: it is not in the library yet.
  private func readFolder(_ address: String, of podcast: PodcastID?) async throws -> Feed {
    try await withCheckedThrowingContinuation { continuation in
      scanning.add { continuation.resume(with: Result { try self.scanFolder(address, of: podcast) }) }
    }
  }

  private func scanFolder(_ address: String, of podcast: PodcastID?) throws -> Feed {
    guard let root = FolderAddress.path(of: address) else { throw FolderError.missing }
    let contents = try FolderScanner().scan(root)
    let known = try podcast.map { try library.feedEpisodes(of: $0) } ?? [:]
    var items: [FolderItem] = []
    var unread: [Int] = []
    for file in contents.sounds {
      let episode = known[FolderAddress.file(file.path, in: address)]
      if let episode, episode.isUnchanged(file) {
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
    let facts = self.facts?(unread.map { FolderAddress.file(items[$0].file.path, in: address) }) ?? []
    for (index, facts) in zip(unread, facts) {
      guard let facts, case .read(let guid, _) = items[index].source else { continue }
      let path = String(decoding: root, as: UTF8.self) + "/" + String(decoding: items[index].file.path, as: UTF8.self)
      let tags = FileTags(
        metadata: facts.metadata, duration: facts.duration,
        chapters: MediaChapters(streams: nil).corrected(facts.chapters, in: path), hasPicture: facts.hasPicture)
      items[index].source = .read(guid: guid, tags: tags)
    }
    let stored = try podcast.flatMap { try library.podcastDetail($0)?.feed }
    return FolderFeed(
      address: address, root: root, contents: contents, items: items, known: known.isEmpty ? nil : stored
    ).make()
  }

  private static func absolute(_ text: String) -> String {
    URL(fileURLWithPath: (text as NSString).expandingTildeInPath).standardizedFileURL.path
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
  /// - Parameters:
  ///   - path: of the folder.
  ///   - isKnown: the podcast has episodes, and the listener may fear for them.
  func feedError(path: [UInt8], isKnown: Bool = false) -> FeedError {
    let shown = String(decoding: path, as: UTF8.self)
    let comfort = isKnown ? "; nothing is removed" : ""
    switch self {
    case .missing: return .unreadableFile(path: shown, reason: "there is no such folder" + comfort)
    case .notAFolder: return .unreadableFile(path: shown, reason: "it is not a folder" + comfort)
    case .empty: return .unreadableFile(path: shown, reason: "it has no files that can be played" + comfort)
    case .unreadable(let path, let reason):
      return .unreadableFile(path: String(decoding: path, as: UTF8.self), reason: reason + comfort)
    case .tooMany(let limit):
      return .unreadableFile(path: shown, reason: "it has more than \(limit) files that can be played" + comfort)
    }
  }
}
