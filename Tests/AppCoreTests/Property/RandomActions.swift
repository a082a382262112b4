import Foundation
import Model
import Seeded
import TerminalKit

@testable import AppCore

/// Random actions of every kind, from a seed.
struct RandomActions {
  var random: SplitMix64

  static let keys: [Key] = {
    let bound = Command.table.flatMap(\.keys).compactMap { KeyNotation.parse($0)?.first }
    let typed = "abcxyzYN019 é流👨‍👩‍👧\u{301}\u{200F}".map { Key($0) }
    let counts = "59".map { Key($0, .alt) }
    let edits = [Key(.backspace), Key(.delete), Key("w", .control), Key("y", .control), Key("k", .alt), Key(.insert)]
    return bound + typed + counts + edits + [
      Key(.enter), Key(.escape), Key(.tab), Key("y"), Key("n"), Key(.function(63)),
    ]
  }()

  static let lines = [
    "seek 90", "seek -5", "volume 40", "speed 9", "sleep 1", "sleep 0", "open-link 1", "find a", "search e",
    "theme dark",
    "add x", "discover moon", "discover people: a", "charts", "visit x", "subscribe", "new-playlist x",
    "smart-playlist x", "add-to-playlist", "clip-start", "clip-end", "transcript",
    "now-playing", "playlists", "downloads", "wider", "narrower", "copy-link", "rename y", "cancel", "move-down",
    "chapters", "log", "stop", "play", "unplayed-only", "\u{1B}[2J", "流",
  ]

  /// Runs a command line, or sends an action.
  mutating func act(_ driver: inout Driver) {
    driver.wait(0.25)
    if pick(0..<12) == 0 {
      let line = line()
      driver.send { $0.run(line) }
    } else {
      driver.send(next(&driver))
    }
  }

  private mutating func next(_ driver: inout Driver) -> Action {
    switch pick(0..<100) {
    case 0..<55: .input(.key(Self.keys[pick(0..<Self.keys.count)]))
    case 55..<60: .input(.resize(Size(pick(1..<301), pick(1..<101))))
    case 60..<64: .input(.mouse(MouseEvent(mouse(), at: Point(pick(-2..<302), pick(-2..<102)))))
    case 64..<66: .input(.paste(HostileText.all[pick(0..<HostileText.all.count)]))
    case 66..<86: .player(event(driver))
    case 86..<89: .library(.changed)
    case 89: .refreshedAutomatically(new: pick(0..<3))
    case 90..<95: answer(&driver)
    case 95: .refresh(pick(0..<2) == 0 ? driver.state.awaited.begin(.refresh) : pick(0..<9), report())
    case 96:
      .arriving(
        driver.state.awaited.begin(.podcast("x")),
        ArrivingPodcast(title: HostileText.all[0], titles: HostileText.all, episodes: .max))
    case 97: .added(pick(0..<9), .success(AddedPodcast(id: PodcastID(2), title: HostileText.all[0], episodes: .max)))
    case 98: pick(0..<3) > 0 ? discovery(&driver) : .message(Message(.error, hostile()))
    default: .resumed
    }
  }

  private mutating func hostile() -> String { HostileText.all[pick(0..<HostileText.all.count)] }

  /// Answers of directories and links, in time or late.
  private mutating func discovery(_ driver: inout Driver) -> Action {
    let awaited = pick(0..<2) == 0 ? driver.state.awaited.request(.directories) : driver.state.awaited.visit
    let request = awaited ?? pick(0..<9)
    var podcast = FoundPodcast(title: hostile())
    podcast.feedURL = pick(0..<2) == 0 ? nil : hostile()
    podcast.author = hostile()
    podcast.episodeCount = pick(0..<2) == 0 ? nil : .min
    var results = DiscoverResults()
    results.podcasts = [podcast, podcast]
    results.episodes = [FoundEpisode(title: hostile(), podcast: podcast)]
    results.failures = [hostile()]
    results.waiting = pick(0..<2) == 0 ? [] : [hostile()]
    return switch pick(0..<5) {
    case 0: .discover(request, .failed(ReportedError(hostile())))
    case 1: .visited(request, .success(VisitedPodcast(id: PodcastID(1), podcast: podcast, episode: EpisodeID(3))))
    case 2: .visited(request, .failure(ReportedError(hostile())))
    case 3: .ambiguous(request, LinkMatches(site: hostile(), podcasts: [podcast]))
    default: .discover(request, .results(results))
    }
  }

  /// A line for the command line. It is typed as a whole, because random keys seldom form a command.
  mutating func line() -> String { Self.lines[pick(0..<Self.lines.count)] }

