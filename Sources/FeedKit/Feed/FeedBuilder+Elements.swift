import Foundation
import Model

/// Handles elements with attributes or children.
extension FeedBuilder {
  mutating func begin(_ element: FeedElement, _ name: XMLName, _ attributes: XMLAttributes) {
    switch element {
    case .root:
      // RSS 1.0 has its items beside the channel. Other RSS has nothing there, unless the channel's tags are missing.
      enter(name.namespace == .rdf || name.local.lowercased() == "rdf" ? .document : .channel)
      readLanguage(attributes)
    case .channel: beginChannel(attributes)
    case .item:
      guard scope != .skipped || !inItem else { return }
      beginItem()
      readItem(attributes)
      enter(.item)
    case .liveItem: beginLiveItem(attributes)
    case .image:
      if let address = attributes["href"] ?? attributes["url"] { setImage(address, FeedPrecedence.Rank.image) }
      enter(.image)
    case .owner: enter(.owner)
    case .person: collect()  // Atom's authors have elements, RSS's are text: see `FeedBuilder.beginPerson`.
    case .transparent: break
    case .link: beginLink(name, attributes)
    case .guid, .atomID:
      noted.permaLink = attributes["isPermaLink"]
      collect()
    case .category:
      if let term = attributes["term"]?.trimmed.nonEmpty { return addCategory(term) }
      noted.label = attributes["label"]?.trimmed.nonEmpty ?? attributes["text"]?.trimmed.nonEmpty
      collect()
    case .itunesCategory:
      // It has no text but children: subcategories, and if its end tag is missing, everything after it.
      if let text = attributes["text"]?.trimmed { addCategory(text) }
    case .itunesImage:
      if let address = attributes["href"] ?? attributes["url"] { setITunesImage(address) } else { collect() }
    case .itunesLink:
      if attributes["rel"]?.trimmed.lowercased() == "image", let address = attributes["href"] {
        setITunesImage(address)
      }
    case .enclosure:
      guard !addEnclosure(attributes) else { return }
      (noted.type, noted.length) = (attributes["type"], attributes["length"])
      collect()
    case .thumbnail:
      if let address = attributes["url"] { setImage(address, FeedPrecedence.Rank.thumbnail) } else { collect() }
    case .mediaContent: addMedia(attributes)
    case .atomContent: beginAtomContent(attributes)
    case .generatorAgent:
      guard let agent = attributes["resource"]?.trimmed.nonEmpty else { return collect() }
      if channelRanks.claim(.generator, FeedPrecedence.Rank.generatorAgent) { podcast.generator = agent }
    case .archive: podcast.isArchive = true
    case .complete: podcast.isComplete = true
    default: beginPodcasting(element, attributes)
    }
  }

  /// Handles the end of an element, after its text.
  mutating func endElement(_ element: FeedElement) {
    switch element {
    case .item, .liveItem: if scope == .item { endItem() }
    case .alternate: if scope == .alternate { endAlternate() }
    default: break
    }
  }

  /// Handles the text of an element that also has attributes.
  mutating func finish(_ element: FeedElement) {
    let value = collected
    switch element {
    case .link: if let address = resolve(value), !isCut { setLink(address, FeedPrecedence.Rank.link) }
    case .guid: setGuid(value, isAtom ? FeedPrecedence.Rank.guidOfOtherFormat : FeedPrecedence.Rank.guid)
    case .atomID: setGuid(value, isAtom ? FeedPrecedence.Rank.guid : FeedPrecedence.Rank.guidOfOtherFormat)
    case .person: set(.author, FeedPrecedence.Rank.authorText)
    case .category: addCategory(value.nonEmpty ?? noted.label ?? "")
    case .itunesImage: if !isCut { setITunesImage(value) }
    case .enclosure: addEnclosure(text: value)
    case .thumbnail: if !isCut { setImage(value, FeedPrecedence.Rank.thumbnail) }
    case .atomContent:
      if !value.isEmpty, itemRanks.claim(.content, FeedPrecedence.Rank.atomContent) {
        item.contentHTML = withOwnAddresses(value)
      }
    case .generatorAgent: if !value.isEmpty, channelRanks.claim(.generator, 0) { podcast.generator = value }
    case .podcastImage: if !isCut { setImage(value, FeedPrecedence.Rank.podcastImage) }
    default: finishPodcasting(element, value)
    }
  }

