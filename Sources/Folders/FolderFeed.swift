import Foundation
import Model

/// A file that can be played, with what is known about it.
public struct FolderItem: Sendable, Equatable {
  public enum Source: Sendable, Equatable {
    /// The file has not changed since its episode was stored.
    case known(FeedEpisode)
    /// `tags` are nil if they could not be read.
    case read(guid: String, tags: FileTags?)
  }

  public var file: FolderFile
  public var source: Source

  public init(_ file: FolderFile, _ source: Source) { (self.file, self.source) = (file, source) }

  var tags: FileTags? { if case .read(_, let tags) = source { tags } else { nil } }

  /// As a tag says, or as the stored episode has it.
  var title: String? {
    switch source {
    case .known(let episode): episode.title
    case .read(_, let tags): tags?.title
    }
  }

  var date: Date? {
    switch source {
    case .known(let episode): episode.pubDate
    case .read(_, let tags): tags?.date
    }
  }
}

/// Makes the feed of a folder: an audiobook, whose parts have the natural order of the files' names.
public struct FolderFeed {
  /// The `FolderAddress` of the folder.
  private let address: String
  /// The absolute path of the folder.
  private let root: [UInt8]
  private let contents: FolderContents
  private let items: [FolderItem]
  private let known: FeedPodcast?

  /// - Parameters:
  ///   - items: those of `contents.sounds` that can be read, in the same order.
  ///   - known: the podcast as it is stored. Its title and its author stay. Nil: it is new.
  public init(
    address: String, root: [UInt8], contents: FolderContents, items: [FolderItem], known: FeedPodcast? = nil
  ) {
    (self.address, self.root, self.contents, self.items, self.known) = (address, root, contents, items, known)
  }

  /// The feed. Reads the cue sheets.
  public func make() -> Feed {
    var feed = Feed(podcast: podcast)
    let titles = self.titles
    let cues = CueSheet.chapters(in: contents, root: root)
    // One date that contradicts the order of the names makes all of them doubtful: the order of a book is more
    // important than when it was published.
    let dates = items.map(\.date)
    let hasDates = !dates.contains(nil) && zip(dates, dates.dropFirst()).allSatisfy { $0! <= $1! }
    feed.episodes = items.enumerated().map { index, item in
      var episode = episode(item, title: titles[index], author: feed.podcast.iTunesAuthor)
      // A known file has its chapters already, which are perhaps its own.
      if case .read(_, let tags) = item.source, tags?.chapters.isEmpty != false, let chapters = cues[item.file.path] {
        episode.chapters = chapters
      }
      if !hasDates { episode.pubDate = nil }
      // The picture of the folder is that of all its files.
      if cover != nil { episode.imageURL = nil }
      return episode
    }
    feed.podcast.imageURL = cover.map(address(of:)) ?? feed.episodes.lazy.compactMap(\.imageURL).first
    return feed
  }

  private var podcast: FeedPodcast {
    var podcast = FeedPodcast()
    podcast.feedURL = address
    podcast.medium = "audiobook"
    if let known {
      (podcast.title, podcast.iTunesAuthor) = (known.title, known.iTunesAuthor)
    } else {
      podcast.title = common(\.album) ?? FolderPath.name(of: FolderAddress.path(of: address) ?? root)
      podcast.iTunesAuthor = common(\.albumArtist) ?? common(\.artist)
    }
    return podcast
  }

  /// A tag that most files have, if all of those say the same.
  private func common(_ tag: (FileTags) -> String?) -> String? {
    let values = items.compactMap { $0.tags.flatMap(tag) }
    return values.count * 2 > items.count && Set(values).count == 1 ? values[0] : nil
  }

  /// A title of two files distinguishes none of them, such as the title of the book. Then it is the name of the file,
  /// or if that is no better, its path.
  private var titles: [String] {
    func counts(_ texts: [String?]) -> [String: Int] {
      texts.compactMap { $0 }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    let stems = items.map { FolderPath.stem(of: $0.file.path) }
    let (titleCounts, stemCounts) = (counts(items.map(\.title)), counts(stems))
    return items.enumerated().map { index, item in
      if case .known = item.source, let title = item.title { return title }
      if let title = item.title, titleCounts[title] == 1 { return title }
      return stemCounts[stems[index]] == 1 ? stems[index] : FolderPath.whole(item.file.path)
    }
  }

  private func episode(_ item: FolderItem, title: String, author: String?) -> FeedEpisode {
    guard case .read(let guid, let tags) = item.source else {
      if case .known(let episode) = item.source { return episode }
      return FeedEpisode()
    }
    var episode = FeedEpisode()
    let address = address(of: item.file)
    let type = FileForm.type(of: item.file.path)
    (episode.guid, episode.mediaURL, episode.mediaType) = (guid, address, type)
    episode.mediaBytes = item.file.bytes
    episode.enclosures = [Enclosure(url: address, type: type, bytes: item.file.bytes)]
    // A refresh recognises by it that the file has not changed.
    episode.updated = Date(timeIntervalSince1970: Double(item.file.modified))
    episode.title = title
    episode.pubDate = tags?.date
    episode.duration = tags?.duration.map { Int($0.rounded()) }
    (episode.season, episode.episodeNumber) = (tags?.disc, tags?.track)
    episode.author = tags?.artist == author ? nil : tags?.artist
    episode.summary = tags?.summary
    episode.chapters = tags?.chapters ?? []
    if tags?.hasPicture == true { episode.imageURL = address }
    return episode
  }

  private func address(of file: FolderFile) -> String { FolderAddress.file(file.path, in: address) }

  /// The picture of the folder: a file with one of the usual names, or the only one.
  private var cover: FolderFile? {
    let pictures = contents.pictures.filter { !$0.path.contains(UInt8(ascii: "/")) }
    for name in ["cover", "folder", "front", "albumart", "album"] {
      if let file = pictures.first(where: { FolderPath.stem(of: $0.path).lowercased() == name }) { return file }
    }
    return pictures.count == 1 ? pictures[0] : nil
  }
}
