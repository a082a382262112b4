import Directories
import FeedKit
import Foundation
import HTTP
import Model
import Store

/// Adds podcasts: from an address of any form to a subscription.
extension Refresher {
  /// Why a podcast was not added.
  package enum AddFailure: Error, Sendable, CustomStringConvertible {
    case feed(FeedError, address: String)
    case store(StoreError, address: String)
    case directory(DirectoryError)
    /// Found by title only, and several podcasts match. The listener must choose.
    case ambiguous(LinkMatches)
    /// The podcast has no feed.
    case noFeed(site: String, title: String)

    package var description: String {
      switch self {
      case .directory(let error): error.description
      case .ambiguous(let matches):
        "This link names no feed. Podcasts with a similar title: \(matches.podcasts.count)"
      case .noFeed(let site, let title): "“\(title)” is only on \(site): it cannot be played here"
      case .feed(let error, let address): error.message(podcast: address)
      case .store(let error, let address): "\(address): \(error)"
      }
    }

    /// How to add a podcast whose feed is behind a password; nil for other failures.
    package var passwordHint: String? {
      guard case .feed(.http(.unauthorized), _) = self else { return nil }
      return "run “earshot add --user NAME URL” to enter the password"
    }

    /// What a listener who adds a feed behind a password can do.
    package enum PasswordAdvice: Sendable, Equatable {
      /// Give a user name and a password beside the text. Only this server gets them, and it has asked for them.
      /// - Parameter hint: what to do where nothing can be typed.
      case give(Origin, hint: String?)
      /// Give others: this server does not accept those that were given. Only this server gets them.
      case refused(Origin)
      /// Something else: the server that asks would not get them.
      case instead(String)
    }

    /// What a listener who has typed this text can do about a server that asks for a password. Nil for other failures,
    /// and for a link to another player's site or a page with videos, which take no password.
    /// - Parameter login: what was given beside the text.
    package func passwordAdvice(_ text: String, _ login: FeedLogin?) -> PasswordAdvice? {
      guard case .feed(.http(.unauthorized(_, let asking)), _) = self, SharedLink(text) == nil,
        SiteList.page(text) == nil, let origins = (try? FeedAddress.parse(text))?.origins, let own = origins.first
      else { return nil }
      let given = login.map { $0.server ?? own } ?? (FeedAddress.hasPassword(text) ? own : nil)
      let isRefused = given?.trusts(asking) == true
      if own.trusts(asking) { return isRefused ? .refused(own) : .give(own, hint: passwordHint) }
      guard !origins.contains(asking) else {
        return .instead("write http:// before the address to send the password unencrypted")
      }
      let hint = """
        \(asking.name) asks for a password, and Earshot does not send it one for \(own.name): add the feed by its \
        address at \(asking.name)
        """
      // A feed has one password, so a second one would replace the first. An address with https must not lead to a
      // password without encryption.
      guard given == nil || isRefused, asking.scheme == "https" || own.scheme == "http" else { return .instead(hint) }
      return isRefused ? .refused(asking) : .give(asking, hint: hint)
    }

    package static let refusedLogin = "the server does not accept this user name and password"
  }

  /// Fetches the feed at an address of any form, or reads the folder at a path, and subscribes to it. A failure stores
  /// nothing.
  /// - Parameters:
  ///   - login: user and password given beside the address.
  ///   - userAgent: becomes the setting of the podcast.
  ///   - onArrival: called on the network thread with what has arrived so far.
  package func add(
    _ text: String, login: FeedLogin? = nil, userAgent: UserAgent? = nil,
    onArrival: @escaping @Sendable (ArrivingPodcast) -> Void = { _ in }
  ) async -> Result<AddedPodcast, AddFailure> {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if FolderAddress.isPath(trimmed) { return await addFolder(trimmed, onArrival) }
    let shown = ShownAddress(trimmed).description
    if shown == Resources.welcomeAddress {
      guard let feed = readWelcome() else { return .failure(.feed(.http(.notFound), address: shown)) }
      return await subscribe(Located(feed, at: shown), shown: shown)
    }
    do throws(AddFailure) {
      let found = try await locate(text, login: login, userAgent: userAgent, onArrival: onArrival)
      let result = await subscribe(found, shown: shown)
      if let userAgent, case .success(let podcast) = result {
        do throws(StoreError) { try library.update(settingsOf: podcast.id) { $0.userAgent = userAgent } } catch {
          return .failure(.store(error, address: shown))
        }
      }
      return result
    } catch {
      return .failure(error)
    }
  }

  /// A feed that was fetched or made, and how it was found.
  package struct Located: Sendable {
    package var feed: NewFeed
    package var source: PodcastSource?
    /// The picture of the directory that led to it.
    var artworkURL: String?
    /// The episode that the link named.
    package var episode: EpisodeClue?
  }

  /// Fetches the feed of an address of any form, of a link to another player's site, or of a page that only yt-dlp
  /// reads.
  func locate(
    _ text: String, login: FeedLogin? = nil, userAgent: UserAgent? = nil,
    onArrival: @escaping @Sendable (ArrivingPodcast) -> Void = { _ in }
  ) async throws(AddFailure) -> Located {
    let shown = ShownAddress(text.trimmingCharacters(in: .whitespacesAndNewlines)).description
    if let page = SiteList.page(text), login == nil { return try await locate(page, onArrival: onArrival) }
    do throws(AddFailure) {
      return try await locateFeed(text, login: login, userAgent: userAgent, shown: shown, onArrival: onArrival)
    } catch {
      guard login == nil, let found = try await locate(instead: text, of: error, onArrival: onArrival) else {
        throw error
      }
      return found
    }
  }

