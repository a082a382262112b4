import Foundation
import Model
import TerminalKit

@testable import AppCore

/// The program without the outside: tests send keys, and read effects and screens. Questions to the library are
/// answered from values. All other effects are kept in `effects`.
struct Driver {
  var state: State
  var library: FakeLibrary
  private(set) var effects: [Effect] = []
  /// How often the player was asked to prepare itself.
  private(set) var warmUps = 0
  /// The last action caused questions that did not end.
  private(set) var asksEndlessly = false

  static let now = Date(timeIntervalSince1970: 1_763_726_400)  // 2025-11-21 12:00 UTC
  /// The time of the next action.
  private var time = Driver.now

  init(size: Size = Size(80, 24), library: FakeLibrary = .sample) {
    state = State(size: size, now: Self.now, themes: ["dark", "light"])
    self.library = library
    run([])
    effects = []
  }

  /// Starts with a state that the program has remembered.
  init(library: FakeLibrary, state: State) {
    self.state = state
    self.library = library
    run([])
    effects = []
  }

  mutating func send(_ action: Action) { run(update(&state, action, now: time)) }

  /// Changes the state like a command, for tests that need no key.
  mutating func send(_ change: (inout State) -> [Effect]) { run(change(&state)) }

  /// Types keys in the notation of `KeyNotation`: `"jj<Enter>/foo<Enter>"`.
  mutating func type(_ keys: String) {
    for key in KeyNotation.parse(keys) ?? [] { send(.input(.key(key))) }
  }

  /// Lets time pass. An overlay that has appeared by itself takes no keys in its first second.
  mutating func wait(_ seconds: Double = 1) { time += seconds }

  /// Turns on linear mode, as `--linear` does.
  mutating func enableLinearMode() {
    state.preferences.enableLinearMode()
    run([])
  }

  var lines: [String] { render(state).lines }
  var screen: String { lines.joined(separator: "\n") }

  /// The effects since the last call.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  /// Types keys, and takes the effects that they have.
  mutating func effects(of keys: String) -> [Effect] {
    effects = []
    type(keys)
    return takeEffects()
  }

  /// Types keys, and draws the screen.
  mutating func screen(after keys: String) -> String {
    type(keys)
    return screen
  }

  /// Types keys, and reads the message.
  mutating func message(after keys: String) -> String? {
    type(keys)
    return state.message?.text
  }

  /// Sends a report of a refresh: of the one that was requested last, else of a new one.
  mutating func refresh(_ report: RefreshReport) {
    let request = state.awaited.refreshes.last ?? state.awaited.begin(.refresh)
    send(.refresh(request, report))
  }

  private mutating func run(_ first: [Effect]) {
    var pending = first + reconcile(&state)
    var rounds = 0
    while !pending.isEmpty, rounds < 50 {
      rounds += 1
      var next: [Effect] = []
      for effect in pending {
        if let answer = library.answer(effect) {
          next += update(&state, answer, now: time)
        } else if case .setting(.commandHistory, _) = effect {
          // Every typed line is stored. Only the tests of the history check that, with `state.histories.commands`.
          continue
        } else if case .setting(.jumps, let text) = effect {
          library.jumps = text
        } else if effect == .player(.warmUp) {
          // This effect comes once in every test. The tests of it check `warmUps`.
          warmUps += 1
        } else {
          effects.append(effect)
        }
      }
      pending = next + reconcile(&state)
    }
    asksEndlessly = !pending.isEmpty
  }
}

extension FakeLibrary: LibraryReader {
  private struct SentByTheTest: Error {}

  func episode(_ id: EpisodeID) -> EpisodeDetail? {
    guard let row = row(id) else { return nil }
    var detail = EpisodeDetail(row: row, feed: item)
    detail.podcastPersons = feed.persons
    detail.feed.imageURL = pictures[id]
    detail.tags = tags[id] ?? []
    detail.podcastImageURL = podcastPicture
    detail.marks = marks(of: id)
    detail.feed.mediaURL = mediaAddresses[id]
    return detail
  }

  func podcastRows() -> [PodcastRow] { podcasts }