  private mutating func setGuid(_ value: String, _ rank: UInt8) {
    guard !value.isEmpty, !isCut, itemRanks.claim(.guid, rank) else { return }
    item.guid = value
    itemExtras.guidIsPermaLink = noted.permaLink.map { FeedScalar.flag($0) ?? true }
  }

  private mutating func beginChannel(_ attributes: XMLAttributes) {
    enter(.channel)
    readLanguage(attributes)
    // CDF uses attributes for what others put into elements.
    if let address = attributes["href"].flatMap({ resolve($0) }) { setLink(address, 1) }
    if let date = attributes["lastmod"].flatMap(FeedDate.parse), channelRanks.claim(.updated, 4) {
      podcast.lastBuildDate = date
    }
  }

  private mutating func readLanguage(_ attributes: XMLAttributes) {
    guard let language = attributes.value(prefix: "xml", "lang")?.trimmed.nonEmpty else { return }
    if channelRanks.claim(.language, FeedPrecedence.Rank.xmlLang) { podcast.language = language }
  }

  private mutating func readItem(_ attributes: XMLAttributes) {
    guard attributes.count > 0 else { return }
    if let about = attributes["about"]?.trimmed.nonEmpty, itemRanks.claim(.guid, FeedPrecedence.Rank.rdfAbout) {
      item.guid = about
      itemExtras.guidIsPermaLink = false
    }
    if let address = attributes["href"].flatMap({ resolve($0) }) { setLink(address, 1) }
    if let date = attributes["lastmod"].flatMap(FeedDate.parse), itemRanks.claim(.published, 4) {
      item.pubDate = date
    }
  }

  private mutating func beginLiveItem(_ attributes: XMLAttributes) {
    guard let status = FeedScalar.word(attributes["status"] ?? "", of: ["pending", "live", "ended"]) else {
      return enter(.skipped)
    }
    let start = attributes["start"].flatMap(FeedDate.parse)
    beginItem(live: (status, start, attributes["end"].flatMap(FeedDate.parse)))
    enter(.item)
  }

  // MARK: Links

  /// In RSS, the address is the text. In Atom it is `href`, and `rel` tells its purpose (RFC 4287 §4.2.7, RFC 5005).
  private mutating func beginLink(_ name: XMLName, _ attributes: XMLAttributes) {
    guard let href = attributes["href"] else { return collect() }
    guard let address = resolve(href) else { return }
    var relation = attributes["rel"]?.trimmed.lowercased().nonEmpty ?? "alternate"
    let registry = "http://www.iana.org/assignments/relation/"
    if relation.hasPrefix(registry) { relation = String(relation.dropFirst(registry.count)) }
    let type = attributes["type"]?.trimmed.lowercased()
    switch relation {
    case "alternate":
      let isPage = type == nil || type == "text/html" || type == "application/xhtml+xml"
      if !isAtom, name.namespace == .atom {
        if isPage { setLink(address, FeedPrecedence.Rank.linkFromAtomInRSS) }
      } else {
        setLink(address, isPage ? FeedPrecedence.Rank.link : FeedPrecedence.Rank.linkOfOtherType)
      }
    case "enclosure" where inItem: addEnclosure(attributes)
    case "payment":
      if inItem {
        item.paymentURL = item.paymentURL ?? address
      } else {
        podcast.paymentURL = podcast.paymentURL ?? address
      }
    case "http://podlove.org/simple-chapters", "http://podlove.org/simple-chapters/":
      if inItem, itemExtras.chapterFile == nil { itemExtras.chapterFile = address }
    default: if !inItem { readPage(relation, address) }
    }
  }

  private mutating func readPage(_ relation: String, _ address: String) {
    switch relation {
    case "next": podcast.nextPageURL = podcast.nextPageURL ?? address
    case "first": podcast.firstPageURL = podcast.firstPageURL ?? address
    case "prev-archive": podcast.previousArchiveURL = podcast.previousArchiveURL ?? address
    default: break
    }
  }

