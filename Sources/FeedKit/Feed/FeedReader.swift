import Foundation
import Model

/// Reads one feed as its bytes arrive: RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, CDF, in any encoding.
///
///     let reader = FeedReader(feedURL: address, contentType: header)
///     try reader.feed(chunk)         // as often as chunks come, from one thread at a time
///     let feed = try reader.finish()
///
/// What can be read of a broken feed is kept, with `podcast.damaged` set. Memory holds the parsed values and a few
/// kilobytes of text, never the whole document.
public final class FeedReader {
  private let reader: XMLReader
  private let sink: FeedSink
  private let limits: FeedLimits
  private let feedURL: String?
  private let onEpisodes: (([FeedEpisode], FeedPodcast) -> Void)?
  private var reported = 0
  /// The first bytes, kept until the root element shows that this is not a web page.
  private var head: [UInt8] = []
  private var received = 0
  private var bytesBeforeRoot = 0

  private static let roots: Set<String> = ["rss", "rdf", "feed", "channel"]
  /// First elements of web pages and fragments of them. A feed inside a page is still found.
  private static let pages: Set<String> = ["html", "head", "body", "meta", "link", "title", "script", "div", "p", "h1"]

  /// - Parameters:
  ///   - feedURL: the requested address, the base for relative addresses.
  ///   - contentType: the Content-Type header, for its charset.
  ///   - onEpisodes: called on the thread that calls `feed`, with the episodes completed by each chunk and the
  ///     channel as known so far. `finish` still returns all episodes.
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

  /// Parses the next bytes of the document.
  /// - Throws: `.tooLarge` or `.isHTML`, when reading on is useless.
  public func feed(_ bytes: UnsafeRawBufferPointer) throws(FeedReadError) {
    if received < 64 << 10 {
      // White space alone counts as an empty document. Only the first 64 KB are checked.
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

  /// Parses the next bytes. The result is wrapped, because `withUnsafeBytes` has no typed errors.
  func feed(_ bytes: some ContiguousBytes) throws(FeedReadError) {
    try bytes.withUnsafeBytes { buffer in Result { () throws(FeedReadError) in try feed(buffer) } }.get()
  }

  /// Ends the document, and returns the feed.
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

  /// Parses a whole document in memory.
  public static func read(
    _ bytes: some ContiguousBytes, feedURL: String? = nil, contentType: String? = nil, limits: FeedLimits = .standard
  ) throws(FeedReadError) -> Feed {
    let reader = FeedReader(feedURL: feedURL, contentType: contentType, limits: limits)
    try reader.feed(bytes)
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

  /// Whether the document is sound, a picture or the like. Text in UTF-16 also has zero bytes, but begins with `<`.
  private var isBinary: Bool { head.contains(0) && !head.prefix(4).contains(UInt8(ascii: "<")) }

  /// What the document is instead, for the user.
  private var found: String {
    if head.starts(with: Array("{".utf8)) || head.starts(with: Array("[".utf8)) { return "it looks like JSON" }
    if isBinary { return "it is not text" }
    guard let name = reader.firstName else { return "it has no elements" }
    return "it begins with <\(name)>"
  }
}

/// Receives the events of an `XMLReader` and passes them to the builder.
final class FeedSink: XMLSink {
  // The builder never calls the reader, so its methods are never entered twice. Checking this for every event would
  // take a twentieth of the time.
  @exclusivity(unchecked) var builder: FeedBuilder

  init(feedURL: String?, limits: FeedLimits) { builder = FeedBuilder(feedURL: feedURL, limits: limits) }

  func start(_ name: XMLName, _ attributes: XMLAttributes) { builder.start(name, attributes) }
  func end(_ name: XMLName) { builder.end(name) }
  func text(_ bytes: UnsafeBufferPointer<UInt8>) { builder.text(bytes) }
  func cutOff() { builder.cutOff() }
}

/// Why a document contains no feed. The data is invalid; connection errors are separate.
public enum FeedReadError: Error, Sendable, Equatable {
  /// The document is empty, or only white space.
  case empty
  /// A web page. `alternates` are the absolute addresses of feeds in its `<link rel=alternate>`, best first.
  case isHTML(alternates: [String])
  /// Something else, which `found` describes for the user.
  case notAFeed(found: String)
  /// Larger than `FeedLimits.documentBytes`.
  case tooLarge(bytes: Int)
}

/// Limits for one feed, far above real feeds, so that a malicious one takes bounded time and memory.
public struct FeedLimits: Sendable {
  /// Bytes of the decoded document.
  public var documentBytes = 512 << 20
  /// The maximum number of items. Further ones are left out, and the feed counts as damaged.
  public var items = 200_000
  /// The maximum number of bytes of one text. The rest is cut off.
  public var textBytes = 2 << 20
  /// The maximum number of entries in one list of an item or channel (enclosures, persons, categories, chapters …).
  public var listEntries = 2000
  /// The maximum number of bytes before the root element. A stream without one is not read further.
  public var rootBytes = 1 << 20
  /// The maximum number of bytes of an HTML page that are searched for feed addresses.
  public var pageBytes = 256 << 10

  public static let standard = FeedLimits()

  public init() {}
}

/// The Content-Type header (RFC 9110 §8.3).
enum ContentType {
  /// The charset parameter, quoted or not.
  static func charset(_ header: String) -> String? {
    let match = header.firstMatch(of: /;\s*charset\s*=\s*["']*([^;"']+)/.ignoresCase())
    return match.flatMap { String($0.1).trimmed.nonEmpty }
  }
}
