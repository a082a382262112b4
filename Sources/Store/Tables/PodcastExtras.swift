import Foundation
import Model

/// What a feed says about its podcast that no column stores: JSON in `podcastContent.extras`. All keys are optional,
/// so that rows of older versions can be read.
struct PodcastExtras: Codable {
  var type: String?
  var copyright: String?
  var generator: String?
  var explicit: Bool?
  var block: Bool?
  var locked: Bool?
  var newFeedURL: String?
  var nextPageURL: String?
  var firstPageURL: String?
  var previousArchiveURL: String?
  var isArchive: Bool?
  var isComplete: Bool?
  var paymentURL: String?
  var ownerName: String?
  var ownerEmail: String?
  var guid: String?
  var medium: String?
  var categories: [String]?
  var keywords: [String]?
  var funding: [Funding]?
  var persons: [Person]?
  var podroll: [RemoteItem]?
  var liveItems: [StoredLiveItem]?
  var trailers: [Trailer]?
  var updateFrequency: UpdateFrequency?
  var usesPodping: Bool?
  var timeToLive: Int?
  var updatePeriod: String?
  var updatesPerPeriod: Int?
  var value: ValueBlock?
  var texts: [PurposeText]?
  var location: PlaceMention?
  var license: License?
  var chats: [ChatRoom]?
  var publisher: RemoteItem?
  var listed: [RemoteItem]?
  var damaged: Bool?
  var isCutOff: Bool?

  init(_ podcast: FeedPodcast) throws {
    type = podcast.type
    copyright = podcast.copyright
    generator = podcast.generator
    explicit = podcast.explicit
    block = podcast.block
    locked = podcast.locked
    newFeedURL = podcast.newFeedURL
    nextPageURL = podcast.nextPageURL
    firstPageURL = podcast.firstPageURL
    previousArchiveURL = podcast.previousArchiveURL
    isArchive = podcast.isArchive ? true : nil
    isComplete = podcast.isComplete ? true : nil
    paymentURL = podcast.paymentURL
    ownerName = podcast.ownerName
    ownerEmail = podcast.ownerEmail
    guid = podcast.guid
    medium = podcast.medium
    categories = podcast.categories.orNil
    keywords = podcast.keywords.orNil
    funding = podcast.funding.orNil
    persons = podcast.persons.orNil
    podroll = podcast.podroll.orNil
    liveItems = try podcast.liveItems.map(StoredLiveItem.init).orNil
    trailers = podcast.trailers.orNil
    updateFrequency = podcast.updateFrequency
    usesPodping = podcast.usesPodping ? true : nil
    timeToLive = podcast.timeToLive
    updatePeriod = podcast.updatePeriod
    updatesPerPeriod = podcast.updatesPerPeriod
    value = podcast.value
    texts = podcast.texts.orNil
    location = podcast.location
    license = podcast.license
    chats = podcast.chats.orNil
    publisher = podcast.publisher
    listed = podcast.listed.orNil
    damaged = podcast.damaged ? true : nil
    isCutOff = podcast.isCutOff ? true : nil
  }

  /// Adds the extras to a podcast that has the values of its columns.
  static func restore(_ json: String?, into podcast: inout FeedPodcast) {
    // Extras that this version cannot read are ignored. The next refresh writes them again.
    guard let json, let extras = try? JSONCoding.decode(Self.self, json) else { return }
    podcast.type = extras.type
    podcast.copyright = extras.copyright
    podcast.generator = extras.generator
    podcast.explicit = extras.explicit
    podcast.block = extras.block
    podcast.locked = extras.locked
    podcast.newFeedURL = extras.newFeedURL
    podcast.nextPageURL = extras.nextPageURL
    podcast.firstPageURL = extras.firstPageURL
    podcast.previousArchiveURL = extras.previousArchiveURL
    podcast.isArchive = extras.isArchive ?? false
    podcast.isComplete = extras.isComplete ?? false
    podcast.paymentURL = extras.paymentURL
    podcast.ownerName = extras.ownerName
    podcast.ownerEmail = extras.ownerEmail
    podcast.guid = extras.guid
    podcast.medium = extras.medium
    podcast.categories = extras.categories ?? []
    podcast.keywords = extras.keywords ?? []
    podcast.funding = extras.funding ?? []
    podcast.persons = extras.persons ?? []
    podcast.podroll = extras.podroll ?? []
    podcast.liveItems = (extras.liveItems ?? []).map(\.liveItem)
    podcast.trailers = extras.trailers ?? []
    podcast.updateFrequency = extras.updateFrequency
    podcast.usesPodping = extras.usesPodping ?? false
    podcast.timeToLive = extras.timeToLive
    podcast.updatePeriod = extras.updatePeriod
    podcast.updatesPerPeriod = extras.updatesPerPeriod
    podcast.value = extras.value
    podcast.texts = extras.texts ?? []
    podcast.location = extras.location
    podcast.license = extras.license
    podcast.chats = extras.chats ?? []
    podcast.publisher = extras.publisher
    podcast.listed = extras.listed ?? []
    podcast.damaged = extras.damaged ?? false
    podcast.isCutOff = extras.isCutOff ?? false
  }
}

extension Array {
  /// Nil if the array is empty, so that its key is left out.
  fileprivate var orNil: Self? { isEmpty ? nil : self }
}

/// A live item as JSON. It has no row, because it ends soon.
struct StoredLiveItem: Codable {
  var status: String
  var start: Date?
  var end: Date?
  var contentLinks: [String]
  var title: String?
  var guid: String?
  var mediaURL: String?
  var mediaType: String?
  var mediaBytes: Int64?
  var summary: String?
  var contentHTML: String?
  var duration: Int?
  var pubDate: Date?
  var link: String?
  var imageURL: String?
  var season: Int?
  var episodeNumber: Int?
  var extras: String?

  init(_ item: LiveItem) throws {
    let episode = item.episode
    (status, start, end, contentLinks) = (item.status, item.start, item.end, item.contentLinks)
    (title, guid, mediaURL, mediaType) = (episode.title, episode.guid, episode.mediaURL, episode.mediaType)
    (mediaBytes, summary, contentHTML) = (episode.mediaBytes, episode.summary, episode.contentHTML)
    (duration, pubDate, link, imageURL) = (episode.duration, episode.pubDate, episode.link, episode.imageURL)
    (season, episodeNumber) = (episode.season, episode.episodeNumber)
    extras = try EpisodeExtras.json(of: episode, media: EpisodeExtras.implied(episode))
  }

  var liveItem: LiveItem {
    var episode = FeedEpisode()
    (episode.title, episode.guid, episode.mediaURL, episode.mediaType) = (title, guid, mediaURL, mediaType)
    (episode.mediaBytes, episode.summary, episode.contentHTML) = (mediaBytes, summary, contentHTML)
    (episode.duration, episode.pubDate, episode.link, episode.imageURL) = (duration, pubDate, link, imageURL)
    (episode.season, episode.episodeNumber) = (season, episodeNumber)
    EpisodeExtras.restore(extras, into: &episode)
    return LiveItem(status: status, start: start, end: end, contentLinks: contentLinks, episode: episode)
  }
}