  func queueRows() -> [EpisodeRow] { queue.compactMap(row) }

  func episodeList(_ query: EpisodeQuery, around selected: EpisodeID?, count: Int) -> EpisodeListing {
    let found = episodes.filter { matches($0, query) }
    return (found.map(\.id), Array(found.prefix(count)), found.contains { $0.id == start } ? start : nil)
  }

  func details(of id: EpisodeID) -> (EpisodeDetail, Document)? { episode(id).map { ($0, notes[id] ?? Document()) } }

  func details(of id: PodcastID) -> (PodcastDetail, Document)? {
    guard let row = podcasts.first(where: { $0.id == id }) else { return nil }
    let detail = PodcastDetail(row: row, feed: feed, source: .rss(url: row.feedURL), isSubscribed: true)
    return (detail, Document(blocks: [.paragraph([.init("All about \(row.title).")])]))
  }

  func contents(of playlist: PlaylistID, _ filter: EpisodeFilter?) -> PlaylistContents {
    let entries = (entries[playlist] ?? []).filter { entry in
      filter.map { Self.matches(row(entry.episode)!, $0) } ?? true
    }
    return (entries, entries.prefix(100).compactMap { row($0.episode) }, nil)
  }

  func suggestionRows() -> [Suggestion] { suggestions }

  func subscriptionNames() -> [String: PodcastID] { subscribed }

  /// A live item or a trailer is represented by the last episode.
  func episode(of media: ExtraMedia, in podcast: PodcastID) -> EpisodeID? { episodes.last?.id }

  func playlistRows() -> [Playlist] { playlists }

  func smartPlaylistCounts() -> [PlaylistID: Int] { entries.mapValues(\.count) }

  func year(_ year: Int) throws -> YearInListening { throw SentByTheTest() }

  func marks(of episode: EpisodeID) -> [Clip] { marks.filter { $0.episode == episode } }

  func notedEpisodes() -> [NotedEpisode] {
    episodes.compactMap { row in
      let own = marks(of: row.id)
      return own.isEmpty ? nil : NotedEpisode(row: row, marks: own)
    }
  }

  func settings(of podcast: PodcastID) throws -> PodcastSettings { throw SentByTheTest() }

  func unplayed(_ episodes: [EpisodeID]) -> [UnplayedEpisode] {
    episodes.compactMap(row).filter { !$0.status.isOver }.map { UnplayedEpisode(id: $0.id, pubDate: $0.pubDate) }
  }

  func length(of episodes: [EpisodeID]) -> Double { episodes.compactMap { row($0)?.duration }.reduce(0, +) }

  func statistics() throws -> ListeningStatistics { throw SentByTheTest() }

  func transcribingList() -> [TranscribingItem] { transcribing }
  func rules(for podcast: PodcastID) -> [Rule] { ruleList }
  func preview(_ rule: Rule, now: Date) -> RulePreview { rulePreview }
  func hiddenByRules(since: Date) -> [EpisodeID] { hidden }
  func downloadedBytes() -> Int64 { episodes.reduce(0) { $0 + ($1.fileBytes ?? 0) } }
  func podcastSettings() -> [PodcastID: PodcastSettings] { [:] }
  func episodeRows(_ ids: [EpisodeID]) -> [EpisodeRow] { ids.compactMap(row) }
  func rules() -> [Rule] { ruleList }
}

/// A library in memory.
struct FakeLibrary {
  var podcasts: [PodcastRow]
  var episodes: [EpisodeRow]
  var notes: [EpisodeID: Document] = [:]
  var queue: [EpisodeID] = []
  /// The episode with which lists begin.
  var start: EpisodeID?
  var tags: [EpisodeID: [String]] = [:]
  var playlists: [Playlist] = []
  var entries: [PlaylistID: [PlaylistEntry]] = [:]
  var transcripts: [EpisodeID: Transcript] = [:]
  var transcribing: [TranscribingItem] = []
  var chapters: [EpisodeID: [Chapter]] = [:]
  /// Why chapters cannot be fetched.
  var chaptersError: ReportedError?
  var pictures: [EpisodeID: String] = [:]
  /// The jump list, as it was last stored.
  var jumps = ""
  var ruleList: [Rule] = []
  /// What every rule would do.
  var rulePreview = RulePreview()
  /// The episodes that rules have deleted.
  var hidden: [EpisodeID] = []
  var podcastPicture: String?
  var mediaAddresses: [EpisodeID: String] = [:]
  var suggestions: [Suggestion] = []
  /// The feed of every podcast.
  var feed = FeedPodcast()
  /// The feed's item of every episode.
  var item = FeedEpisode()
  /// What the listener has marked, in order of time.
  var marks: [Clip] = []
  var subscribed: [String: PodcastID] = [:]
  /// The number of rows in each `RowsQuestion`.
  var rowQuestions: [Int] = []

