import ArgumentParser
import FeedKit
import Foundation
import Model
import Services
import Store
import TerminalKit

/// `earshot add`: subscribes to podcasts.
struct AddVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Subscribe to podcasts.",
    discussion: """
      Use --user for a feed behind a password. Earshot asks for the password, or takes it from EARSHOT_PASSWORD or \
      standard input. Without --user, it asks for both on a terminal. In an address on the command line, other users of \
      the machine could see the password. It is only sent to the server of that address. A podcast that you already \
      have keeps its other settings.

      The path of a folder makes a podcast of its files, such as of an audiobook. Earshot only reads there. With --each, \
      every folder in it becomes a podcast.
      """)

  @Argument(
    help: ArgumentHelp(
      """
      Addresses of feeds, of web pages that name a feed, or links to a podcast or an episode at podcasts.apple.com, \
      open.spotify.com, pca.st, overcast.fm, fyyd.de, podcastindex.org, castbox.fm or YouTube; or paths of folders. \
      Other pages with videos need yt-dlp (docs/SITES.md).
      """), completion: .file())
  var urls: [String]

  @Option(
    help: "What the podcast's servers are told in place of Earshot's name, for hosts that refuse what they do not know."
  )
  var userAgent: String?

  @Flag(help: "Add each folder in the folders as a podcast of its own.")
  var each = false

  @Option(help: "The user name for a feed behind a password. Earshot asks for the password.")
  var user: String?

  @OptionGroup var output: JSONOption

  func validate() throws {
    if user != nil, urls.count != 1 { throw ValidationError("--user is for one address at a time.") }
    if let userAgent, UserAgent(userAgent) == nil {
      throw ValidationError("A user agent has 1 to \(UserAgent.limit) printable characters of ASCII.")
    }
    if each, let url = urls.first(where: { Self.folder($0) == nil }) {
      throw ValidationError("--each is for folders, and “\(ShownAddress(url))” is none.")
    }
  }

  /// The absolute path of a folder. Nil if the text is an address.
  static func folder(_ text: String) -> String? {
    var isDirectory: ObjCBool = false
    let isFolder = FileManager.default.fileExists(atPath: text, isDirectory: &isDirectory) && isDirectory.boolValue
    // A folder whose name looks like an address needs "./" before it.
    guard FolderAddress.isPath(text) || isFolder && (try? FeedAddress.parse(text)) == nil else { return nil }
    return text.hasPrefix("~") ? text : URL(fileURLWithPath: text).standardizedFileURL.path
  }

  func perform() throws {
    let login = try user.map { FeedLogin(user: $0, password: try PasswordInput.read(for: $0)) }
    if urls.contains(where: FeedAddress.hasPassword) {
      Report.message(
        "other users of this machine may have seen the password. Run “earshot add --user NAME URL” to be asked for it.")
    }
    let context = try VerbContext()
    var added: [JSONObject] = []
    var status = ExitStatus.done
    for (result, hint) in urls.lazy.flatMap({ results(of: $0, login, context.refresher) }) {
      switch result {
      case .success(let podcast):
        let episode = try podcast.episode.flatMap { try context.library.episodeRows([$0]).first }
        let linked = episode.map { ["id": $0.id, "title": $0.title] as JSONObject }
        added.append([
          "id": podcast.id, "title": podcast.title, "episodes": podcast.episodes, "isCutOff": podcast.isCutOff,
          // What could not be read of a folder, and the episode that the link named.
          "error": podcast.problem, "episode": linked,
        ])
        if podcast.isCutOff {
          Report.message(RefreshNote.cutOff(episodes: podcast.episodes).text(podcast: podcast.title))
        }
        if let problem = podcast.problem {
          Report.message(RefreshNote.unreadable(problem).text(podcast: podcast.title))
        }
        if !output.json {
          Report.line(
            "\(podcast.wasKnown ? "Known already:" : "Added") \(podcast.title) (\(Counted.text(podcast.episodes, "episode")))"
          )
          if let episode {
            Report.line("The link's episode: \(episode.title). Run “earshot play \(episode.id)” to play it.")
          }
        }
        if let duplicate = podcast.duplicate {
          Report.message(RefreshNote.duplicate(duplicate).text(podcast: podcast.title))
        }
        if podcast.lacksEpisode { Report.message("the feed does not have the episode of the link") }
      case .failure(let error):
        status = Report.failure(error)
        if let hint { Report.message(hint) }
      }
    }
    if output.json { try Report.json(added) }
    try context.library.checkChangesAreKept()
    if status != .done { throw status.error }
  }
}

