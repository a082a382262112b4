import Foundation
import Model

/// Converts values to JSON columns and back.
enum JSONCoding {
  static func encode(_ value: some Encodable) throws -> String { try JSONFormat(isStored: true).text(of: value) }

  static func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try JSONFormat.decodeStored(type, from: Data(text.utf8))
  }

  /// The extras of an episode or a podcast: all of its values that no column stores. The members are not sorted,
  /// because their order is always the same.
  static func extras(_ value: some Encodable) throws -> String? {
    let text = try JSONFormat(isSorted: false, isStored: true).text(of: value)
    return text == "{}" ? nil : text
  }

  /// Extras that this version cannot read are ignored. The next refresh writes them again.
  static func extras<Value: Decodable>(_ type: Value.Type, _ text: String?) -> Value? {
    text.flatMap { try? decode(type, $0) }
  }
}

extension FeedEpisode {
  /// Only the extras of an episode.
  init(extras: String?) { self = JSONCoding.extras(FeedEpisode.self, extras) ?? FeedEpisode() }

  /// - Parameter media: what the columns say about the episode's media.
  func extras(media: Enclosure?) throws -> String? {
    var rest = self
    for column in EpisodeColumns.inFeed { column.clear(&rest) }
    (rest.guid, rest.mediaURL, rest.summary, rest.contentHTML) = (nil, nil, nil, nil)
    rest.soundbites.removeAll { !$0.startTime.isFinite || !$0.duration.isFinite }
    if let media, rest.enclosures == [media] { rest.enclosures = [] }
    return try JSONCoding.extras(rest)
  }

  /// Adds the only enclosure of an episode that has nothing but its media. Call it when the values of the columns are
  /// set.
  mutating func addMedia() {
    guard enclosures.isEmpty, let mediaURL else { return }
    enclosures = [Enclosure(url: mediaURL, type: mediaType, bytes: mediaBytes)]
  }
}

extension FeedPodcast {
  /// Only the extras of a podcast.
  init(extras: String?) { self = JSONCoding.extras(FeedPodcast.self, extras) ?? FeedPodcast() }

  func extras() throws -> String? {
    var rest = self
    for column in PodcastColumns.inFeed { column.clear(&rest) }
    (rest.feedURL, rest.title, rest.lastPubDate) = (nil, nil, nil)
    return try JSONCoding.extras(rest)
  }
}
