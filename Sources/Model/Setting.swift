/// Values that are remembered from one run to the next. The raw value is the key in the store.
public enum Setting: String, Equatable, Sendable, CaseIterable {
  case volume, speed, theme
  case lastPlayed = "last-played"
  case sideWidth = "side-width"
  case detailWidth = "detail-width"
  /// Lines typed after `:`, one a line, newest last.
  case commandHistory = "command-history"
  case skipSilence = "skip-silence"
  case levelling, mono, device
  /// The position at which the sleep timer was last set.
  case sleepMark = "sleep-mark"
  /// These three store a `PodcastArrangement`.
  case podcastOrder = "podcast-order"
  case podcastGroups = "podcast-groups"
  case foldedTags = "folded-tags"
  /// The jump list.
  case jumps
}
