import Foundation
import Model

/// Plain values: the text of one element, put where it belongs if its rank allows.
extension FeedBuilder {
  /// Sets a value from the collected text.
  mutating func set(_ field: FeedField, _ rank: UInt8) {
    if inItem { setItem(field, rank) } else { setChannel(field, rank) }
  }

  private mutating func setChannel(_ field: FeedField, _ rank: UInt8) {
    if let date = date(field) {
      guard channelRanks.claim(field, rank) else { return }
      if field == .published { podcast.lastPubDate = date } else { podcast.lastBuildDate = date }
      return
    }
    guard let value = collected.nonEmpty else { return }
    guard field.isText else { return setChannelFlag(field, rank, value) }
    guard let final = final(value, field, rank), channelRanks.claim(field, rank) else { return }
    switch field {
    case .title: podcast.title = final
    case .summary: podcast.summary = final
    case .link: podcast.link = final
    case .author: podcast.iTunesAuthor = final
    case .language: podcast.language = final
    case .copyright: podcast.copyright = final
    case .generator: podcast.generator = final
    case .image: podcast.imageURL = final
    case .guid: podcast.guid = final
    case .medium: podcast.medium = final
    case .newFeedURL: podcast.newFeedURL = final
    case .ownerName: podcast.ownerName = final
    case .ownerEmail: podcast.ownerEmail = final
    default: break
    }
  }

  private mutating func setChannelFlag(_ field: FeedField, _ rank: UInt8, _ value: String) {
    switch field {
    case .explicit:
      if let flag = FeedScalar.explicit(value), channelRanks.claim(field, rank) { podcast.explicit = flag }
    case .block: if let flag = FeedScalar.flag(value), channelRanks.claim(field, rank) { podcast.block = flag }
    case .locked: if let flag = FeedScalar.flag(value), channelRanks.claim(field, rank) { podcast.locked = flag }
    case .type:
      if let type = FeedScalar.word(value, of: ["episodic", "serial"]), channelRanks.claim(field, rank) {
        podcast.type = type
      }
    case .keywords:
      for word in value.split(separator: ",") {
        podcast.keywords.appendNew(String(word).trimmed, limit: limits.listEntries)
      }
    case .category: podcast.categories.appendNew(value, limit: limits.listEntries)
    case .personName: if channelRanks.claim(.author, FeedPrecedence.Rank.personName) { podcast.iTunesAuthor = value }
    default: break
    }
  }

  private mutating func setItem(_ field: FeedField, _ rank: UInt8) {
    if let date = date(field) {
      guard itemRanks.claim(field, rank) else { return }
      if field == .published { item.pubDate = date } else { item.updated = date }
      return
    }
    guard let value = collected.nonEmpty else { return }
    guard field.isText else { return setItemNumber(field, rank, value) }
    guard let final = final(value, field, rank), itemRanks.claim(field, rank) else { return }
    switch field {
    case .title: item.title = final
    case .summary: item.summary = final
    case .content: item.contentHTML = final
    case .subtitle: item.subtitle = final
    case .link: item.link = final
    case .author: item.author = final
    case .image: item.imageURL = final
    case .guid: item.guid = final
    default: break
    }
  }

  private mutating func setItemNumber(_ field: FeedField, _ rank: UInt8, _ value: String) {
    switch field {
    case .duration:
      if let seconds = FeedScalar.duration(value), itemRanks.claim(field, rank) { item.duration = seconds }
    case .season: if let number = FeedScalar.ordinal(value), itemRanks.claim(field, rank) { item.season = number }
    case .episode:
      if let number = FeedScalar.ordinal(value), itemRanks.claim(field, rank) { item.episodeNumber = number }
    case .episodeType:
      if let type = FeedScalar.word(value, of: ["full", "trailer", "bonus"]), itemRanks.claim(field, rank) {
        item.episodeType = type
      }
    case .explicit: if let flag = FeedScalar.explicit(value), itemRanks.claim(field, rank) { item.explicit = flag }
    case .block: if let flag = FeedScalar.flag(value), itemRanks.claim(field, rank) { item.block = flag }
    case .category: item.categories.appendNew(value, limit: limits.listEntries)
    case .personName: if itemRanks.claim(.author, FeedPrecedence.Rank.personName) { item.author = value }
    default: break
    }
  }

  /// What a text says, read as its field wants it.
  private func final(_ value: String, _ field: FeedField, _ rank: UInt8) -> String? {
    switch field {
    case .link, .image, .newFeedURL: resolve(value)
    case .title, .copyright: title(value)
    case .author where rank >= FeedPrecedence.Rank.mailAuthor: PersonName.text(value)
    default: value
    }
  }

  /// The collected text as a date, when the field is one.
  private func date(_ field: FeedField) -> Date? {
    field == .published || field == .updated ? FeedDate.parse(text.bytes) : nil
  }

  /// A title is plain text: of HTML only the text is kept, of what says it is text nothing is taken away.
  func title(_ value: String) -> String? {
    textKind == .text ? value : PlainTitle.text(value).nonEmpty
  }
}

extension FeedField {
  /// Kept as the text it is, not read as a flag, a number or a list.
  fileprivate var isText: Bool {
    switch self {
    case .title, .summary, .content, .subtitle, .link, .author, .language, .copyright, .generator, .image, .guid: true
    case .medium, .newFeedURL, .ownerName, .ownerEmail: true
    default: false
    }
  }
}

extension [String] {
  /// Appends what is not there yet, as long as there is room. Long lists are not searched.
  mutating func appendNew(_ value: String, limit: Int) {
    guard !value.isEmpty, count < limit, count > 64 || !contains(value) else { return }
    append(value)
  }
}
