import Foundation
import HTTP
import Model

/// Receives episodes as soon as they are parsed, with the channel as known so far.
public typealias EpisodePreview = @Sendable ([FeedEpisode], FeedPodcast) -> Void

/// Fetches feeds and files that belong to them, with an `HTTPClient`.
public final class FeedClient: Sendable {
  /// Limits.
  public struct Options: Sendable {
    /// The maximum number of bytes of a feed's body, after decompression.
    public var maxFeedBytes: Int64 = 128 * 1024 * 1024
    /// The maximum number of bytes of a body that are buffered until its digest is known. Larger bodies are parsed as
    /// they arrive. With 32 concurrent requests, the buffers must be small compared to the program.
    var spoolLimit = 4 * 1024 * 1024
    public init() {}
  }

  static let feedAccept =
    "application/rss+xml, application/atom+xml, application/rdf+xml;q=0.9, application/xml;q=0.8, text/xml;q=0.8, */*;q=0.5"

  let http: HTTPClient
  let options: Options

  public init(http: HTTPClient, options: Options = Options()) {
    self.http = http
    self.options = options
  }

  /// Fetches one feed. `onEpisodes` is called on the network thread with episodes as they are parsed, so it must be
  /// quick. They are a preview, which may start again after a failed attempt or a move; the result contains all
  /// episodes.
  public func fetch(
    _ request: FeedRequest, onEpisodes: EpisodePreview? = nil
  ) async -> FetchResult {
    do {
      let address = try WebAddress(ofFeed: request.url)
      let answer = try await ask(address, request, validators: request.validators, onEpisodes: onEpisodes)
      switch answer {
      case .unchanged(let info):
        return await followNewFeedURL(
          request.knownNewFeedURL, or: .unchanged(info), info, request, onEpisodes: onEpisodes)
      case .html(let alternates, let page):
        return try await followAlternate(alternates, page: page, request, onEpisodes: onEpisodes)
      case .feed(let feed, let info):
        return await followNewFeedURL(
          feed.podcast.newFeedURL, or: .feed(feed, info), info, request, onEpisodes: onEpisodes)
      }
    } catch { return .failed(error) }
  }

  /// Fetches a file into memory: chapters, transcripts, images, lists.
  /// - Parameter deadline: seconds for the whole request; nil: as the options of the HTTP client say.
  public func get(
    _ url: String, accept: String = "*/*", maxBytes: Int64 = 16 * 1024 * 1024, deadline: Double? = nil,
    access: RequestAccess = RequestAccess()
  ) async throws(FeedError) -> FetchedBody {
    var request = HTTPRequest(url: try WebAddress(ofFeed: url), headers: [("Accept", accept)])
    request.maxBytes = maxBytes
    request.deadline = deadline
    request.use(access)
    let sink = BodyBuffer()
    let response = try await http.answer(to: request, sink: sink)
    guard response.status != 304 else { throw .http(.refused(status: 304)) }
    return FetchedBody(bytes: sink.bytes, contentType: response.head.contentType, finalURL: response.url.text)
  }
}

// MARK: - One address

extension FeedClient {
  enum Answer {
    case unchanged(FetchInfo)
    case feed(Feed, FetchInfo)
    case html(alternates: [String], page: WebAddress)
  }

  /// Requests one address, following redirects.
  func ask(
    _ address: WebAddress, _ request: FeedRequest, validators: FeedValidators,
    onEpisodes: EpisodePreview?
  ) async throws(FeedError) -> Answer {
    var question = HTTPRequest(url: address, headers: [("Accept", Self.feedAccept)])
    question.maxBytes = options.maxFeedBytes
    question.deadline = Self.deadline
    question.validators = validators
    // Credentials are sent only to their own origin, wherever a feed or page links to.
    question.use(request.access)
    if let own = try WebAddress(ofFeed: request.url).credentials { question.credentials.append(own) }
    let body = FeedBody(known: validators, spoolLimit: options.spoolLimit, onEpisodes: onEpisodes)
    let response = try await http.answer(to: question, sink: body)
    var info = FetchInfo(response)
    let movedTo = response.isPermanentMove ? response.url.text : nil
    if response.status == 304 {
      guard validators.etag != nil || validators.lastModified != nil else { throw .http(.refused(status: 304)) }
      info.validators = validators.refreshed(by: response)
      // That address once returned a feed with these validators, so the target of the redirects is known to be a
      // feed.
      if validators.url == response.url.text { info.movedTo = movedTo }
      return .unchanged(info)
    }
    info.validators.bodyDigest = body.digestText
    info.movedTo = movedTo
    do throws(FeedReadError) {
      // The digest belongs to a body that was parsed as a feed.
      guard var feed = try body.feed() else { return .unchanged(info) }
      feed.podcast.feedURL = request.url.withoutUserInfo
      // The next request must fetch the whole feed: a 304 or a known digest would confirm the incomplete one.
      if feed.podcast.isCutOff { info.validators = FeedValidators() }
      return .feed(feed, info)
    } catch {
      if case .isHTML(let alternates) = error { return .html(alternates: alternates, page: response.url) }
      throw response.bytes == 0 ? .invalidData(.empty) : FeedError(error)
    }
  }