  mutating func pick(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func mouse() -> MouseEvent.Kind {
    [.press, .release, .drag, .doubleClick, .wheelUp, .wheelDown][pick(0..<6)]
  }

  private mutating func seconds() -> Double {
    [0, 1, 59.5, 100, 3599, 3600, -5, 1e9, 1e300, .nan, .infinity, -.infinity, driverless()][pick(0..<13)]
  }

  private mutating func driverless() -> Double { Double(pick(0..<4000)) }

  private mutating func event(_ driver: Driver) -> PlayerEvent {
    let generation = driver.generation - (pick(0..<5) == 0 ? 1 : 0)
    let seconds = pick(0..<2) == 0 ? driver.state.player.position + 1 : seconds()
    return switch pick(0..<12) {
    case 0, 1: .started(generation: generation, duration: seconds, seekable: true)
    case 2, 3: .position(generation: generation, seconds: seconds, seek: driver.state.player.newestSeek)
    case 4: .position(generation: generation, seconds: seconds)
    case 5: .duration(generation: generation, seconds: seconds)
    case 6: .paused(generation: generation, pick(0..<2) == 0)
    case 7:
      pick(0..<2) == 0
        ? .stalled(generation: generation, pick(0..<2) == 0)
        : .waitsForNetwork(
          generation: generation,
          NetworkWait(seconds: seconds, cause: HostileText.all[pick(0..<HostileText.all.count)]))
    case 8: .buffered(generation: generation, until: seconds)
    case 9:
      .chapters(
        generation: generation,
        (0..<pick(0..<9)).map { _ in
          Chapter(start: self.seconds(), title: HostileText.all[pick(0..<HostileText.all.count)])
        }
      )
    case 10: .ended(generation: generation, seconds: seconds, atEnd: pick(0..<2) == 0)
    default: pick(0..<4) == 0 ? .speed(seconds) : .failed(generation: generation, seconds: seconds, message: "\u{1B}no")
    }
  }

  /// Answers to awaited, unknown and old questions, and reports of the library.
  private mutating func answer(_ driver: inout Driver) -> Action {
    let rows = Array(driver.library.episodes.shuffled(using: &random).prefix(5))
    let ahead = rows.first ?? EpisodeRow(id: EpisodeID(1), podcast: PodcastID(1), title: "x")
    let tab = Tab.allCases[pick(0..<Tab.allCases.count)]
    let query = driver.state.screen.episodes.query
    let playlists = Array(driver.library.playlists.shuffled(using: &random).prefix(3))
    let list = EpisodesQuestion(tab: tab, query: query, selected: nil, rows: 9)
    let details = DetailsQuestion(subject: .episode(ahead.id), pane: .details(tab), isAhead: true)
    let answers: [(Awaited.Subject, Answer)] = [
      Self.answer(PlaylistRowsQuestion(), playlists),
      Self.answer(PlaylistsQuestion(items: [.episode(EpisodeID(1))]), playlists),
      Self.answer(
        PlaylistContentsQuestion(playlist: PlaylistID(1)),
        (rows.map { PlaylistEntry(episode: $0.id) }, [], nil)),
      (
        .transcript,
        .transcript(
          Transcript(
            lines: HostileText.all.map { Transcript.Line(start: pick(0..<9) == 0 ? nil : seconds(), text: $0) }))
      ),
      Self.answer(list, (rows.map(\.id), rows, nil)),
      Self.answer(MatchesQuestion(tab: tab, query: query), rows.map(\.id)),
      Self.answer(RowsQuestion(ids: rows.map(\.id)), rows),
      Self.answer(PodcastsQuestion(), Array(driver.library.podcasts.prefix(pick(0..<3)))),
      Self.answer(QueueQuestion(), rows),
      Self.answer(details, .episode(EpisodeDetail(row: ahead, feed: FeedEpisode()), Document())),
      Self.answer(
        FindQuestion(words: "x"),
        rows.map { SearchHit(row: $0, match: SearchMatch(snippet: "\u{2}a\u{3}")) }),
      Self.answer(PodcastSettingsQuestion(podcast: PodcastID(1)), PodcastSettings()),
      (.chapters, .chapters([Chapter(start: seconds(), title: HostileText.all[1])])),
      (.chapterPicker(EpisodeID(1)), .chapters([Chapter(start: seconds(), title: HostileText.all[2])])),
      Self.answer(
        StatisticsQuestion(),
        ListeningStatistics(sections: [
          .init(
            title: "All",
            lines: [
              .init(
                name: HostileText.all[0], heard: seconds(), episodes: 2,
                saved: [.init(title: "speed", amount: seconds())])
            ])
        ])),
      (.library(DetailsQuestion(subject: .episode(ahead.id), pane: .details(tab))), .gone),
    ]
    var restored = Restored()
    restored.episodes = rows.prefix(2).map(\.id)
    restored.podcasts = [PodcastID(2)]
    let events: [LibraryEvent] = [
      .chapters(generation: driver.state.player.generation, [Chapter(start: seconds(), image: "x")]),
      .undone(.back, pick(0..<2) == 0 ? nil : HostileText.all[1], restored), .failed(ReportedError(HostileText.all[2])),
      rows.first.map { .playing(generation: driver.generation, $0, [], from: seconds()) } ?? .changed,
    ]
    let number = pick(0..<answers.count + events.count)
    guard number < answers.count else { return .library(events[number - answers.count]) }
    let (subject, answer) = answers[number]
    let request =
      pick(0..<4) == 0 ? pick(0..<driver.state.awaited.last + 2) : driver.state.awaited.begin(subject)
    return pick(0..<6) == 0 ? .noAnswer(request, ReportedError(HostileText.all[2])) : .answer(request, answer)
  }

  private static func answer<Question: LibraryQuestion>(
    _ question: Question, _ value: Question.Value
  ) -> (Awaited.Subject, Answer) {
    (.library(question), question.answer(value))
  }

  private mutating func report() -> RefreshReport {
    switch pick(0..<4) {
    case 0: .started(total: pick(0..<9))
    case 1: .podcast(title: HostileText.all[3], done: pick(0..<9), total: pick(0..<9), fresh: pick(0..<2))
    case 2: .failed(title: "x", ReportedError("no"), done: 1, total: 0)
    default: .finished(new: pick(0..<3), unchanged: pick(0..<3), failed: pick(0..<3))
    }
  }
}

/// Malicious text for titles.
enum HostileText {
  static let all = [
    "\u{1B}[2J\u{1B}]0;owned\u{7}\u{9B}31m red", "a\nb\r\nc\td\u{0}\u{7F}\u{85}e", "\u{202E}dexif\u{2066}x\u{200F}",
    "مرحبا بالعالم שלום", "流動的資金盛宴，解放資本", "👨‍👩‍👧‍👦🏳️‍🌈🇩🇪👍🏽", "Z̸̡̢̛͇̗͎̑̈́͝a̷̢l̵g̶o̷", "\u{301}\u{302}", "", " ",
    String(repeating: "流", count: 500), String(repeating: "e\u{301}", count: 300), "क्षि தமிழ் ไทย",
    "\u{FEFF}\u{200B}\u{AD}",
    "“‘’”—…", "\u{E000}\u{10FFFF}\u{FFFE}", String(repeating: "\u{300}", count: 2000), "\u{2028}x\u{2029}",
  ]

