import Foundation
import Model

/// Reads one feed as its bytes arrive: RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, CDF, in any encoding.
///
///     let reader = FeedReader(feedURL: address, contentType: header)
///     try reader.feed(chunk)         // as often as chunks come, from one thread at a time
///     let feed = try reader.finish()
///
/// What can be read of a broken feed is kept, with `podcast.damaged` set. Memory holds the values that were read and a
/// few kilobytes of text, never the document.
public final class FeedReader {
  private let reader: XMLReader
  private let sink: FeedSink
  private let limits: FeedLimits
  private let feedURL: String?
  private let onEpisodes: (([FeedEpisode], FeedPodcast) -> Void)?
  private var reported = 0
  /// The first bytes, until the root element tells that they are not a web page's.
  private var head: [UInt8] = []
  private var received = 0
  private var bytesBeforeRoot = 0

  private static let roots: Set<String> = ["rss", "rdf", "feed", "channel"]
  /// What web pages and pieces of them begin with. A feed within a page is found all the same.
  private static let pages: Set<String> = ["html", "head", "body", "meta", "link", "title", "script", "div", "p", "h1"]

  /// - Parameters:
  ///   - feedURL: the address that was asked for; relative addresses are resolved against it.
  ///   - contentType: the HTTP header's value, for its charset.
  ///   - onEpisodes: called on the feeding thread with the episodes that each chunk completed, and with the channel as
  ///     far as it is known. `finish` still returns all of them.
  public init(
    feedURL: String? = nil, contentType: String? = nil, limits: FeedLimits = .standard,
    onEpisodes: (@Sendable ([FeedEpisode], FeedPodcast) -> Void)? = nil
  ) {
    self.limits = limits
    self.feedURL = feedURL
    self.onEpisodes = onEpisodes
    sink = FeedSink(feedURL: feedURL, limits: limits)
    var xmlLimits = XMLLimits.standard
    xmlLimits.documentBytes = limits.documentBytes
    reader = XMLReader(
      sink: sink, roots: Self.roots, charset: contentType.flatMap(ContentType.charset), limits: xmlLimits)
  }

  /// Takes the next bytes of the document.
  /// - Throws: `.tooLarge` or `.isHTML`, when there is no point in reading on.
  public func feed(_ bytes: UnsafeRawBufferPointer) throws(FeedReadError) {
    if received < 64 << 10 {
      // White space alone is an empty document; nobody sends more of it than this.
      received += bytes.contains { $0 > 0x20 } ? bytes.count : 0
    }
    if !isFeed, head.count < limits.pageBytes { head += bytes.prefix(limits.pageBytes - head.count) }
    reader.feed(bytes)
    if isFeed { head = [] }
    if isPage, head.count >= limits.pageBytes { throw pageError() }
    if !isFeed {
      bytesBeforeRoot += bytes.count
      if bytesBeforeRoot > limits.rootBytes { throw received > 0 ? .notAFeed(found: found) : .empty }
    }
    if reader.isTooLarge { throw .tooLarge(bytes: limits.documentBytes) }
    report()
  }

  /// The end of the document.
  public func finish() throws(FeedReadError) -> Feed {
    reader.finish()
    if isPage { throw pageError() }
    guard received > 0 else { throw .empty }
    guard isFeed else { throw .notAFeed(found: found) }
    report()
    var podcast = sink.builder.podcast
    podcast.damaged = reader.isDamaged || sink.builder.droppedItems
    podcast.isCutOff = reader.isCutOff
    podcast.lastPubDate = podcast.lastPubDate ?? sink.builder.episodes.lazy.compactMap(\.pubDate).max()
    return Feed(podcast: podcast, episodes: sink.builder.episodes)
  }

  /// Reads a whole document that is in memory.
  public static func read(
    _ bytes: some ContiguousBytes, feedURL: String? = nil, contentType: String? = nil, limits: FeedLimits = .standard
  ) throws(FeedReadError) -> Feed {
    let reader = FeedReader(feedURL: feedURL, contentType: contentType, limits: limits)
    let outcome = bytes.withUnsafeBytes { bytes in
      Result { () throws(FeedReadError) in try reader.feed(bytes) }
    }
    try outcome.get()
    return try reader.finish()
  }

  private var isFeed: Bool { reader.foundRoot }
  private var isPage: Bool { !isFeed && Self.pages.contains(reader.firstName?.lowercased() ?? "") }

  private func report() {
    guard let onEpisodes, reported < sink.builder.episodes.count else { return }
    let new = Array(sink.builder.episodes[reported...])
    reported = sink.builder.episodes.count
    onEpisodes(new, sink.builder.podcast)
  }

  private func pageError() -> FeedReadError {
    .isHTML(alternates: PageLinks.feeds(in: head, address: feedURL))
  }

  /// What the document is instead, for a person.
  private var found: String {
    if head.starts(with: Array("{".utf8)) || head.starts(with: Array("[".utf8)) { return "it looks like JSON" }
    guard let name = reader.firstName else { return "it has no elements" }
    return "it begins with <\(name)>"
  }
}
