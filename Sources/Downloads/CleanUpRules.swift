import Foundation
import Model
import Store

/// The rules for deleting downloaded files automatically. Episodes that are queued or have been started are never
/// deleted, unless played.
public struct CleanUpRules: Sendable, Equatable {
  /// How many of a podcast's newest files to keep. Nil keeps all.
  public var keepPerPodcast: Int?
  /// Overrides `keepPerPodcast` for single podcasts.
  public var keepPerSinglePodcast: [PodcastID: Int] = [:]
  /// Delete the file when its episode has been played.
  public var deletesPlayed = false
  /// Bytes of all files together. Nil: no limit.
  public var maxBytes: Int64?

  public init() {}

  /// The files to delete, in order.
  /// - Parameter protected: episodes that are never deleted, such as the playing one and the one just downloaded.
  public func filesToDelete(among files: [DownloadedFile], protected: Set<EpisodeID>) -> [DownloadedFile] {
    var gone: Set<EpisodeID> = []
    var filesToDelete: [DownloadedFile] = []
    func remove(_ file: DownloadedFile) {
      if gone.insert(file.episode).inserted { filesToDelete.append(file) }
    }
    let free = files.filter { !protected.contains($0.episode) }
    // Another device has deleted the episode.
    free.filter { $0.status == .deleted }.forEach(remove)
    if deletesPlayed { free.filter { $0.status == .played }.forEach(remove) }

    for (podcast, files) in Dictionary(grouping: files, by: \.podcast) {
      guard let keep = keepPerSinglePodcast[podcast] ?? keepPerPodcast else { continue }
      let newest = files.filter { !gone.contains($0.episode) }.sorted(by: Self.isNewer)
      newest.dropFirst(max(0, keep)).filter { $0.isDisposable && !protected.contains($0.episode) }.forEach(remove)
    }

    if let maxBytes {
      var total = files.filter { !gone.contains($0.episode) }.reduce(Int64(0)) { $0 &+ max(0, $1.bytes) }
      let order = free.filter { $0.isDisposable && !gone.contains($0.episode) }.sorted {
        ($0.status == .played ? 0 : 1, $0.downloaded) < ($1.status == .played ? 0 : 1, $1.downloaded)
      }
      for file in order where total > maxBytes {
        remove(file)
        total -= max(0, file.bytes)
      }
    }
    return filesToDelete
  }

  private static func isNewer(_ left: DownloadedFile, _ right: DownloadedFile) -> Bool {
    (left.pubDate ?? left.downloaded, left.episode) > (right.pubDate ?? right.downloaded, right.episode)
  }
}

extension DownloadedFile {
  /// Neither queued nor started.
  fileprivate var isDisposable: Bool {
    if isQueued { return false }
    return status == .played || status == .deleted || position < 1
  }
}