  /// The answer to an effect. Nil if it needs none, or if the test sends the answer.
  mutating func answer(_ effect: Effect) -> Action? {
    switch effect {
    case .ask(let request, let asked):
      // `SearchService` answers a search, so the test sends the hits (`answerFind`).
      if asked.question is FindQuestion { return nil }
      if let rows = asked.question as? RowsQuestion { rowQuestions.append(rows.ids.count) }
      return (try? asked.answer(self)).map { .answer(request, $0) }
    case .network(.transcript(let request, let id)):
      return transcripts[id].map { .answer(request, .transcript($0)) }
        ?? .noAnswer(request, ReportedError("This episode has no transcript."))
    case .network(.chapters(let request, let id)):
      return chaptersError.map { .noAnswer(request, $0) } ?? .answer(request, .chapters(chapters[id] ?? []))
    default: return nil
    }
  }

  func row(_ id: EpisodeID) -> EpisodeRow? {
    // In a long library the id of an episode gives its row.
    let index = Int(id.rawValue)
    let near = episodes.indices.contains(index) && episodes[index].id == id ? episodes[index] : nil
    guard var row = near ?? episodes.first(where: { $0.id == id }) else { return nil }
    row.isQueued = queue.contains(id)
    return row
  }

  private func matches(_ row: EpisodeRow, _ query: EpisodeQuery) -> Bool {
    let isListed = if case .these = query.scope { query.filter == nil } else { false }
    if row.status == .deleted, !isListed, query.filter?.findsDeleted != true { return false }
    if let filter = query.filter, !Self.matches(row, filter) { return false }
    if query.unplayedOnly, row.status == .played { return false }
    if let words = query.titleContains, !TextFolding.matches(row.title, TextFolding.fold(words)),
      !query.alsoFromPodcasts.contains(row.podcast)
    {
      return false
    }
    switch query.scope {
    case .podcast(let id): return row.podcast == id
    case .new: return row.status != .played
    case .queue: return queue.contains(row.id)
    case .history: return row.position > 0 || row.status == .played
    case .downloads: return row.isDownloaded
    case .these(let ids): return ids.contains(row.id)
    case .playlist, .matching: return false
    }
  }

  /// The few conditions that the tests use.
  private static func matches(_ row: EpisodeRow, _ filter: EpisodeFilter) -> Bool {
    func matches(_ condition: EpisodeFilter.Condition) -> Bool {
      switch condition {
      case .all(let parts): parts.allSatisfy(matches)
      case .any(let parts): parts.contains(where: matches)
      case .not(let part): !matches(part)
      case .text(.title, _, let words): TextFolding.matches(row.title, TextFolding.fold(words))
      case .number(.duration, .less, let seconds): row.duration.map { $0 < Double(seconds) } ?? false
      case .flag(.deleted): row.status == .deleted
      case .flag(.unplayed): row.status != .played && row.status != .deleted
      case .flag(.played): row.status == .played
      default: false
      }
    }
    return matches(filter.condition)
  }

