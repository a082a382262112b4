import Foundation
import Model
import Testing

@testable import Store

/// Feeds that name their episodes anew: guids and addresses are others, because the podcast moved to another host or an
/// episode was published again. And feeds that look like it: bulletins with the same title every day.
@Suite struct MovedFeedTests {
  /// An episode with own values for everything that tells episodes apart.
  private static func episode(_ number: Int, title: String? = nil) -> FeedEpisode {
    var episode = Samples.episode(number)
    episode.title =
      title ?? "The story of \(["tea", "glass", "salt", "ink", "rope", "wool", "silk"][number % 7]) \(number)"
    episode.duration = 1500 + number * 37
    episode.mediaBytes = 30_000_000 + Int64(number) * 7919
    // Not at a full minute.
    episode.pubDate = episode.pubDate?.addingTimeInterval(17)
    return episode
  }

  private static func episodes(_ numbers: ClosedRange<Int>) -> [FeedEpisode] { numbers.reversed().map { episode($0) } }

  /// The same episodes on another host.
  private static func moved(_ episodes: [FeedEpisode], change: (inout FeedEpisode) -> Void = { _ in }) -> [FeedEpisode]
  {
    episodes.map { episode in
      var episode = episode
      let name = episode.guid ?? ""
      episode.guid = "https://new.example/?p=\(name)"
      episode.mediaURL = "https://new.example/media/\(name)/audio.mp3"
      change(&episode)
      return episode
    }
  }

  private struct Listened {
    let box: TemporaryLibrary
    let podcast: PodcastID
    let ids: [EpisodeID]
    var library: Library { box.library }

    /// The newest one is played, the next begun, the next queued, the next deleted, the next clipped.
    init(_ episodes: [FeedEpisode]) throws {
      box = try TemporaryLibrary()
      podcast = try box.subscribe(episodes)
      ids = try box.episodes(podcast)
      try library.setStatus([ids[0]], .played, now: Samples.now)
      guard ids.count > 4 else { return }
      try library.savePosition(ids[1], seconds: 750, total: 1801, now: Samples.now)
      try library.enqueue([ids[2]], now: Samples.now)
      try library.setStatus([ids[3]], .deleted, now: Samples.now)
      _ = try library.addClip(of: ids[4], startTime: 5, endTime: 9, now: Samples.now)
    }

    func apply(_ episodes: [FeedEpisode]) throws -> ApplyResult {
      try library.apply(feed: Samples.feed(episodes), to: podcast, now: Samples.later(60))
    }

