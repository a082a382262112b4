import Foundation
import GRDB
import Model

/// An episode of a feed, prepared for matching and writing. Preparing happens before the write, so that several
/// threads prepare feeds while one writes. It only has what is written, because a `FeedEpisode` has over forty values
/// and is expensive to copy.
struct PreparedEpisode: Sendable {
  private(set) var key: EpisodeKey
  let title: String?
  /// The values of `EpisodeColumns.inEpisode` and `EpisodeColumns.inContent`.
  let feed: [DatabaseValue]
  let content: [DatabaseValue]
  /// Names, one per line.
  let people: String?
  let extras: String?
  /// Texts; in stored form after `pack`.
  private(set) var summary: DatabaseValue
  private(set) var contentHTML: DatabaseValue
  /// The text for the search index, if it is indexed in the transaction that stores the episode. Nil: the text is
  /// stored already, or it is indexed later.
  var document: SearchDocument?

  /// Increase this if the store starts to keep more of a feed. Then all stored hashes differ, and the next refresh
  /// writes each episode again.
  private static let version: UInt64 = 1

  /// - Parameter isExtra: a live item or a trailer, whose guid has a special prefix (`ExtraEpisode`).
  init(_ episode: FeedEpisode, isExtra: Bool = false) throws {
    title = episode.title?.withoutNUL
    feed = EpisodeColumns.inEpisode.map { $0.value(episode) }
    content = EpisodeColumns.inContent.map { $0.value(episode) }
    let names = episode.persons.map(\.name) + (episode.author.map { [$0] } ?? [])
    people = names.isEmpty ? nil : names.joined(separator: "\n").withoutNUL
    let summary = episode.summary?.withoutNUL
    let contentHTML = episode.contentHTML?.withoutNUL
    self.summary = summary?.databaseValue ?? .null
    self.contentHTML = contentHTML?.databaseValue ?? .null
    // An empty key would match other empty ones.
    let guid = Self.cleaned(episode.guid).flatMap { isExtra || !ExtraEpisode.isReserved($0) ? $0 : nil }
    // A torrent stays among the enclosures only.
    let mediaURL = episode.isTorrent ? nil : Self.cleaned(episode.mediaURL)
    key = EpisodeKey(
      guid: guid, mediaURL: mediaURL, mediaKey: mediaURL.map(AddressKey.media),
      title: title.map { $0.trimmed.folded }, pubDate: episode.pubDate.flatMap(Self.finite),
      duration: episode.duration, hash: 0, bytes: episode.mediaBytes, season: episode.season,
      number: episode.episodeNumber)
    extras = try episode.extras(
      media: mediaURL.map { Enclosure(url: $0, type: episode.mediaType?.withoutNUL, bytes: episode.mediaBytes) })
    key.hash = hash(of: episode, summary, contentHTML)
  }

  /// Compresses the notes.
  mutating func pack(_ packer: NotesPacker) {
    summary = packer.pack(summary)
    contentHTML = packer.pack(contentHTML)
  }

  /// Call it before `pack`.
  func makeDocument(chapters: [Chapter], plainText: (String) -> String) -> SearchDocument {
    SearchDocument(
      title: title, notes: String.fromDatabaseValue(contentHTML) ?? String.fromDatabaseValue(summary), people: people,
      chapters: chapters, plainText: plainText)
  }

  private func hash(of episode: FeedEpisode, _ summary: String?, _ contentHTML: String?) -> Int64 {
    var hash = StableHash(seed: Self.version)
    hash.combine(key.guid)
    hash.combine(key.mediaURL)
    for column in EpisodeColumns.inFeed { column.hash(episode, &hash) }
    hash.combine(summary)
    hash.combine(contentHTML)
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
