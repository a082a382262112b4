/// The position of an element in a feed, on which its meaning depends.
enum FeedScope: UInt8, CaseIterable {
  /// Outside the channel: the root of RSS, and in RSS 1.0 everything except the channel's own values.
  case document
  case channel, item
  /// RSS `image`, itunes:owner, an Atom person, podcast:alternateEnclosure, podcast:podroll, podcast:publisher,
  /// podcast:value.
  case image, owner, person, alternate, podroll, publisher, value
  /// Inside an unknown element. Only items are recognised, in case its end tag is missing.
  case skipped

  /// It has only its own elements. Those of a channel or an item mean that its end tag is missing. This is not true
  /// of persons, to whom some feeds give a title and a link.
  var isStrict: Bool {
    switch self {
    case .alternate, .podroll, .publisher, .value: true
    default: false
    }
  }
}

/// A simple value of a channel or an item. `FeedPrecedence` lists the elements that set it.
enum FeedField: UInt8, CaseIterable {
  case title, summary, content, subtitle, link, author, published, updated, language, copyright, generator, image
  case explicit, block, locked, type, guid, medium, newFeedURL, ownerName, ownerEmail, keywords, category, comments
  case duration, season, episode, episodeType, personName, timeToLive, updatePeriod, updatesPerPeriod

  /// A value that is wrong if its end is missing. Cut texts and titles are still useful.
  var isFragile: Bool {
    switch self {
    case .title, .summary, .content, .subtitle, .author, .copyright, .personName: false
    default: true
    }
  }

  /// The value may contain markup, which is kept.
  var isMarkup: Bool { self == .summary || self == .content }
}

/// An element that is more than a simple value: it has relevant attributes or children.
enum FeedElement: UInt8 {
  case root, channel, item, liveItem, image, owner, person, transparent
  case link, guid, atomID, category, itunesCategory, itunesImage, itunesLink, enclosure, thumbnail, mediaContent,
    atomContent
  case transcript, chapters, chapterList, chapter, soundbite, podcastPerson, season, episode, funding, alternate,
    source, podroll
  case remoteItem, trailer, updateFrequency, podping, value, valueRecipient, purposeText, podcastImage, contentLink
  case location, license, chat, comments, publisher, publisherItem, listedItem
  case archive, complete, generatorAgent
}

/// What to do when an element starts.
enum FeedAction: Equatable {
  /// This name was not looked up in this scope yet.
  case unlearned
  case unknown
  /// Its text is a value. The value with the smallest rank is used, and the first of equal rank.
  case value(FeedField, rank: UInt8)
  case element(FeedElement)
}