extension AddVerb {
  /// What came of one argument, and what to do if a server asks for a password: several podcasts with `--each`.
  private func results(
    of url: String, _ login: FeedLogin?, _ refresher: Refresher
  ) -> [(Result<AddedPodcast, Refresher.AddFailure>, hint: String?)] {
    let (folder, agent) = (Self.folder(url), userAgent.flatMap { UserAgent($0) })
    let isShown = Report.isWatched && !output.json
    let show: @Sendable (ArrivingPodcast) -> Void = {
      if isShown { Report.progress("\($0.title ?? ""): \($0.progress)") }
    }
    defer { if isShown { Report.progress("") } }
    if each, let folder {
      return Blocking.run { await refresher.addFolders(in: folder, onArrival: show) }.map { ($0, hint: nil) }
    }
    func add(_ login: FeedLogin?) -> Result<AddedPodcast, Refresher.AddFailure> {
      Blocking.run { await refresher.add(folder ?? url, login: login, userAgent: agent, onArrival: show) }
    }
    var (result, login) = (add(login), login)
    if case .failure(let failure) = result,
      case .give(let server, _)? = failure.passwordAdvice(url, login),
      let typed = PasswordInput.askLogin(for: server)
    {
      (result, login) = (add(typed), typed)
    }
    if case .failure(.ambiguous(let matches)) = result, let podcast = matches.chosen(instead: "earshot add") {
      result = Blocking.run { await refresher.subscribe(podcast, episode: matches.episode) }
    }
    guard case .failure(let failure) = result else { return [(result, hint: nil)] }
    let hint: String? =
      switch failure.passwordAdvice(url, login) {
      case .instead(let text): text
      case .give(_, let hint): hint
      case .refused: Refresher.AddFailure.refusedLogin
      case nil: failure.passwordHint
      }
    return [(result, hint: hint)]
  }
}

/// `earshot remove`: unsubscribes. The listening history is kept.
struct RemoveVerb: LibraryVerb {
  static let configuration = CommandConfiguration(commandName: "remove", abstract: "Unsubscribe from a podcast.")

  @Argument(
    help: "The feed's address, or the number or title that `earshot list` shows.", completion: VerbCompletion.podcast)
  var podcast: String

  @OptionGroup var output: JSONOption

  func perform(_ context: VerbContext) throws {
    let row = try context.podcast(podcast)
    try context.library.unsubscribe(row.id, now: Date())
    if output.json {
      if let detail = try context.library.podcastDetail(row.id) { try Report.json(PodcastJSON(detail)) }
    } else {
      Report.line("Unsubscribed from \(row.title); what you heard is kept")
    }
  }
}

/// `earshot list`: lists the subscriptions.
struct ListVerb: Verb {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List the podcasts.")

  @Flag(help: "Include unsubscribed podcasts, whose listening state is kept.")
  var all = false

  @Option(help: "The order: title, newest (episode), new (with new episodes first), unplayed, or hand.")
  var sort: PodcastOrder = .title

  @OptionGroup var secrets: SecretsOption
  @OptionGroup var output: JSONOption

  func perform() throws {
    let library = try VerbContext().library
    let podcasts = try library.podcasts(withFormer: all, order: sort)
    if output.json {
      return try Report.json(
        podcasts.compactMap { try library.podcastDetail($0.id).map(PodcastJSON.init) }, secrets.choice)
    }
    let former = try all ? Set(podcasts.map(\.id)).subtracting(library.podcasts().map(\.id)) : []
    var failures = FailureSummary()
    for row in podcasts {
      let mark = former.contains(row.id) ? "  (unsubscribed)" : ""
      Report.line(
        "\(String(row.id.rawValue).leftPadded(4))  \(String(row.unplayed).leftPadded(5))  \(row.title)  \(row.feedURL)"
          + mark)
      if case .failed(_, let message) = row.health {
        failures.add(title: row.title, message: message, feedURL: row.feedURL)
      }
    }
    for line in failures.lines { Report.message(line) }
  }
}

/// `earshot episodes`: lists episodes.
struct EpisodesVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "episodes", abstract: "List the episodes of one podcast, or the new ones of all.")

  @Argument(
    help: "The feed's address, or the number or title that `earshot list` shows.", completion: VerbCompletion.podcast)
  var podcast: String?

  @Option(
    help: "List only episodes that match a filter: 'duration < 30m and tag:news'.",
    completion: VerbCompletion.filter)
  var filter: String?

  @Flag(help: "Leave out played episodes.")
  var unplayed = false

  @Option(help: "The maximum number of results.")
  var limit: Int?

  @OptionGroup var secrets: SecretsOption
  @OptionGroup var output: JSONOption

  func validate() throws { try checkLimit(limit) }

  func perform() throws {
    let filter = try filter.map(VerbContext.filter)
    let context = try VerbContext()
    let row = try podcast.map { try context.podcast($0, withFormer: true) }
    if let filter, Report.isWatched {
      try SearchVerb.index(try context.library.pendingCount(for: filter), in: context.library)
    }
    // The limit counts the episodes of the podcast.
    var wanted = filter
    if row != nil { wanted?.limit = nil }
    let scope = wanted.map { .matching($0) } ?? row.map { .podcast($0.id) } ?? EpisodeQuery.Scope.new
    var ids = try context.library.episodeIDs(EpisodeQuery(scope, unplayedOnly: unplayed))
    if let filter, let row {
      let own = Set(try context.library.episodeIDs(EpisodeQuery(.podcast(row.id))))
      ids.removeAll { !own.contains($0) }
      if let limit = filter.limit { ids = Array(ids.prefix(limit)) }
    }
    if let limit { ids = Array(ids.prefix(limit)) }
    if output.json { return try Report.json(EpisodeJSON.List(ids: ids, library: context.library), secrets.choice) }
    for portion in ids.portions {
      for row in try context.library.episodeRows(Array(portion)) { Report.line(EpisodeLine.text(row)) }
    }
  }
}

extension PodcastOrder: ExpressibleByArgument {}
