import Foundation
import Model
import TerminalKit
import Testing

@testable import AppCore

/// The links of a feed: podroll, people, trailers, live items, soundbites.
@Suite struct FeedPartScripts {
  /// Opens the page of the first podcast, and selects a row in the list of links.
  private func choose(_ words: String, _ feed: FeedPodcast) -> Driver {
    var library = FakeLibrary.sample
    library.feed = feed
    var driver = Driver(size: Size(120, 60), library: library)
    driver.type("i")
    driver.type("o")
    let index = driver.lines.firstIndex { $0.contains(words) } ?? -1
    #expect(index >= 0, "\(words) is not listed")
    guard let number = driver.lines[max(0, index)].firstMatch(of: #/(\d+)\s\s/#)?.1 else { return driver }
    driver.type(String(number))
    return driver
  }

  @Test func podrollLinkVisitsThePodcast() {
    var feed = FeedPodcast()
    feed.podroll = [RemoteItem(feedGuid: "g", feedURL: "https://friend.example/feed", title: "A Friend")]
    var driver = choose("Recommends: A Friend", feed)
    let visit = driver.takeEffects().visits.last
    #expect(visit?.target.address == "https://friend.example/feed" && visit?.target.podcast?.guid == "g")
    driver.send(.visited(visit?.request ?? 0, .success(Driver.visited(PodcastID(2), "A Friend"))))
    #expect(driver.state.tab == .discover && driver.state.screen.episodes.ids == [EpisodeID(21)])
  }

  @Test func podcastsOfAPublisherAreLinks() {
    var feed = FeedPodcast()
    feed.listed = [RemoteItem(feedURL: "https://band.example/feed", medium: "music", title: "The Band")]
    var driver = choose("Lists: The Band", feed)
    #expect(driver.takeEffects().visits.last?.target.address == "https://band.example/feed")
  }

  @Test func personLinkSearchesForThePerson() {
    var feed = FeedPodcast()
    feed.persons = [Person(name: "Ada Lovelace", role: "host")]
    var driver = choose("Person: Ada Lovelace", feed)
    #expect(driver.takeEffects().network.isEmpty, "the name is sent to nobody unasked")
    #expect(driver.effects(of: "j<Enter>").discoveries.map(\.query) == [DiscoverQuery(.people, "Ada Lovelace")])
  }

  @Test func trailerLinkPlays() {
    var feed = FeedPodcast()
    feed.trailers = [Trailer(title: "Coming up", url: "https://cdn.example/t.mp3")]
    var driver = choose("Trailer: Coming up", feed)
    #expect(driver.takeEffects().plays == [EpisodeID(21)])
  }

  @Test func newestTrailersAreListed() throws {
    var library = FakeLibrary.sample
    library.feed.trailers = (0...6).map { number in
      let date = number == 0 ? nil : Driver.now.addingTimeInterval(Double(number))
      return Trailer(title: "T\(number)", url: "https://cdn.example/\(number).mp3", pubDate: date)
    }
    var driver = Driver(size: Size(120, 60), library: library)
    driver.type("io")
    let rows = driver.lines.compactMap { $0.firstMatch(of: #/(\d+)\s\sTrailer: (T\d)/#) }
    #expect(rows.map { String($0.2) } == ["T6", "T5", "T4", "T3", "T2"])
    let key = try #require(rows.first?.1.first)
    let effects = update(&driver.state, .input(.key(Key(key))), now: Driver.now)
    #expect(
      effects.questions == [
        AnyLibraryQuestion(ExtraQuestion(podcast: PodcastID(1), media: .trailer(library.feed.trailers[6])))
      ])
  }

  @Test func pageShowsWhoIsPaid() {
    var library = FakeLibrary.sample
    let recipients = ["Ada", nil, "Bob"].map { ValueBlock.Recipient(name: $0) }
    library.feed.value = ValueBlock(type: "lightning", recipients: recipients)
    var driver = Driver(size: Size(120, 60), library: library)
    #expect(driver.screen(after: "i").contains("Value       lightning, 3 recipients: Ada, Bob"))
  }

  @Test func episodePageFallsBackToWhatItBelongsTo() {
    var library = FakeLibrary.sample
    library.feed.persons = [Person(name: "Ada Lovelace", role: "host")]
    library.item.soundbites = [Soundbite(startTime: 60, duration: 20)]
    (library.item.season, library.item.seasonName, library.item.episodeDisplay) = (5, "Egyptology", "315.5")
    var driver = Driver(size: Size(120, 60), library: library)
    driver.type("<Enter>i")
    #expect(driver.screen.contains("season 5: Egyptology, episode 315.5"))
    #expect(driver.screen.contains("With        Ada Lovelace (host)"))
    #expect(driver.screen.contains("Soundbite   1:00 Ep. 135"))
    driver.library.item.persons = [Person(name: "Grace Hopper")]
    driver.send(.library(.changed))
    #expect(driver.screen.contains("With        Grace Hopper") && !driver.screen.contains("Ada Lovelace"))
  }

  /// A refresh may change the lists of the feed while the picker is open.
  @Test func pickerOfLinksKeepsItsTargetsAfterARefresh() throws {
    var library = FakeLibrary.sample
    library.feed.trailers = [Trailer(title: "Coming up", url: "https://cdn.example/t.mp3")]
    var driver = Driver(size: Size(120, 60), library: library)
    driver.type("io")
    let row = driver.lines.first { $0.contains("Trailer: Coming up") }
    let number = row?.firstMatch(of: #/(\d+)\s\s/#)?.1
    driver.library.feed.trailers.insert(Trailer(title: "Newer", url: "https://cdn.example/n.mp3"), at: 0)
    driver.send(.library(.changed))
    let key = try #require(number?.first)
    let effects = update(&driver.state, .input(.key(Key(key))), now: Driver.now)
    #expect(
      effects.questions == [
        AnyLibraryQuestion(ExtraQuestion(podcast: PodcastID(1), media: .trailer(library.feed.trailers[0])))
      ])
  }

  @Test func liveItemPlaysAndSavesNoPosition() {
    var feed = FeedPodcast()
    var episode = FeedEpisode()
    (episode.title, episode.mediaURL) = ("The stream", "https://live.example/s")
    feed.liveItems = [LiveItem(status: "live", episode: episode)]
    var driver = choose("Live: on air now", feed)
    #expect(driver.takeEffects().plays == [EpisodeID(21)])
    guard var row = driver.state.library.rows[EpisodeID(21)] else {
      Issue.record("the stream is not known")
      return
    }
    row.isLive = true
    let generation = driver.state.player.generation
    driver.send(.library(.playing(generation: generation, row, [], from: 0)))
    driver.send(.player(.started(generation: generation, duration: nil, seekable: false)))
    driver.send(.player(.position(generation: generation, seconds: 5)))
    driver.send { $0.seek(to: 600, as: .jump) }
    driver.send(.player(.paused(generation: generation, true)))
    for effect in driver.takeEffects() {
      if case .write(let write) = effect { Issue.record("\(write)") }
    }
  }

  @Test func announcedLiveItemShowsItsStart() {
    var feed = FeedPodcast()
    var episode = FeedEpisode()
    episode.title = "Tonight"
    feed.liveItems = [LiveItem(status: "pending", start: Driver.now.addingTimeInterval(3600), episode: episode)]
    let driver = choose("Live: announced", feed)
    #expect(driver.state.message?.text == "“Tonight” is not on air yet. It begins 21 Nov 2025, 13:00.")
  }

  @Test func soundbiteIsPlayedAndSavedAsAClip() {
    var driver = Driver(size: Size(120, 60))
    driver.library.item.soundbites = [Soundbite(startTime: 60, duration: 20, title: "The bite")]
    driver.type("<Enter>io")
    let index = driver.lines.firstIndex { $0.contains("Soundbite: 1:00 The bite") } ?? 0
    #expect(driver.screen.contains(") keep a soundbite"))
    let number = driver.lines[index].firstMatch(of: #/(\d+)\s\s/#).map { String($0.1) } ?? ""
    driver.type(String(repeating: "j", count: (Int(number) ?? 1) - 1) + ")")
    #expect(driver.takeEffects().contains(.write(.addClip(EpisodeID(1), from: 60, to: 80, title: "The bite"))))
    driver.type("o" + number)
    #expect(driver.takeEffects().contains { $0.isPlay(EpisodeID(1), from: 60) })
  }
}
