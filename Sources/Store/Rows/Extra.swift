/// The extras that SQL reads, by their keys: the names of the properties of `FeedEpisode` and `FeedPodcast`. A test
/// fails if one is no longer among the extras because it was renamed or has a column now.
enum Extra: String, CaseIterable {
  case categories, chapters, chaptersURL, episodeType, explicit, guid, medium, newFeedURL, persons, transcripts, type

  /// Its path, for the JSON functions of SQLite.
  var path: String { "'$.\(rawValue)'" }

  /// A condition that costs much less than to parse the JSON: whether the extras have the key. A part of an extra may
  /// have the same key, so it may also be true without a value.
  func isIn(_ extras: String = "extras") -> String { #"instr(\#(extras), '"\#(rawValue)":')"# }

  /// Its value; NULL if it is absent, or if the text is not JSON.
  func value(in extras: String = "extras") -> String {
    "iif(\(isIn(extras)) AND json_valid(\(extras)), json_extract(\(extras), \(path)), NULL)"
  }
}
