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

/// What to do when an element starts.
enum FeedAction: Equatable {
  /// This name was not looked up in this scope yet.
  case unlearned
  case unknown
  /// Its text is a value. The value with the smallest rank is used, and the first of equal rank.
  case value(FeedField, rank: UInt8)
  case element(FeedElement)
}