  mutating func setLink(_ address: String, _ rank: UInt8) {
    if inItem {
      if itemRanks.claim(.link, rank) { item.link = address }
    } else if channelRanks.claim(.link, rank) {
      podcast.link = address
    }
  }

  mutating func addCategory(_ value: String) {
    let value = PlainTitle.text(value)
    if inItem {
      item.categories.appendNew(value, limit: limits.listEntries)
    } else {
      podcast.categories.appendNew(value, limit: limits.listEntries)
    }
  }

  // MARK: Images and media

  mutating func setImage(_ address: String, _ rank: UInt8) {
    guard let address = resolve(address) else { return }
    if inItem {
      if itemRanks.claim(.image, rank) { item.imageURL = address }
    } else if channelRanks.claim(.image, rank) {
      podcast.imageURL = address
    }
  }

  private mutating func setITunesImage(_ address: String) {
    if inItem { return setImage(address, FeedPrecedence.Rank.itunesImage) }
    if podcast.itunesImageURL == nil { podcast.itunesImageURL = resolve(address) }
  }

  /// - Returns: false if it has no address in its attributes.
  @discardableResult
  private mutating func addEnclosure(_ attributes: XMLAttributes) -> Bool {
    let address = attributes["url"] ?? attributes["href"] ?? attributes["resource"]
    guard let address = address.flatMap({ resolve($0) }) else { return false }
    let enclosure = enclosure(address, type: attributes["type"], length: attributes["length"])
    if attributes["resource"] != nil, MediaKind.isPicture(enclosure) {
      // In RSS 1.0, enclosures are often photographs (classified advertisements), which cannot be played.
      setImage(address, FeedPrecedence.Rank.pictureEnclosure)
    } else if item.enclosures.count < limits.listEntries {
      item.enclosures.append(enclosure)
    }
    return true
  }

  private func enclosure(_ address: String, type: String?, length: String?) -> Enclosure {
    Enclosure(url: address, type: type?.trimmed.nonEmpty, bytes: length.flatMap(FeedScalar.positive))
  }

  /// Some feeds write the address as the text of the enclosure.
  private mutating func addEnclosure(text: String) {
    guard !isCut, !text.contains(where: \.isWhitespace), let address = resolve(text),
      address.hasPrefix("http://") || address.hasPrefix("https://"), item.enclosures.count < limits.listEntries
    else { return }
    item.enclosures.append(enclosure(address, type: noted.type, length: noted.length))
  }

  private mutating func addMedia(_ attributes: XMLAttributes) {
    guard let address = attributes["url"].flatMap({ resolve($0) }) else { return }
    let bytes = attributes["fileSize"].flatMap(FeedScalar.positive)
    let media = Enclosure(url: address, type: attributes["type"]?.trimmed.nonEmpty, bytes: bytes)
    let medium = attributes["medium"]?.trimmed.lowercased()
    let isCalledPlayable = MediaKind.isCalledPlayable(media, medium: medium)
    let isPlayable = isCalledPlayable || MediaKind.isPlayable(media)
    // Some feeds call their sound an image.
    if MediaKind.isPicture(media) || medium == "image" && !isPlayable {
      setImage(address, FeedPrecedence.Rank.pictureEnclosure)
    } else if itemExtras.mediaContents.count < limits.listEntries {
      if let seconds = attributes["duration"].flatMap(FeedScalar.duration) { itemExtras.durations[address] = seconds }
      if isCalledPlayable { itemExtras.calledPlayable.append(address) }
      if attributes["isDefault"].flatMap(FeedScalar.flag) == true {
        itemExtras.mediaContents.insert(media, at: itemExtras.defaultContents)
        itemExtras.defaultContents += 1
      } else {
        itemExtras.mediaContents.append(media)
      }
    }
  }

  /// Atom's content: text, HTML, XHTML, or external (`src`, which may be the episode's media).
  private mutating func beginAtomContent(_ attributes: XMLAttributes) {
    guard let address = attributes["src"].flatMap({ resolve($0) }) else {
      return collect(kind: MarkupText.kind(attributes))
    }
    let media = Enclosure(url: address, type: attributes["type"]?.trimmed.nonEmpty)
    if MediaKind.isPlayable(media) { itemExtras.mediaContents.append(media) }
  }
}
