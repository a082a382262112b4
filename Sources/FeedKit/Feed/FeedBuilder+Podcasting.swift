import Foundation
import Model

/// Podcasting 2.0 (podcastindex.org) and Podlove simple chapters. Invalid values are left out.
extension FeedBuilder {
  mutating func beginPodcasting(_ element: FeedElement, _ attributes: XMLAttributes) {
    switch element {
    case .transcript:
      guard let url = attributes["url"].flatMap({ resolve($0) }), item.transcripts.count < limits.listEntries else {
        return
      }
      let language = attributes["language"]?.trimmed.nonEmpty
      item.transcripts.append(
        TranscriptLink(url: url, type: attributes["type"]?.trimmed.nonEmpty, language: language))
    case .chapters: if item.chaptersURL == nil { item.chaptersURL = attributes["url"].flatMap({ resolve($0) }) }
    case .chapterList:
      // A second list is another version of the first one, not its continuation.
      if itemExtras.hasChapterList { enter(.skipped) }
      itemExtras.hasChapterList = true
    case .chapter: addChapter(attributes)
    case .soundbite:
      noted.start = attributes["startTime"]
      noted.length = attributes["duration"]
      collect()
    case .podcastPerson:
      noted.url = attributes["href"].flatMap({ resolve($0) })
      noted.role = attributes["role"]?.trimmed.nonEmpty
      noted.group = attributes["group"]?.trimmed.nonEmpty
      noted.picture = attributes["img"].flatMap({ resolve($0) })
      collect()
    case .season, .episode:
      noted.label = attributes[element == .season ? "name" : "display"]?.trimmed.nonEmpty
      collect()
    case .funding:
      noted.url = attributes["url"].flatMap({ resolve($0) })
      collect()
    case .alternate: beginAlternate(attributes)
    case .source:
      guard let uri = attributes["uri"].flatMap({ resolve($0) }), let last = item.alternateEnclosures.indices.last
      else {
        return
      }
      let type = attributes["contentType"]?.trimmed.nonEmpty ?? item.alternateEnclosures[last].type
      guard Enclosure(url: uri, type: type).isPlayableSource else { return }
      guard item.alternateEnclosures[last].sources.count < limits.listEntries else { return }
      item.alternateEnclosures[last].sources.append(uri)
    case .contentLink:
      if let address = attributes["href"].flatMap({ resolve($0) }), itemExtras.contentLinks.count < limits.listEntries {
        itemExtras.contentLinks.append(address)
      }
    case .podcastImage:
      // Pictures for banners and social networks are no covers (podcast:image, `purpose`).
      let purpose = attributes["purpose"]?.lowercased().split { $0 == " " || $0 == "," } ?? []
      guard purpose.isEmpty || purpose.contains("artwork") else { return }
      if let address = attributes["href"] ?? Self.largest(attributes["srcset"]) {
        setImage(address, FeedPrecedence.Rank.podcastImage)
      } else {
        collect()
      }
    case .purposeText:
      noted.label = attributes["purpose"]?.trimmed.nonEmpty
      collect()
    case .value: beginValue(attributes)
    case .valueRecipient: addRecipient(attributes)
    default: beginChannelOnly(element, attributes)
    }
  }

  private mutating func beginChannelOnly(_ element: FeedElement, _ attributes: XMLAttributes) {
    switch element {
    case .podroll: enter(.podroll)
    case .remoteItem:
      guard podcast.podroll.count < limits.listEntries else { return }
      if let remote = remoteItem(attributes) { podcast.podroll.append(remote) }
    case .podping: podcast.usesPodping = attributes["usesPodping"].flatMap(FeedScalar.flag) ?? false
    case .trailer:
      noted.url = attributes["url"].flatMap({ resolve($0) })
      noted.type = attributes["type"]?.trimmed.nonEmpty
      noted.date = attributes["pubdate"]
      noted.length = attributes["length"]
      noted.season = attributes["season"]
      collect()
    case .updateFrequency:
      noted.complete = attributes["complete"]
      noted.start = attributes["dtstart"]
      noted.rule = attributes["rrule"]?.trimmed.nonEmpty
      collect()
    default: beginDetail(element, attributes)
    }
  }

  mutating func finishPodcasting(_ element: FeedElement, _ value: String) {
    switch element {
    case .soundbite:
      guard let start = noted.start.flatMap(NormalPlayTime.parse),
        let length = noted.length.flatMap(NormalPlayTime.parse),
        length > 0, item.soundbites.count < limits.listEntries
      else { return }
      item.soundbites.append(Soundbite(startTime: start, duration: length, title: PlainTitle.text(value).nonEmpty))
    case .podcastPerson:
      guard let name = PlainTitle.text(value).nonEmpty else { return }
      let person = Person(name: name, role: noted.role, group: noted.group, href: noted.url, img: noted.picture)
      add(person, \.persons, inChannel: \.persons)
    case .season:
      item.seasonName = item.seasonName ?? noted.label
      if let number = FeedScalar.ordinal(value), itemRanks.claim(.season, FeedPrecedence.Rank.podcastNumber) {
        item.season = number
      }
    case .episode:
      item.episodeDisplay = item.episodeDisplay ?? noted.label ?? FeedScalar.fractional(value)
      if FeedScalar.whole(value) == 0 { itemExtras.isEpisodeZero = true }
      if let number = FeedScalar.ordinal(value), itemRanks.claim(.episode, FeedPrecedence.Rank.podcastNumber) {
        item.episodeNumber = number
      }
    case .funding:
      guard let url = noted.url else { return }
      let funding = Funding(url: url, message: PlainTitle.text(value).nonEmpty)
      add(funding, \.funding, inChannel: \.funding)
    case .purposeText:
      guard !value.isEmpty else { return }
      let text = PurposeText(purpose: noted.label, text: value)
      add(text, \.texts, inChannel: \.texts)
    default: finishChannelOnly(element, value)
    }
  }

