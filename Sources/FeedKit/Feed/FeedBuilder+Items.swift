import Foundation
import Model

/// Data of an item that is needed only until its end.
struct ItemExtras {
  /// media:content elements. Kept separately, because an `enclosure` is the feed's own choice and comes first.
  var mediaContents: [Enclosure] = []
  /// How many of them, at the front, are marked as the default.
  var defaultContents = 0
  /// Addresses that media:content calls audio or video, without a type.
  var calledPlayable: [String] = []
  /// The durations of media:content elements in seconds, by their addresses.
  var durations: [String: Int] = [:]
  var guidIsPermaLink: Bool?
  var live: (status: String, start: Date?, end: Date?)?
  var contentLinks: [String] = []
  /// The item has a psc:chapters element.
  var hasChapterList = false
  /// The address of a file of Podlove simple chapters.
  var chapterFile: String?
  /// podcast:episode is 0.
  var isEpisodeZero = false
  /// itunes:episode is 0. Programs write that for no number.
  var isITunesEpisodeZero = false
  /// An image that was given as an enclosure.
  var picture: String?
}

/// Unparsed attributes of a start tag, kept for its end tag. Which ones are set depends on the element.
struct NotedAttributes {
  var url: String?
  var type: String?
  /// A substitute for the text, or its purpose.
  var label: String?
  var role: String?
  var group: String?
  var picture: String?
  var date: String?
  var start: String?
  var length: String?
  var season: String?
  var complete: String?
  var permaLink: String?
  var rule: String?
}

/// Starting and ending items, and choices that need the whole item.
extension FeedBuilder {
  mutating func beginItem(live: (status: String, start: Date?, end: Date?)? = nil) {
    // An item within an item means that the end tag of the outer one is missing.
    if inItem { endItem() }
    inItem = true
    item = FeedEpisode()
    itemExtras = ItemExtras()
    itemExtras.live = live
    itemRanks.reset()
  }

  mutating func endItem() {
    guard inItem else { return }
    if scope == .alternate { endAlternate() }
    inItem = false
    chooseMedia()
    if item.pubDate == nil { item.pubDate = item.updated }
    if item.summary == nil { item.summary = item.contentHTML ?? item.subtitle }
    if item.imageURL == nil { item.imageURL = itemExtras.picture }
    if item.duration == nil, item.mediaURL != nil { item.duration = item.summary.flatMap(NotesLength.seconds) }
    if item.link == nil { item.link = permaLink }
    if item.episodeNumber == nil, itemExtras.isEpisodeZero, !itemExtras.isITunesEpisodeZero {
      item.episodeDisplay = item.episodeDisplay ?? "0"
    }
    // The file lists the same chapters as the item, so it needs no request.
    if item.chaptersURL == nil, item.chapters.isEmpty { item.chaptersURL = itemExtras.chapterFile }
    // Chapters with equal starts keep their order.
    if item.chapters.count > 1 { item.chapters.sort { $0.start < $1.start } }
    guard itemCount < limits.items else {
      droppedItems = true
      return
    }
    itemCount += 1
    if let live = itemExtras.live {
      // The rest of an item that was cut off may be its identity.
      guard !isCut, podcast.liveItems.count < limits.listEntries else { return }
      let links = itemExtras.contentLinks
      podcast.liveItems.append(
        LiveItem(status: live.status, start: live.start, end: live.end, contentLinks: links, episode: item))
    } else if !isCut || item != FeedEpisode() {
      if isCut { item.isCutOff = true }
      episodes.append(item)
    }
    item = FeedEpisode()
  }

  /// RSS 2.0: a guid is the item's address unless it has isPermaLink="false". Without the attribute, it must also
  /// look like an address.
  private var permaLink: String? {
    guard let guid = item.guid, itemExtras.guidIsPermaLink != false, !isAtom else { return nil }
    let looksAbsolute = guid.hasPrefix("http://") || guid.hasPrefix("https://")
    return looksAbsolute || itemExtras.guidIsPermaLink == true ? resolve(guid) : nil
  }

  /// mediaURL is the first audio or video enclosure, else the first audio or video media:content, else the first of
  /// all.
  private mutating func chooseMedia() {
    let own = item.enclosures.count
    for media in itemExtras.mediaContents {
      if let same = item.enclosures.firstIndex(where: { $0.url == media.url }) {
        if item.enclosures[same].type == nil { item.enclosures[same].type = media.type }
        if item.enclosures[same].bytes == nil { item.enclosures[same].bytes = media.bytes }
      } else if item.enclosures.count < limits.listEntries {
        item.enclosures.append(media)
      }
    }
    let called = itemExtras.calledPlayable
    let isPlayable = { (file: Enclosure) in MediaKind.isPlayable(file) || called.contains(file.url) }
    let chosen =
      item.enclosures.prefix(own).first(where: isPlayable)
      ?? item.enclosures.dropFirst(own).first(where: isPlayable) ?? item.enclosures.first
    item.mediaURL = chosen?.url
    item.mediaType = chosen?.type
    item.mediaBytes = chosen?.bytes
    if item.duration == nil { item.duration = chosen.flatMap { itemExtras.durations[$0.url] } }
    if itemExtras.picture == nil { itemExtras.picture = item.enclosures.first(where: MediaKind.isPicture)?.url }
  }
}
