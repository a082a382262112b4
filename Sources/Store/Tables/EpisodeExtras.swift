import Foundation
import Model

/// What a feed says about an episode that no column stores: JSON in `episodeContent.extras`. All keys are optional,
/// so that rows of older versions can be read.
struct EpisodeExtras: Codable {
  var updated: Date?
  var subtitle: String?
  var author: String?
  var seasonName: String?
  var episodeDisplay: String?
  var episodeType: String?
  var explicit: Bool?
  var block: Bool?
  var paymentURL: String?
  var categories: [String]?
  /// Nil if it is only the episode's own media.
  var enclosures: [Enclosure]?
  var chaptersURL: String?
  var chapters: [Chapter]?
  var transcripts: [TranscriptLink]?
  var soundbites: [Soundbite]?
  var persons: [Person]?
  var alternateEnclosures: [AlternateEnclosure]?
  var funding: [Funding]?
  var value: [ValueBlock]?
  var texts: [PurposeText]?
  var location: [PlaceMention]?
  var license: [License]?
  var chats: [ChatRoom]?
  var comments: [CommentThread]?

  /// The JSON of the episode's extras. Nil if there are none.
  /// - Parameter media: what the columns say about the episode's media.
  static func json(of episode: FeedEpisode, media: Enclosure?) throws -> String? {
    var json = JSONText()
    json.field("updated", episode.updated?.timeIntervalSince1970)
    json.field("subtitle", episode.subtitle)
    json.field("author", episode.author)
    json.field("seasonName", episode.seasonName)
    json.field("episodeDisplay", episode.episodeDisplay)
    json.field("episodeType", episode.episodeType)
    json.field("explicit", episode.explicit)
    json.field("block", episode.block)
    json.field("paymentURL", episode.paymentURL)
    json.field("categories", episode.categories)
    if episode.enclosures.count != (media == nil ? 0 : 1) || episode.enclosures.first != media {
      json.objects("enclosures", episode.enclosures) {
        $0.field("url", $1.url)
        $0.field("type", $1.type)
        $0.field("bytes", $1.bytes)
      }
    }
    json.field("chaptersURL", episode.chaptersURL)
    try json.encoded("chapters", episode.chapters)
    json.objects("transcripts", episode.transcripts) {
      $0.field("url", $1.url)
      $0.field("type", $1.type)
      $0.field("language", $1.language)
    }
    json.objects("soundbites", episode.soundbites.filter { $0.startTime.isFinite && $0.duration.isFinite }) {
      $0.field("startTime", $1.startTime)
      $0.field("duration", $1.duration)
      $0.field("title", $1.title)
    }
    json.objects("persons", episode.persons) {
      $0.field("name", $1.name)
      $0.field("role", $1.role)
      $0.field("group", $1.group)
      $0.field("href", $1.href)
      $0.field("img", $1.img)
    }
    try json.encoded("alternateEnclosures", episode.alternateEnclosures)
    try json.encoded("funding", episode.funding)
    try json.encoded("value", episode.value.map { [$0] } ?? [])
    try json.encoded("texts", episode.texts)
    try json.encoded("location", episode.location.map { [$0] } ?? [])
    try json.encoded("license", episode.license.map { [$0] } ?? [])
    try json.encoded("chats", episode.chats)
    try json.encoded("comments", episode.comments)
    return json.isEmpty ? nil : json.object
  }

  /// The only enclosure of an episode that has nothing but its media.
  static func implied(_ episode: FeedEpisode) -> Enclosure? {
    episode.mediaURL.map { Enclosure(url: $0, type: episode.mediaType, bytes: episode.mediaBytes) }
  }

  /// Adds the extras to an episode that has the values of its columns.
  static func restore(_ json: String?, into episode: inout FeedEpisode) {
    episode.enclosures = implied(episode).map { [$0] } ?? []
    // Extras that this version cannot read are ignored. The next refresh writes them again.
    guard let json, let extras = try? JSONCoding.decode(Self.self, json) else { return }
    episode.updated = extras.updated
    episode.subtitle = extras.subtitle
    episode.author = extras.author
    episode.seasonName = extras.seasonName
    episode.episodeDisplay = extras.episodeDisplay
    episode.episodeType = extras.episodeType
    episode.explicit = extras.explicit
    episode.block = extras.block
    episode.paymentURL = extras.paymentURL
    episode.categories = extras.categories ?? []
    episode.enclosures = extras.enclosures ?? episode.enclosures
    episode.chaptersURL = extras.chaptersURL
    episode.chapters = extras.chapters ?? []
    episode.transcripts = extras.transcripts ?? []
    episode.soundbites = extras.soundbites ?? []
    episode.persons = extras.persons ?? []
    episode.alternateEnclosures = extras.alternateEnclosures ?? []
    episode.funding = extras.funding ?? []
    episode.value = extras.value?.first
    episode.texts = extras.texts ?? []
    episode.location = extras.location?.first
    episode.license = extras.license?.first
    episode.chats = extras.chats ?? []
    episode.comments = extras.comments ?? []
  }
}
