/// Where in a feed an element stands: what its name means depends on it.
enum FeedScope: UInt8, CaseIterable {
  /// Outside the channel: the root of RSS, and all of RSS 1.0 but the channel's own values.
  case document
  case channel, item
  /// RSS `image`, itunes:owner, an Atom person, podcast:alternateEnclosure, podcast:podroll, podcast:publisher,
  /// podcast:value.
  case image, owner, person, alternate, podroll, publisher, value
  /// Within an element we do not know: only items are looked for, in case its end tag is missing.
  case skipped
}

/// A plain value of a channel or an item. `FeedPrecedence` says which elements may set it.
enum FeedField: UInt8, CaseIterable {
  case title, summary, content, subtitle, link, author, published, updated, language, copyright, generator, image
  case explicit, block, locked, type, guid, medium, newFeedURL, ownerName, ownerEmail, keywords, category, comments
  case duration, season, episode, episodeType, personName, timeToLive, updatePeriod, updatesPerPeriod

  /// A value that means something else when its end is missing; texts and titles are still worth reading.
  var isFragile: Bool {
    switch self {
    case .title, .summary, .content, .subtitle, .author, .copyright, .personName: false
    default: true
    }
  }

  /// May hold markup, which is kept.
  var isMarkup: Bool { self == .summary || self == .content }
}

/// An element that is more than a plain value: it has attributes or children of interest.
enum FeedElement: UInt8 {
  case root, channel, item, liveItem, image, owner, person, transparent
  case link, guid, category, itunesCategory, itunesImage, itunesLink, enclosure, thumbnail, mediaContent, atomContent
  case transcript, chapters, chapterList, chapter, soundbite, podcastPerson, season, episode, funding, alternate,
    source, podroll
  case remoteItem, trailer, updateFrequency, podping, value, valueRecipient, purposeText, podcastImage, contentLink
  case location, license, chat, comments, publisher, publisherItem
  case archive, complete, generatorAgent
}

/// What to do when an element starts.
enum FeedAction: Equatable {
  /// Nobody has asked yet what this name means in this scope.
  case unlearned
  case unknown
  /// Its text is a value; of several, the one with the smallest rank wins, and the first of equal rank.
  case value(FeedField, rank: UInt8)
  case element(FeedElement)
}