  /// Two podcasts, with different kinds of titles.
  static var sample: FakeLibrary {
    let day: TimeInterval = 86_400
    let titles = [
      "Ep. 135 流動的資金盛宴", "A café in Zürich", "👨‍👩‍👧 Families and 🇩🇪 flags", "مرحبا بالعالم",
      "A very long title that goes on and on, well past the right edge of any pane that a listener would call narrow",
      "Cafe\u{301} with a combining accent", "Short", "\u{1B}[31mNot red\u{7}", "Nine", "Ten", "Eleven", "Twelve",
    ]
    var episodes = titles.enumerated().map { index, title in
      EpisodeRow(
        id: EpisodeID(Int64(index + 1)), podcast: PodcastID(1), podcastTitle: "Daodu Tech", title: title,
        pubDate: Driver.now.addingTimeInterval(-Double(index * index) * 4 * day), duration: Double(600 * (index + 1)))
    }
    episodes[1].status = .paused
    episodes[1].position = 300
    episodes[2].status = .played
    episodes[1].heardAt = Driver.now.addingTimeInterval(-3600)
    episodes[2].heardAt = Driver.now.addingTimeInterval(-5 * day)
    episodes[3].isDownloaded = true
    episodes[3].fileBytes = 38_400_000
    episodes[5].isGoneFromFeed = true
    episodes.append(
      EpisodeRow(
        id: EpisodeID(21), podcast: PodcastID(2), podcastTitle: "Radio Nowhere", title: "Only one", pubDate: Driver.now,
        duration: 60))
    let document = Document(
      blocks: [
        .heading(level: 1, [.init("What this is")]),
        .paragraph([
          .init("現代金融理論加上現代科技，解放資本，將所有人捲入投資市場。"), .init("Read more", link: 0), .init(" at "),
          .init("1:30", time: 90), .init(".", style: .bold),
        ]),
        .item(depth: 0, ordinal: nil, [.init("one thing")]), .item(depth: 1, ordinal: 2, [.init("and another")]),
        .quote([.init("Said once.")]), .code("let x = 1"), .image(alternative: "a cat", link: 1), .rule,
      ], links: ["https://example.org/more", "https://example.org/cat.png"])
    var library = FakeLibrary(
      podcasts: [
        PodcastRow(
          id: PodcastID(1), feedURL: "https://example.org/daodu", title: "Daodu Tech 科技島讀", author: "Daodu",
          unplayed: 11, new: 11, episodes: 12, lastPubDate: Driver.now, health: .good),
        PodcastRow(
          id: PodcastID(2), feedURL: "https://example.org/nowhere", title: "Radio Nowhere", unplayed: 1, new: 1,
          episodes: 1,
          health: .failed(connectivity: true, message: "Radio Nowhere: no connectivity: the connection was refused")),
      ], episodes: episodes, notes: [EpisodeID(1): document])
    let clip = Clip(
      id: ClipID(1), episode: EpisodeID(2), startTime: 60, endTime: 95, title: "The good bit", dateCreated: Driver.now,
      userID: "device")
    library.playlists = [
      Playlist(
        id: PlaylistID(1), title: "My Episodes", lastUpdated: Driver.now, isMyEpisodes: true,
        items: [1, 3, 21].map { .episode(EpisodeID($0)) }),
      Playlist(
        id: PlaylistID(2), title: "My Clips", lastUpdated: Driver.now, isMyClips: true, items: [.clip(clip.id)]),
      Playlist(id: PlaylistID(3), title: "Für den Zug 流動", lastUpdated: Driver.now),
      Playlist(id: PlaylistID(4), title: "Short ones", lastUpdated: Driver.now, filter: "duration < 15m"),
    ]
    library.entries = [
      PlaylistID(1): [1, 3, 21].map { PlaylistEntry(episode: EpisodeID($0)) },
      PlaylistID(2): [PlaylistEntry(episode: EpisodeID(2), clip: clip)],
      PlaylistID(4): [PlaylistEntry(episode: EpisodeID(21))],
    ]
    let lines = (0..<60).map { index -> Transcript.Line in
      let start = Double(index * 15)
      let text = index % 7 == 0 ? "現代金融理論加上現代科技，解放資本。" : "Line \(index) of what is said, long enough to be wrapped."
      return Transcript.Line(start: start, end: start + 15, speaker: index % 3 == 0 ? "Ada" : nil, text: text)
    }
    library.transcripts = [EpisodeID(1): Transcript(lines: lines)]
    return library
  }
}
