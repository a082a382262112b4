import Foundation
import Model

/// An episode of a feed, prepared for matching and writing. Preparing happens before the write, so that several
/// threads prepare feeds while one writes.
struct PreparedEpisode: Sendable {
  var feed: FeedEpisode
  var key: EpisodeKey
  /// The text for the search index, if it is indexed in the transaction that stores the episode. Nil: the text is stored
  /// already, or it is indexed later.
  var document: SearchDocument?
  /// The notes in stored form. Like `document`, only made if needed.
  var packed: (summary: StoredNotes?, contentHTML: StoredNotes?)?
  /// Seconds since 1970.
  var pubDate: Double?
  var extras: String?
  /// Names, one per line.
  var people: String? {
    let names = feed.persons.map(\.name) + (feed.author.map { [$0] } ?? [])
    return names.isEmpty ? nil : names.joined(separator: "\n").withoutNUL
  }

  /// Increase this if the store starts to keep more of a feed. Then all stored hashes differ, and the next refresh
  /// writes each episode again.
  private static let version: UInt64 = 1

  init(_ episode: FeedEpisode) throws {
    var feed = episode
    // An empty key would match other empty ones.
    feed.guid = Self.cleaned(episode.guid)
    feed.mediaURL = Self.cleaned(episode.mediaURL)
    feed.title = episode.title?.withoutNUL
    feed.summary = episode.summary?.withoutNUL
    feed.contentHTML = episode.contentHTML?.withoutNUL
    feed.link = episode.link?.withoutNUL
    feed.imageURL = episode.imageURL?.withoutNUL
    feed.mediaType = episode.mediaType?.withoutNUL
    self.feed = feed
    pubDate = feed.pubDate.flatMap(Self.finite)
    extras = try EpisodeExtras.json(of: feed)
    key = EpisodeKey(
      guid: feed.guid, mediaURL: feed.mediaURL, mediaKey: feed.mediaURL.map(AddressKey.media),
      title: feed.title.map { $0.trimmed.folded }, pubDate: pubDate, duration: feed.duration, hash: 0)
    key.hash = hash()
  }

  var summary: StoredNotes? { packed?.summary ?? feed.summary.map { .text($0) } }
  var contentHTML: StoredNotes? { packed?.contentHTML ?? feed.contentHTML.map { .text($0) } }

  mutating func pack(_ session: NotesPacker.Session) {
    packed = (feed.summary.map(session.pack), feed.contentHTML.map(session.pack))
  }

  func makeDocument(plainText: (String) -> String) -> SearchDocument {
    SearchDocument(
      title: feed.title, notes: feed.contentHTML ?? feed.summary, people: people, chapters: feed.chapters,
      plainText: plainText)
  }

  private func hash() -> Int64 {
    var hash = StableHash(seed: Self.version)
    hash.combine(feed.guid)
    hash.combine(feed.mediaURL)
    hash.combine(feed.mediaType)
    hash.combine(feed.mediaBytes)
    hash.combine(feed.title)
    hash.combine(pubDate)
    hash.combine(feed.duration)
    hash.combine(feed.season)
    hash.combine(feed.episodeNumber)
    hash.combine(feed.link)
    hash.combine(feed.imageURL)
    hash.combine(feed.summary)
    hash.combine(feed.contentHTML)
    hash.combine(extras)
    return hash.value
  }

  private static func cleaned(_ text: String?) -> String? {
    guard let text = text?.withoutNUL.trimmed, !text.isEmpty else { return nil }
    return text
  }

  private static func finite(_ date: Date) -> Double? {
    let seconds = date.timeIntervalSince1970
    return seconds.isFinite ? seconds : nil
  }
}
