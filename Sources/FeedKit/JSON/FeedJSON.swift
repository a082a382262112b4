import Foundation
import Model

/// The JSON that `earshot feed` prints. It always contains all keys; unknown values are null.
public struct FeedJSON {
  /// UTF-8, one object, without a final line break.
  public static func encode(_ feed: Feed) -> Data {
    var data = Data()
    write(feed) { data.append(contentsOf: $0) }
    return data
  }

  /// Writes the JSON in pieces, because that of a large feed is as large as the feed.
  public static func write(_ feed: Feed, to sink: (UnsafeRawBufferPointer) -> Void) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.key("podcast")
      podcast(feed.podcast, &writer)
      writer.key("episodes")
      writer.array(feed.episodes) { writer, item in
        episode(item, &writer)
        if writer.bytes.count > 256 * 1024 { writer.drain(sink) }
      }
    }
    writer.drain(sink)
  }

  private static func podcast(_ podcast: FeedPodcast, _ writer: inout JSONWriter) {
    writer.object { json in
      json.address("feedURL", podcast.feedURL)
      json.field("title", podcast.title)
      json.field("summary", podcast.summary)
      json.address("link", podcast.link)
      json.address("imageURL", podcast.imageURL)
      json.address("itunesImageURL", podcast.itunesImageURL)
      json.field("iTunesAuthor", podcast.iTunesAuthor)
      json.field("lastBuildDate", podcast.lastBuildDate)
      json.field("lastPubDate", podcast.lastPubDate)
      json.field("type", podcast.type)
      json.field("language", podcast.language)
      json.field("copyright", podcast.copyright)
      json.field("generator", podcast.generator)
      json.field("explicit", podcast.explicit)
      json.field("block", podcast.block)
      json.field("locked", podcast.locked)
      json.address("newFeedURL", podcast.newFeedURL)
      json.address("nextPageURL", podcast.nextPageURL)
      json.address("firstPageURL", podcast.firstPageURL)
      json.address("paymentURL", podcast.paymentURL)
      json.field("ownerName", podcast.ownerName)
      json.field("ownerEmail", podcast.ownerEmail)
      json.address("guid", podcast.guid)
      json.field("medium", podcast.medium)
      json.field("categories", podcast.categories)
      json.field("keywords", podcast.keywords)
      json.key("funding")
      json.array(podcast.funding) { funding($1, &$0) }
      json.key("persons")
      json.array(podcast.persons) { person($1, &$0) }
      json.key("podroll")
      json.array(podcast.podroll) { remoteItem($1, &$0) }
      json.key("liveItems")
      json.array(podcast.liveItems) { liveItem($1, &$0) }
      json.key("trailers")
      json.array(podcast.trailers) { trailer($1, &$0) }
      json.field("damaged", podcast.damaged)
    }
  }

  private static func episode(_ episode: FeedEpisode, _ writer: inout JSONWriter) {
    writer.object { fields(of: episode, &$0) }
  }

  private static func fields(of episode: FeedEpisode, _ json: inout JSONWriter) {
    json.field("title", episode.title)
    json.address("guid", episode.guid)
    json.address("mediaURL", episode.mediaURL)
    json.field("mediaType", episode.mediaType)
    json.field("mediaBytes", episode.mediaBytes)
    json.field("summary", episode.summary)
    json.field("contentHTML", episode.contentHTML)
    json.field("duration", episode.duration)
    json.field("pubDate", episode.pubDate)
    json.field("updated", episode.updated)
    json.address("link", episode.link)
    json.address("imageURL", episode.imageURL)
    json.field("subtitle", episode.subtitle)
    json.field("author", episode.author)
    json.field("season", episode.season)
    json.field("episodeNumber", episode.episodeNumber)
    json.field("episodeType", episode.episodeType)
    json.field("explicit", episode.explicit)
    json.field("block", episode.block)
    json.address("paymentURL", episode.paymentURL)
    json.field("categories", episode.categories)
    json.key("enclosures")
    json.array(episode.enclosures) { enclosure($1, &$0) }
    json.address("chaptersURL", episode.chaptersURL)
    json.key("chapters")
    json.array(episode.chapters) { chapter($1, &$0) }
    json.key("transcripts")
    json.array(episode.transcripts) { transcript($1, &$0) }
    json.key("soundbites")
    json.array(episode.soundbites) { soundbite($1, &$0) }
    json.key("persons")
    json.array(episode.persons) { person($1, &$0) }
    json.key("alternateEnclosures")
    json.array(episode.alternateEnclosures) { alternate($1, &$0) }
  }

  private static func enclosure(_ enclosure: Enclosure, _ writer: inout JSONWriter) {
    writer.object { json in
      json.address("url", enclosure.url)
      json.field("type", enclosure.type)
      json.field("bytes", enclosure.bytes)
    }
  }

  private static func chapter(_ chapter: Chapter, _ writer: inout JSONWriter) {
    writer.object { json in
      json.field("start", chapter.start)
      json.field("title", chapter.title)
      json.address("url", chapter.url)
      json.address("image", chapter.image)
    }
  }

  private static func transcript(_ transcript: TranscriptLink, _ writer: inout JSONWriter) {
    writer.object { json in
      json.address("url", transcript.url)
      json.field("type", transcript.type)
      json.field("language", transcript.language)
    }
  }

  private static func soundbite(_ soundbite: Soundbite, _ writer: inout JSONWriter) {
    writer.object { json in
      json.field("startTime", soundbite.startTime)
      json.field("duration", soundbite.duration)
      json.field("title", soundbite.title)
    }
  }

  private static func person(_ person: Person, _ writer: inout JSONWriter) {
    writer.object { json in
      json.field("name", person.name)
      json.field("role", person.role)
      json.field("group", person.group)
      json.address("href", person.href)
      json.address("img", person.img)
    }
  }

  private static func funding(_ funding: Funding, _ writer: inout JSONWriter) {
    writer.object { json in
      json.address("url", funding.url)
      json.field("message", funding.message)
    }
  }

  private static func alternate(_ alternate: AlternateEnclosure, _ writer: inout JSONWriter) {
    writer.object { json in
      json.field("type", alternate.type)
      json.field("length", alternate.length)
      json.field("bitrate", alternate.bitrate)
      json.field("sources", alternate.sources.map(\.withoutUserInfo))
    }
  }

  private static func remoteItem(_ item: RemoteItem, _ writer: inout JSONWriter) {
    writer.object { json in
      json.field("feedGuid", item.feedGuid)
      json.address("feedURL", item.feedURL)
      json.field("itemGuid", item.itemGuid)
      json.field("medium", item.medium)
      json.field("title", item.title)
    }
  }

  private static func liveItem(_ live: LiveItem, _ writer: inout JSONWriter) {
    writer.object { json in
      json.field("status", live.status)
      json.field("start", live.start)
      json.field("end", live.end)
      json.field("contentLinks", live.contentLinks.map(\.withoutUserInfo))
      fields(of: live.episode, &json)
    }
  }

  private static func trailer(_ trailer: Trailer, _ writer: inout JSONWriter) {
    writer.object { json in
      json.field("title", trailer.title)
      json.address("url", trailer.url)
      json.field("pubDate", trailer.pubDate)
      json.field("bytes", trailer.bytes)
      json.field("type", trailer.type)
      json.field("season", trailer.season)
    }
  }
}