  /// Fetches the feed of an address, or of a link to another player's site.
  func locateFeed(
    _ text: String, login: FeedLogin? = nil, userAgent: UserAgent? = nil, shown: String,
    onArrival: @escaping @Sendable (ArrivingPodcast) -> Void
  ) async throws(AddFailure) -> Located {
    var (text, podcast, episode) = (text, FoundPodcast?.none, EpisodeClue?.none)
    if let directories, login == nil, let link = SharedLink(text) {
      (text, podcast, episode) = try await directories.follow(link)
    }
    do {
      var address = try FeedAddress.parse(text)
      if let login { try address.authorize(login) }
      let preview = ArrivalPreview(report: onArrival)
      let found = try await client.fetchNew(address, userAgent: userAgent, access: knownAccess) {
        preview.add($0, of: $1)
      }
      return Located(feed: found, source: podcast?.source, artworkURL: podcast?.artworkURL, episode: episode)
    } catch {
      throw .feed(error, address: podcast?.title ?? shown)
    }
  }

  /// What the requests of the podcast with this address carry, if it is known.
  private func knownAccess(_ url: String) -> RequestAccess {
    let known = try? library.podcastID(feedURL: url).map { (id) throws(StoreError) in try library.access(of: id) }
    return known ?? RequestAccess()
  }

  /// Adds the built-in welcome podcast.
  package func addWelcome() throws(StoreError) {
    guard let feed = readWelcome() else { return }
    try library.subscribe(feed: feed, feedURL: Resources.welcomeAddress, now: clock())
    try library.finishFirstStart()
  }

  /// - Parameter problem: what could not be read, if only a part was.
  package func subscribe(
    _ found: Located, shown: String, problem: String? = nil
  ) async -> Result<AddedPodcast, AddFailure> {
    let (feed, feedURL) = (found.feed.feed, found.feed.url)
    do throws(StoreError) {
      let podcast = try await preparing.run { () throws(StoreError) -> AddedPodcast in
        var wasKnown = try self.library.isSubscribed(feedURL: feedURL)
        if let moved = try self.library.podcastID(feedURL: found.feed.asked),
          try moved != self.library.podcastID(feedURL: feedURL),
          try self.canMove(moved, self.library.podcastDetail(moved)?.row.title ?? "", to: feedURL, feed)
        {
          // The listener's data goes with the podcast, as it does when a refresh finds that it has moved.
          let isSubscribed = try self.library.isSubscribed(feedURL: found.feed.asked)
          if try self.library.setFeedURL(moved, feedURL, now: self.clock()) != nil {
            wasKnown = wasKnown || isSubscribed
          }
        }
        var info = RefreshInfo(validators: found.feed.info.validators, problem: problem)
        if feedURL != Resources.welcomeAddress {
          info.catalogueRule = self.catalogueRule(of: try self.library.podcastID(feedURL: feedURL))
        }
        if let guid = feed.podcast.guid, !wasKnown,
          let broken = try self.library.brokenPodcast(guid: guid, besides: feedURL),
          try self.library.matches(feed.episodes, broken)
        {
          // The feed of this podcast has moved without a redirect. A paid feed, which may have the guid of a public
          // one, has other episodes. The listening state stays with the podcast.
          try self.library.setFeedURL(broken, feedURL, now: self.clock())
          wasKnown = true
        }
        let id = try self.library.subscribe(
          feed: feed, feedURL: feedURL, source: found.source, imageURLOverride: found.artworkURL,
          credentials: found.feed.credentials, info: info, now: self.clock())
        let title = feed.podcast.title ?? "Untitled"
        if !wasKnown { try self.library.recordAdded([id], label: "Add “\(title)”", now: self.clock()) }
        // As stored: an episode may be in the feed twice.
        let count = try self.library.podcastDetail(id)?.row.episodes ?? feed.wholeEpisodes
        var added = AddedPodcast(id: id, title: title, episodes: count, wasKnown: wasKnown)
        added.isCutOff = feed.podcast.isCutOff
        added.problem = problem
        if !wasKnown, let guid = feed.podcast.guid, let duplicate = try self.library.duplicate(of: id, guid: guid) {
          added.duplicate = try self.library.podcastDetail(duplicate.id)?.row.title
        }
        if let episode = found.episode {
          added.episode = try self.library.episode(episode, in: id)
          added.lacksEpisode = added.episode == nil
        }
        return added
      }
      return .success(podcast)
    } catch {
      return .failure(.store(error, address: shown))
    }
  }

  func readWelcome() -> Feed? {
    guard let directory = resources.welcome,
      let data = FileManager.default.contents(atPath: directory + "/feed.xml")
    else { return nil }
    return try? FeedReader.read(data, feedURL: Resources.welcomeAddress)
  }
}

extension Refresher.Located {
  /// A feed that was made here, not fetched.
  init(_ feed: Feed, at url: String, episode: EpisodeClue? = nil) {
    self.init(feed: NewFeed(url: url, asked: url, feed: feed, info: FetchInfo(finalURL: url)), episode: episode)
  }
}