  /// A library with malicious titles.
  static var library: FakeLibrary {
    let episodes = (0..<60).map { (index: Int) -> EpisodeRow in
      EpisodeRow(
        id: EpisodeID(Int64(index)), podcast: PodcastID(Int64(index % 3)), podcastTitle: all[(index + 5) % all.count],
        title: all[index % all.count],
        pubDate: [
          nil, Date(timeIntervalSince1970: .nan), .distantPast, .distantFuture, Date(timeIntervalSince1970: 1e300),
        ][
          index % 5],
        duration: [nil, 0, -1, .nan, .infinity, 1e300, 60][index % 7],
        status: EpisodeStatus.allCases[index % EpisodeStatus.allCases.count],
        position: [0, -1, .nan, .infinity, 1e300, 30][index % 6], isDownloaded: index % 2 == 0,
        isGoneFromFeed: index % 3 == 0, hasMedia: index % 4 != 0)
    }
    let spans = all.map { Document.Span($0, style: [.bold, .code], link: 0, time: .nan) }
    let document = Document(
      blocks: [
        .heading(level: 99, spans), .paragraph(spans), .item(depth: -3, ordinal: .min, spans),
        .item(depth: .max, ordinal: .max, spans), .quote(spans), .code(all.joined(separator: "\n")),
        .image(alternative: all[0], link: 7), .rule,
      ], links: all)
    var library = FakeLibrary(
      podcasts: (0..<3).map {
        PodcastRow(
          id: PodcastID($0), feedURL: all[0], title: all[Int($0) * 4], author: all[1], unplayed: .max, episodes: .min,
          lastPubDate: .distantFuture, health: .failed(connectivity: false, message: all[0]))
      }, episodes: episodes, queue: [EpisodeID(1), EpisodeID(999), EpisodeID(4)])
    library.notes = Dictionary(uniqueKeysWithValues: episodes.map { ($0.id, document) })
    return library
  }
}
