import Foundation
import Model
import Store

/// Which downloaded files may go by themselves. What the listener has begun or queued never does.
public struct CleanUpRules: Sendable, Equatable {
  /// So many of a podcast's newest files stay; nil keeps all.
  public var keepPerPodcast: Int?
  /// For single shows, in place of `keepPerPodcast`.
  public var keepOfShow: [PodcastID: Int] = [:]
  /// A file goes when its episode was played.
  public var deletesPlayed = false
  /// Of all files together; nil: as much as the disk holds.
  public var maxBytes: Int64?

  public init() {}

  public var areEmpty: Bool { keepPerPodcast == nil && keepOfShow.isEmpty && !deletesPlayed && maxBytes == nil }

  /// The files that go, in the order in which they do.
  /// - Parameter protected: stay in any case: the one that plays, the one that has just come.
  public func victims(among files: [DownloadedFile], protected: Set<EpisodeID>) -> [DownloadedFile] {
    var gone: Set<EpisodeID> = []
    var victims: [DownloadedFile] = []
    func remove(_ file: DownloadedFile) {
      if gone.insert(file.episode).inserted { victims.append(file) }
    }
    let free = files.filter { !protected.contains($0.episode) }
    if deletesPlayed { free.filter { $0.status == .played }.forEach(remove) }

    for (podcast, files) in Dictionary(grouping: files, by: \.podcast) {
      guard let keep = keepOfShow[podcast] ?? keepPerPodcast else { continue }
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
    return victims
  }

  private static func isNewer(_ left: DownloadedFile, _ right: DownloadedFile) -> Bool {
    (left.pubDate ?? left.downloaded, left.episode) > (right.pubDate ?? right.downloaded, right.episode)
  }
}

extension DownloadedFile {
  /// Neither queued nor begun.
  fileprivate var isDisposable: Bool {
    if isQueued { return false }
    return status == .played || status == .deleted || position < 1
  }
}
