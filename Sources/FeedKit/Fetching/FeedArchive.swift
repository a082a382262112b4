import Foundation
import HTTP
import Model

/// The older pages of a feed (RFC 5005) that were fetched.
public struct FeedArchive: Sendable {
  /// Why no further page was fetched.
  public enum Stop: Sendable, Equatable {
    /// The last page links to no further one.
    case end
    /// A page linked to one that was already read, or had nothing new. Pages can shift while they are being fetched.
    case nothingNew
    case limit
    case failed(FeedError)
  }

  /// How many pages to fetch.
  public struct Limit: Sendable {
    /// Pages with an episode that the library lacks, so that each fetch gets further back than the one before.
    public var pages = 100
    public var allPages = 1000
    /// Episodes that the library lacks.
    public var episodes = 50_000
    public init(pages: Int = 100, episodes: Int = 50_000) {
      self.pages = pages
      self.episodes = episodes
    }
  }

  /// Episodes that the first page does not have, newest page first, without duplicates. The version on a newer page
  /// is used.
  public var episodes: [FeedEpisode]
  public var pages: Int
  public var stop: Stop
}

extension FeedClient {
  /// Fetches the older pages of a feed: `prev-archive` if there is one, else `next`. What was read before an error is
  /// kept. A page that is cut off ends the fetch with an error, because the link to the next one may be missing, too.
  /// - Parameter countNew: how many of these episodes the library lacks.
  public func fetchArchive(
    from feed: Feed, url: String, limit: FeedArchive.Limit = FeedArchive.Limit(),
    access: RequestAccess = RequestAccess(), countNew: @Sendable ([FeedEpisode]) -> Int = { $0.count }
  ) async -> FeedArchive {
    var archive = FeedArchive(episodes: [], pages: 0, stop: .end)
    var seenEpisodes = Set(feed.episodes.map(\.archiveKey))
    var page = feed.podcast
    var (newPages, newEpisodes) = (0, 0)
    do throws(FeedError) {
      var base = try WebAddress(ofFeed: url)
      var seenPages: Set<String> = [base.text]
      while let link = page.previousArchiveURL ?? page.nextPageURL {
        let next = try WebAddress(ofFeed: link, relativeTo: base)
        guard seenPages.insert(next.text).inserted else {
          archive.stop = .nothingNew
          break
        }
        guard newPages < limit.pages, archive.pages < limit.allPages, newEpisodes < limit.episodes else {
          archive.stop = .limit
          break
        }
        let request = FeedRequest(url: url, access: access, followsAlternates: false, followsNewFeedURL: false)
        guard
          case .feed(let older, let info) = try await ask(
            next, request, validators: FeedValidators(), onEpisodes: nil)
        else { throw FeedError.invalidData(.html) }
        archive.pages += 1
        let new = older.episodes.filter { seenEpisodes.insert($0.archiveKey).inserted }
        page = older.podcast
        guard !new.isEmpty || page.isCutOff else {
          archive.stop = .nothingNew
          break
        }
        let count = countNew(new)
        if count > 0 { newPages += 1 }
        archive.episodes += new.prefix(limit.episodes - newEpisodes + new.count - count)
        newEpisodes += count
        guard !page.isCutOff else { throw FeedArchive.cutOff }
        base = try WebAddress(ofFeed: info.finalURL)
        seenPages.insert(base.text)
      }
      guard !feed.podcast.isCutOff else { throw FeedArchive.cutOff }
    } catch { archive.stop = .failed(error) }
    return archive
  }
}

extension FeedArchive {
  fileprivate static let cutOff = FeedError.invalidData(.malformed(reason: "a page of the feed is cut off"))
}

extension FeedEpisode {
  /// Identifies an episode across pages: guid, else enclosure, else title and date.
  fileprivate var archiveKey: String {
    if let guid { return "g" + guid }
    if let mediaURL { return "m" + mediaURL }
    return "t\(title ?? "")\u{0}\(pubDate.map { "\($0.timeIntervalSince1970)" } ?? link ?? "")"
  }
}