  /// Seconds. The largest feeds have some megabytes, and a slow connection needs minutes for them. A server that sends
  /// nothing is given up much earlier.
  private static let deadline = 600.0

  /// How many links of a page are tried.
  private static let maxAlternates = 4

  /// Fetches the first feed with media that a web page links to. If none has media, the first feed is taken if it is at
  /// the first link: another one may be the comments. A page at a link is not followed.
  private func followAlternate(
    _ alternates: [String], page: WebAddress, _ request: FeedRequest,
    onEpisodes: EpisodePreview?
  ) async throws(FeedError) -> FetchResult {
    let addresses = alternates.compactMap { Self.feedAddress($0, on: page) }
    guard request.followsAlternates else { throw .invalidData(.html) }
    var asked: Set = [page.text]
    var failure: FeedError?
    var first: FetchResult?
    for address in addresses where asked.count <= Self.maxAlternates && asked.insert(address.text).inserted {
      do throws(FeedError) {
        if case .feed(let feed, var info) = try await ask(
          address, request, validators: FeedValidators(), onEpisodes: onEpisodes)
        {
          info.discoveredURL = info.movedTo ?? address.text
          info.movedTo = nil
          if feed.episodes.contains(where: { $0.mediaURL != nil }) { return .feed(feed, info) }
          if failure == nil { first = .feed(feed, info) }
        }
        failure = failure ?? .invalidData(.html)
      } catch {
        guard error.isNoFeed || first != nil else { throw failure ?? error }
        failure = failure ?? error
      }
    }
    if let first { return first }
    throw failure ?? .invalidData(.html)
  }

  /// The address of a feed in a document, which may have a scheme of players (`feed://`). That says nothing about the
  /// real scheme, so it is the one of the page.
  static func feedAddress(_ text: String, on page: WebAddress) -> WebAddress? {
    let link = text.trimmingCharacters(in: .whitespacesAndNewlines)
    // As in a redirect, a path may follow `feed:`.
    let hasPath = WebAddress.scheme(of: link) == "feed" && !link.dropFirst(5).hasPrefix("//")
    let address = FeedAddress.unwrapped(hasPath ? String(link.dropFirst(5)) : link, scheme: page.scheme)
    return try? WebAddress(address, relativeTo: page)
  }

  /// Whether an address leads away from all of these. One that only goes back from https to http does not.
  static func isMove(to address: WebAddress, from known: [WebAddress]) -> Bool {
    known.allSatisfy { $0.text != address.text && !$0.isUpgrade(of: address) }
  }

  /// Fetches the feed that itunes:new-feed-url points to, if it exists and does not point back; otherwise returns
  /// `stay`. An HTTP redirect takes precedence.
  private func followNewFeedURL(
    _ stated: String?, or stay: FetchResult, _ info: FetchInfo, _ request: FeedRequest,
    onEpisodes: EpisodePreview?
  ) async -> FetchResult {
    guard request.followsNewFeedURL, info.movedTo == nil, let stated, let page = try? WebAddress(info.finalURL),
      let asked = try? WebAddress(request.url), let target = Self.feedAddress(stated, on: page),
      Self.isMove(to: target, from: [asked, page]),
      case .feed(let newFeed, var newInfo) = try? await ask(
        target, request, validators: FeedValidators(), onEpisodes: onEpisodes),
      let end = try? WebAddress(newInfo.finalURL), Self.isMove(to: end, from: [asked, page])
    else { return stay }
    if let back = newFeed.podcast.newFeedURL.flatMap({ Self.feedAddress($0, on: end) }),
      !Self.isMove(to: back, from: [asked, page])
    {
      return stay
    }
    newInfo.movedTo = newInfo.movedTo ?? target.text
    return .feed(newFeed, newInfo)
  }
}

extension FetchInfo {
  /// The info of a response, with its validators except the digest.
  init(_ response: HTTPResponse) {
    self.init(
      finalURL: response.url.text,
      validators: FeedValidators(
        etag: response.head["ETag"], lastModified: response.head.lastModified, url: response.url.text),
      bytes: response.status == 304 ? 0 : response.bytes, date: response.head.date)
  }
}

extension FeedValidators {
  /// A 304 may update the validators (RFC 9111 §4.3.4). Those it does not contain stay.
  func refreshed(by response: HTTPResponse) -> FeedValidators {
    FeedValidators(
      etag: response.head["ETag"] ?? etag, lastModified: response.head.lastModified ?? lastModified,
      bodyDigest: bodyDigest, url: response.url.text)
  }
}