    /// Expects that all episodes are the same ones, with the listener's data, and at the new addresses.
    func expectMoved(_ result: ApplyResult, new: Int = 0, sourceLocation: SourceLocation = #_sourceLocation) throws {
      #expect(result.new.count == new && result.gone == 0, "\(result)", sourceLocation: sourceLocation)
      #expect(result.removed.isEmpty && result.kept == 0, sourceLocation: sourceLocation)
      let details = try library.episodes(ids)
      #expect(details.count == ids.count, sourceLocation: sourceLocation)
      #expect(
        details.allSatisfy { $0.feed.mediaURL?.contains("new.example") == true && !$0.row.isGoneFromFeed },
        sourceLocation: sourceLocation)
      #expect(try library.episodeRows([ids[0]]).map(\.status) == [.played], sourceLocation: sourceLocation)
      #expect(try library.episodeRows([ids[1]]).map(\.position) == [750], sourceLocation: sourceLocation)
      #expect(try library.queue() == [ids[2]], sourceLocation: sourceLocation)
      #expect(try library.episode(ids[3])?.row.status == .deleted, sourceLocation: sourceLocation)
      #expect(try library.clips().map(\.episode) == [ids[4]], sourceLocation: sourceLocation)
    }
  }

  /// What the new host does to the dates.
  enum Clock: String, CaseIterable {
    case sameMinute, hourLater, zone, halfHourZone, summerTime, importTime, removed, dateOnly, redated

    func change(_ date: Date, _ number: Int) -> Date? {
      let seconds = date.timeIntervalSince1970
      return switch self {
      case .sameMinute: Date(timeIntervalSince1970: (seconds / 60).rounded(.down) * 60)
      case .hourLater: date.addingTimeInterval(3600)
      case .zone: date.addingTimeInterval(-7 * 3600 - 17)
      case .halfHourZone: date.addingTimeInterval(5.5 * 3600)
      case .summerTime: date.addingTimeInterval(number > 6 ? 7200 : 3600)
      case .importTime: Samples.now.addingTimeInterval(Double(number))
      case .removed: nil
      case .dateOnly: Date(timeIntervalSince1970: (seconds / 86400).rounded(.down) * 86400)
      case .redated: date.addingTimeInterval(Double(number * number % 11) * 50_000)
      }
    }
  }

  private static func moved(_ old: [FeedEpisode], by clock: Clock) -> [FeedEpisode] {
    var number = old.count
    return moved(old) { episode in
      episode.pubDate = episode.pubDate.flatMap { clock.change($0, number) }
      number -= 1
    }
  }

  @Test(arguments: Clock.allCases) func movedPodcastKeepsItsEpisodes(clock: Clock) throws {
    let old = Self.episodes(1...12)
    let listened = try Listened(old)
    let new = Self.moved(old, by: clock)
    try listened.expectMoved(listened.apply(new))
    #expect(try listened.apply(new) == ApplyResult())
    #expect(try listened.box.value(Int.self, "SELECT count(*) FROM episode") == 12)
  }

  @Test(arguments: Clock.allCases) func newEpisodeOfAMovedPodcastIsNew(clock: Clock) throws {
    let old = Self.episodes(1...12)
    let listened = try Listened(old)
    var fresh = Self.moved([Self.episode(14, title: "A new one")])[0]
    if clock == .removed { fresh.pubDate = nil }
    if clock == .importTime { fresh.pubDate = Samples.later(99) }
    try listened.expectMoved(listened.apply([fresh] + Self.moved(old, by: clock)), new: 1)
  }

  /// Titles, sizes and lengths say nothing: a feed of bulletins moves. The dates tell them apart.
  @Test(arguments: [17.0, 3600.0, -18_000.0]) func bulletinsThatMoveAreMatchedByTheirDates(shift: Double) throws {
    let bulletins = { (numbers: ClosedRange<Int>) in
      numbers.reversed().map { number in
        var episode = Samples.episode(number)
        episode.title = "Daily News"
        return episode
      }
    }
    let listened = try Listened(bulletins(1...12))
    let new = Self.moved(bulletins(2...13)) { $0.pubDate = $0.pubDate?.addingTimeInterval(shift) }
    let result = try listened.apply(new)
    #expect(result.new.count == 1 && result.gone == 1 && result.updated == 11)
    #expect(try listened.library.episodeRows([listened.ids[1]]).map(\.position) == [750])
    let dates = try listened.library.episodes(Array(listened.ids.prefix(11))).map(\.feed.pubDate)
    #expect(dates == (2...12).reversed().map { Samples.episode($0).pubDate?.addingTimeInterval(shift) })
  }

  /// Feeds whose next episodes look like the old ones.
  enum Bulletin: String, CaseIterable {
    case newest, newestOfConstantAddress, newestOfPath, window, weekdays, trio, mixed, mixedMoves, hourly, seasons
    case halfDay

    private static func item(_ title: String, at hours: Double, id: String, seconds: Int = 300) -> FeedEpisode {
      var episode = Samples.episode(1)
      episode.title = title
      episode.guid = "https://news.example/\(id)"
      episode.mediaURL = "https://news.example/\(id).mp3"
      episode.duration = seconds
      episode.pubDate = Date(timeIntervalSince1970: 1_600_000_000 + hours * 3600)
      return episode
    }

    /// The feed at one time and at the next, and how many episodes of the second are new.
    var feeds: (before: [FeedEpisode], after: [FeedEpisode], new: Int) {
      let item = Self.item
      let others = (1...4).map { item("Interview \($0)", Double(-$0 * 168), "interview-\($0)", 2000 + $0) }
      switch self {
      case .newest: return ([item("News", 0, "a", 300)], [item("News", 24, "b", 300)], 1)
      case .newestOfConstantAddress:
        return (
          [item("News", 0, "a", 300), item("Weather", 1, "w1", 60)].map { Self.at("latest.mp3", $0) },
          [item("News", 24, "b", 300), item("Weather", 25, "w2", 60)].map { Self.at("latest.mp3", $0) }, 2
        )
      case .newestOfPath:
        return (
          [Self.at("news.mp3?d=1", item("News", 0, "a", 300))], [Self.at("news.mp3?d=2", item("News", 24, "b", 300))], 1
        )
      case .window:
        return (
          (0..<5).map { item("News", Double(-24 * $0), "a\($0)", 300) },
          (0..<5).map { item("News", Double(120 - 24 * $0), "b\($0)", 300) }, 5
        )
      case .weekdays:
        let days = ["Friday", "Thursday", "Wednesday", "Tuesday", "Monday"]
        return (
          days.enumerated().map { item($1, Double(-24 * $0), "a\($0)", 900 + $0) },
          days.enumerated().map { item($1, Double(168 - 24 * $0), "b\($0)", 900 + $0) }, 5
        )
      case .trio:
        let titles = [("News", 300), ("Traffic", 120), ("Weather", 60)]
        return (
          titles.enumerated().map { item($1.0, -0.05 * Double($0), "a\($0)", $1.1) },
          titles.enumerated().map { item($1.0, 1 - 0.05 * Double($0), "b\($0)", $1.1) }, 3
        )
      case .mixed: return ([item("News", 0, "a", 900)] + others, [item("News", 24, "b", 900)] + others, 1)
      case .mixedMoves:
        return (
          [item("News", 0, "a", 900)] + others, [item("News", 24, "b", 900)] + MovedFeedTests.moved(others), 1
        )
      case .hourly:
        return (
          (0..<10).map { item("News", Double(-$0), "a\($0)", 300) },
          (0..<10).map { item("News", Double(10 - $0), "b\($0)", 300) }, 10
        )
      case .seasons:
        return ([item("Trailer", 0, "a", 60)] + others, [item("Trailer", 8760, "b", 60)] + others, 1)
      case .halfDay:
        return (
          [item("Evening", 0, "a1", 900), item("Morning", -12, "a2", 900)],
          [item("Evening", 24, "b1", 900), item("Morning", 12, "b2", 900)], 2
        )
      }
    }

    private static func at(_ name: String, _ episode: FeedEpisode) -> FeedEpisode {
      var episode = episode
      episode.mediaURL = "https://news.example/\(episode.title ?? "")/\(name)"
      return episode
    }
  }

  /// Also where the publisher gives every file the same size, or each a size of its own.
  @Test(arguments: Bulletin.allCases, [false, true]) func nextBulletinIsAnotherEpisode(
    bulletin: Bulletin, hasSizes: Bool
  ) throws {
    var (before, after, new) = bulletin.feeds
    if hasSizes {
      for index in before.indices { before[index].mediaBytes = 4_000_000 + Int64(index) * 13 }
      for index in after.indices { after[index].mediaBytes = 5_000_000 + Int64(index) * 17 }
    }
    let listened = try Listened(before)
    try listened.library.setStatus(listened.ids, .played, now: Samples.now)
    let result = try listened.apply(after)
    #expect(result.new.count == new, "\(result)")
    #expect(try listened.library.episodeRows(result.new).allSatisfy { $0.status == .new })
    #expect(try listened.library.episodeRows(listened.ids).allSatisfy { $0.status == .played })
    #expect(try listened.library.episodeRows(listened.ids).count == before.count)
  }

  /// The publisher corrects an episode: it gets another guid, address and date, and sometimes another file.
  @Test(arguments: [false, true]) func episodeThatIsPublishedAgainIsTheSame(isSameFile: Bool) throws {
    let old = Self.episodes(1...8)
    let listened = try Listened(old)
    var new = old
    new[1] = Self.moved([old[1]])[0]
    new[1].pubDate = old[1].pubDate?.addingTimeInterval(95 * 60)
    if !isSameFile { new[1].mediaBytes = (new[1].mediaBytes ?? 0) + 50_123 }
    let result = try listened.apply(new)
    #expect(result.new.isEmpty && result.gone == 0 && result.removed.isEmpty && result.updated == 1)
    let detail = try #require(try listened.library.episode(listened.ids[1]))
    #expect(detail.row.position == 750 && detail.feed.mediaURL == new[1].mediaURL)
  }

  /// While the old one is still listed, the new one is a repetition.
  @Test func repeatedEpisodeIsNew() throws {
    let old = Self.episodes(1...8)
    let listened = try Listened(old)
    var again = Self.moved([old[6]])
    again[0].pubDate = old[0].pubDate?.addingTimeInterval(3600)
    #expect(try listened.apply(again + old).new.count == 1)
    // A season is published a second time.
    let season = Self.moved(Self.moved(old)) { $0.pubDate = $0.pubDate?.addingTimeInterval(86400 * 400) }
    #expect(try listened.apply(season + again + old).new.count == 8)
  }

  /// A new season counts from 1 again, and so does another host. Its guids are only these numbers.
  @Test func numbersThatBeginAgainAreNoIdentity() throws {
    let numbered = { (episodes: [FeedEpisode], first: Int) in
      episodes.enumerated().map { index, episode in
        var episode = episode
        episode.guid = String(first + index)
        return episode
      }
    }
    let listened = try Listened(numbered(Self.episodes(1...8), 1))
    let result = try listened.apply(numbered(Self.episodes(101...108), 1))
    #expect(result.new.count == 8)
    #expect(try listened.library.episodeRows(listened.ids).map(\.title) == Self.episodes(1...8).map { $0.title ?? "" })
    // The other host counts from the other end.
    let other = try Listened(numbered(Self.episodes(1...8), 1))
    let reversed = Self.moved(Self.episodes(1...8)).enumerated().map { index, episode in
      var episode = episode
      episode.guid = String(8 - index)
      return episode
    }
    try other.expectMoved(other.apply(reversed))
    #expect(try other.library.episodeRows(other.ids).map(\.title) == Self.episodes(1...8).map { $0.title ?? "" })
  }

  /// The new host lists only the newest, or the whole archive.
  @Test(arguments: [6...12, 1...40]) func movedPodcastMayListMoreOrFewer(numbers: ClosedRange<Int>) throws {
    let listened = try Listened(Self.episodes(1...12))
    let result = try listened.apply(
      Self.moved(Self.episodes(numbers)) { $0.pubDate = $0.pubDate?.addingTimeInterval(3600) })
    #expect(result.new.count == max(0, numbers.upperBound - 12) && result.updated == min(12, numbers.count))
    #expect(try listened.library.episodeRows([listened.ids[1]]).map(\.position) == [750])
  }

  /// A weekly podcast publishes an episode again, days later and with a new guid.
  @Test(arguments: [true, false]) func sameFileOfAWeeklyPodcastIsTheSameEpisode(isSameFile: Bool) throws {
    let weekly = Self.episodes(1...8).enumerated().map { index, episode in
      var episode = episode
      episode.pubDate = Samples.later(Double(-index * 7) * 86_400)
      return episode
    }
    let listened = try Listened(weekly)
    var again = weekly
    again[1].guid = "published-again"
    again[1].pubDate = weekly[1].pubDate?.addingTimeInterval(2 * 86_400)
    if !isSameFile { again[1].mediaBytes = 12_345 }
    let result = try listened.apply(again)
    #expect(result.new.isEmpty == isSameFile)
  }
}
