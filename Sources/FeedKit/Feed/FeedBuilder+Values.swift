import Foundation
import Model

/// Simple values: the text of one element, stored if its rank allows.
extension FeedBuilder {
  /// Sets a value of the item, or of the channel outside of items, from the collected text.
  mutating func set(_ field: FeedField, _ rank: UInt8) {
    if field == .published || field == .updated {
      if let date = FeedDate.parse(text.bytes), claim(field, rank) { put(date, field) }
    } else if let value = collected.nonEmpty {
      set(field, rank, value)
    }
  }

  private mutating func claim(_ field: FeedField, _ rank: UInt8) -> Bool {
    inItem ? itemRanks.claim(field, rank) : channelRanks.claim(field, rank)
  }

  private mutating func put(_ date: Date, _ field: FeedField) {
    switch (inItem, field) {
    case (true, .published): item.pubDate = date
    case (true, _): item.updated = date
    case (false, .published): podcast.lastPubDate = date
    case (false, _): podcast.lastBuildDate = date
    }
  }

  /// Sets a flag, a number, a word or a list, or else a text. Most of them only an item has, or only the channel.
  private mutating func set(_ field: FeedField, _ rank: UInt8, _ value: String) {
    switch field {
    case .explicit:
      guard let flag = FeedScalar.explicit(value), claim(field, rank) else { return }
      if inItem { item.explicit = flag } else { podcast.explicit = flag }
    case .block:
      guard let flag = FeedScalar.flag(value), claim(field, rank) else { return }
      if inItem { item.block = flag } else { podcast.block = flag }
    case .category: addCategory(value)
    // An episode's keywords are used as categories.
    case .keywords where inItem: item.categories.appendWords(of: value, limit: limits.listEntries)
    case .keywords: podcast.keywords.appendWords(of: value, limit: limits.listEntries)
    case .personName:
      guard let name = PlainTitle.text(value).nonEmpty, claim(.author, FeedPrecedence.Rank.personName) else { return }
      if inItem { item.author = name } else { podcast.iTunesAuthor = name }
    case .locked: if let flag = FeedScalar.flag(value), claim(field, rank) { podcast.locked = flag }
    case .type:
      if let type = FeedScalar.word(value, of: ["episodic", "serial"]), claim(field, rank) { podcast.type = type }
    case .timeToLive: if let minutes = FeedScalar.ordinal(value), claim(field, rank) { podcast.timeToLive = minutes }
    case .updatePeriod:
      if let period = FeedScalar.word(value, of: FeedPodcast.updatePeriods), claim(field, rank) {
        podcast.updatePeriod = period
      }
    case .updatesPerPeriod:
      if let count = FeedScalar.ordinal(value), claim(field, rank) { podcast.updatesPerPeriod = count }
    case .duration: if let seconds = FeedScalar.duration(value), claim(field, rank) { item.duration = seconds }
    case .season: if let number = FeedScalar.ordinal(value), claim(field, rank) { item.season = number }
    case .episode:
      if let number = FeedScalar.ordinal(value), claim(field, rank) { item.episodeNumber = number }
      if FeedScalar.whole(value) == 0 { itemExtras.isITunesEpisodeZero = true }
    case .episodeType:
      if let type = FeedScalar.word(value, of: ["full", "trailer", "bonus"]), claim(field, rank) {
        item.episodeType = type
      }
    default:
      guard let final = final(value, field, rank), claim(field, rank) else { return }
      put(final, field)
    }
  }

  /// Converts the text to the form of its field.
  private func final(_ value: String, _ field: FeedField, _ rank: UInt8) -> String? {
    switch field {
    case .link, .image, .newFeedURL: resolve(value)
    case .title, .copyright: title(value)
    case .summary, .content: withOwnAddresses(value)
    case .author:
      PlainTitle.text(rank >= FeedPrecedence.Rank.mailAuthor ? PersonName.text(value) : value).nonEmpty
    case .ownerName: PlainTitle.text(value).nonEmpty
    default: value
    }
  }

  /// A title is plain text: HTML is reduced to its text, and text that is declared as such stays unchanged. What nobody
  /// can see is no title.
  func title(_ value: String) -> String? {
    let title = textKind == .text ? PlainTitle.line(value) : PlainTitle.text(value).nonEmpty
    return title?.isInvisible == true ? nil : title
  }
}

extension [String] {
  /// Appends a value if it is new and there is room. Long lists are not searched for duplicates.
  mutating func appendNew(_ value: String, limit: Int) {
    guard !value.isEmpty, count < limit, count > 64 || !contains(value) else { return }
    append(value)
  }

  /// Appends the words of a comma-separated list.
  mutating func appendWords(of list: String, limit: Int) {
    for word in list.split(separator: ",") { appendNew(String(word).trimmed, limit: limit) }
  }
}