  /// Adds to a list that items and the channel have. For rare elements only, because key paths are slow.
  mutating func add<Value>(
    _ value: Value, _ list: WritableKeyPath<FeedEpisode, [Value]>,
    inChannel channelList: WritableKeyPath<FeedPodcast, [Value]>
  ) {
    if inItem {
      if item[keyPath: list].count < limits.listEntries { item[keyPath: list].append(value) }
    } else if podcast[keyPath: channelList].count < limits.listEntries {
      podcast[keyPath: channelList].append(value)
    }
  }

  private mutating func finishChannelOnly(_ element: FeedElement, _ value: String) {
    switch element {
    case .trailer:
      guard let url = noted.url, podcast.trailers.count < limits.listEntries else { return }
      podcast.trailers.append(
        Trailer(
          title: PlainTitle.text(value).nonEmpty, url: url, pubDate: noted.date.flatMap(FeedDate.parse),
          bytes: noted.length.flatMap(FeedScalar.positive), type: noted.type,
          season: noted.season.flatMap(FeedScalar.ordinal)))
    case .updateFrequency:
      podcast.updateFrequency = UpdateFrequency(
        text: value.nonEmpty, complete: noted.complete.flatMap(FeedScalar.flag) ?? false,
        start: noted.start.flatMap(FeedDate.parse), rule: noted.rule)
    default: finishDetail(element, value)
    }
  }

  private mutating func addChapter(_ attributes: XMLAttributes) {
    guard item.chapters.count < limits.listEntries, let chapter = Chapter(attributes, resolve: { resolve($0) }) else {
      return
    }
    item.chapters.append(chapter)
  }

  private mutating func beginAlternate(_ attributes: XMLAttributes) {
    guard item.alternateEnclosures.count < limits.listEntries else { return enter(.skipped) }
    item.alternateEnclosures.append(
      AlternateEnclosure(
        type: attributes["type"]?.trimmed.nonEmpty, length: attributes["length"].flatMap(FeedScalar.positive),
        bitrate: attributes["bitrate"].flatMap(FeedScalar.decimal), title: attributes["title"]?.trimmed.nonEmpty,
        isDefault: attributes["default"].flatMap(FeedScalar.flag) ?? false))
    enter(.alternate)
  }

  /// Removes the alternate enclosure if it has no playable source.
  mutating func endAlternate() {
    if let last = item.alternateEnclosures.last, last.sources.isEmpty { item.alternateEnclosures.removeLast() }
  }

  private mutating func beginValue(_ attributes: XMLAttributes) {
    let block = ValueBlock(
      type: attributes["type"]?.trimmed.nonEmpty, method: attributes["method"]?.trimmed.nonEmpty,
      suggested: attributes["suggested"]?.trimmed.nonEmpty)
    if inItem { item.value = block } else { podcast.value = block }
    enter(.value)
  }

  private mutating func addRecipient(_ attributes: XMLAttributes) {
    let recipient = ValueBlock.Recipient(
      name: attributes["name"]?.trimmed.nonEmpty, type: attributes["type"]?.trimmed.nonEmpty,
      address: attributes["address"]?.trimmed.nonEmpty,
      split: attributes["split"].flatMap(FeedScalar.whole).flatMap { Int(exactly: $0) },
      fee: attributes["fee"].flatMap(FeedScalar.flag), customKey: attributes["customKey"]?.trimmed.nonEmpty,
      customValue: attributes["customValue"]?.trimmed.nonEmpty)
    let count = (inItem ? item.value : podcast.value)?.recipients.count ?? 0
    guard count < limits.listEntries else { return }
    if inItem { item.value?.recipients.append(recipient) } else { podcast.value?.recipients.append(recipient) }
  }

  /// The widest image of a `srcset`: `a.jpg 300w, b.jpg 1500w`.
  private static func largest(_ srcset: String?) -> String? {
    let candidates = (srcset ?? "").split(separator: ",").map { $0.split(separator: " ") }.filter { !$0.isEmpty }
    let widest = candidates.max { width($0) < width($1) }
    return widest?.first.map(String.init)
  }

  private static func width(_ candidate: [Substring]) -> Double {
    candidate.count > 1 ? FeedScalar.decimal(String(candidate[1].dropLast())) ?? 0 : 0
  }
}
