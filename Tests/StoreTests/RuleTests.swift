import Foundation
import GRDB
import Model
import Testing

@testable import Store

/// Rules act once on the episodes that a refresh brings, in their order, and one undo takes back one run.
@Suite struct RuleTests {
  private let box: TemporaryLibrary
  private let podcast: PodcastID
  private var library: Library { box.library }

  /// A podcast with the episodes 1 to 3 as its back catalogue.
  init() throws {
    box = try TemporaryLibrary()
    podcast = try box.subscribe(Samples.episodes(1...3))
  }

  @discardableResult
  private func add(_ filter: String, _ action: String, name: String? = nil) throws -> RuleID {
    try library.addRule(
      name: name ?? "\(filter) \(action)", filter: filter, action: try #require(RuleAction(action)), now: Samples.now)
  }

  /// Refreshes with these episodes added.
  /// - Returns: the new ones, oldest first.
  @discardableResult
  private func refresh(
    to last: Int, at seconds: Double = 10, edit: (inout FeedEpisode) -> Void = { _ in }
  ) throws -> [EpisodeID] {
    var episodes = Samples.episodes(1...last)
    for index in episodes.indices { edit(&episodes[index]) }
    let time = Samples.later(seconds)
    let result = try library.apply(
      feed: Samples.feed(episodes), to: podcast, info: RefreshInfo(refresh: time), now: time)
    return result.new.reversed()
  }

  private func status(_ episode: EpisodeID) throws -> EpisodeStatus? { try library.episode(episode)?.row.status }

  // MARK: Actions

  @Test func queueAppendsOldestFirst() throws {
    try add("title ~ episode", "queue")
    let new = try refresh(to: 6)
    #expect(new.count == 3)
    #expect(try library.queue() == new)
  }

  @Test func queueNextGoesBehindThePlayingEpisode() throws {
    let old = try box.episodes(podcast)
    try library.enqueue([old[0], old[1]], now: Samples.now)
    try library.setSetting("last-played", "\(old[0])")
    try add("title ~ episode", "queue-next")
    let new = try refresh(to: 5)
    #expect(try library.queue() == [old[0]] + new + [old[1]])
  }

  @Test func playedAndDeletedChangeTheStatus() throws {
    try add("title:\"episode 4\"", "played")
    try add("title:\"episode 5\"", "deleted")
    let new = try refresh(to: 6)
    #expect(try new.map(status) == [.played, .deleted, .new])
    #expect(try library.hiddenByRules(since: Samples.now) == [new[1]])
    #expect(try library.events(limit: 9).map(\.event.kind) == [.delete, .played])
  }

  @Test func tagPlaylistDownloadAndNotify() throws {
    let playlist = try library.addPlaylist(title: "Später", now: Samples.now)
    try add("title ~ 4", "tag to hear", name: "T")
    try add("title ~ 5", "playlist später", name: "P")
    try add("title ~ 5", "download", name: "D")
    try add("title ~ 4", "notify", name: "N")
    let new = try refresh(to: 5)
    #expect(try library.episode(new[0])?.tags == ["to hear"])
    #expect(try library.playlist(playlist)?.items == [.episode(new[1])])
    #expect(try library.takeRuleDownloads().wanted == [new[1]])
    #expect(try library.takeRuleDownloads().wanted == [])
    #expect(
      try library.takeRuleNotices(now: Samples.later(20)) == [RuleAct(episode: new[0], rule: "N", action: .notify)])
    #expect(try library.takeRuleNotices(now: Samples.later(20)) == [])
    #expect(try library.episode(new[1])?.acts.map(\.rule).sorted() == ["D", "P"])
  }

  @Test func oldNoticesAreDropped() throws {
    try add("new", "notify", name: "N")
    try refresh(to: 4)
    #expect(try library.undoEntries(limit: 1).first?.label == "Make the rule “N”")
    #expect(try library.takeRuleNotices(now: Samples.later(100_000)) == [])
  }

  // MARK: Order

  @Test func keepEndsTheListForAnEpisode() throws {
    try add("title ~ 4", "tag before")
    try add("title ~ 4", "keep")
    try add("new", "deleted")
    let new = try refresh(to: 5)
    #expect(try new.map(status) == [.new, .deleted])
    #expect(try library.episode(new[0])?.tags == ["before"])
  }

  @Test func laterRulesSeeWhatEarlierOnesDid() throws {
    try add("new", "queue")
    try add("queued", "tag later")
    try add("tag:later", "deleted")
    let new = try refresh(to: 4)
    // A queued episode is never deleted.
    #expect(try status(new[0]) == .new && library.episode(new[0])?.tags == ["later"])
  }

  @Test func rulesAreAppliedInTheOrderOfTheList() throws {
    try add("new", "deleted", name: "last")
    let keep = try add("title ~ 4", "keep", name: "first")
    try library.moveRule(keep, to: 0, now: Samples.now)
    #expect(try library.rules().map(\.name) == ["first", "last"])
    #expect(try refresh(to: 5).map(status) == [.new, .deleted])
  }

  @Test func ruleThatIsOffDoesNothing() throws {
    let id = try add("new", "queue")
    try library.changeRule(id, now: Samples.now) { $0.isOn = false }
    try refresh(to: 4)
    #expect(try library.queue() == [])
    // Unless the listener runs it.
    #expect(try library.runRules(id, now: Samples.now).acts.count == 1)
  }

  /// A menu that was open changes one property of the rule that another process has changed meanwhile.
  @Test(arguments: [Rule.Change.name("B"), .filter("new"), .action(.keep), .isOn(true)])
  func changeOfOnePropertyKeepsTheOthers(change: Rule.Change) throws {
    let id = try add("title ~ episode", "deleted", name: "A")
    try library.changeRule(id, now: Samples.now) {
      ($0.name, $0.filter, $0.action, $0.isOn) = ("C", "title ~ other", .played, false)
    }
    var expected = try #require(try library.rules().first)
    change.apply(to: &expected)
    try library.changeRule(id, now: Samples.now, change.apply)
    #expect(try library.rules() == [expected])
    #expect(try library.undo(now: Samples.now)?.label == "Change the rule “\(expected.name)”")
    #expect(try library.rules().map(\.name) == ["C"])
  }

  /// An episode arrives while the listener is asked whether to apply the rule.
  @Test func onlyTheEpisodesOfTheQuestionAreTouched() throws {
    let shown = try refresh(to: 5)
    let id = try library.addRule(name: "R", filter: "new", action: .queue, isOn: false, now: Samples.now)
    #expect(try library.preview(library.rules()[0], now: Samples.now).episodes == shown)
    let late = try refresh(to: 6, at: 20)
    #expect(try library.runRules(id, among: shown, now: Samples.later(30)).acts.map(\.episode) == shown)
    #expect(try library.runRules(id, now: Samples.later(40)).acts.map(\.episode) == late)
  }

  @Test func firstIsTheNewestOfThisRefresh() throws {
    try add("first", "queue")
    let one = try refresh(to: 6)
    let two = try refresh(to: 7, at: 20)
    #expect(try library.queue() == [one[2], two[0]])
  }

  @Test func notesAreSearchedBeforeTheyAreIndexed() throws {
    try add("notes ~ walrus", "queue")
    let new = try refresh(to: 70) { if $0.title == "Episode 60" { $0.summary = "About a walrus" } }
    #expect(try library.pendingCount() > 0)
    #expect(try library.queue() == [new[56]])
  }

  // MARK: What is protected

  @Test func backCatalogueIsLeftOutUnlessItIsNamed() throws {
    try add("new", "queue")
    let other = try box.subscribe(Samples.episodes(11...13), url: "https://example.org/other")
    #expect(try library.queue() == [])
    #expect(try library.runRules(now: Samples.now).acts == [])
    #expect(try library.preview(library.rules()[0], now: Samples.now).backCatalogue == 6)
    try add("catalogue and title ~ 12", "tag old")
    let third = try library.subscribe(
      feed: Samples.feed(Samples.episodes(11...13), title: "Third"), feedURL: "https://example.org/third",
      now: Samples.now)
    #expect(try library.episode(try box.episodes(third)[1])?.tags == ["old"])
    #expect(try library.episode(try box.episodes(other)[1])?.tags == [])
  }

  @Test(arguments: ["begun", "queued", "clipped", "playlist"])
  func deletedSparesWhatTheListenerHas(what: String) throws {
    let new = try refresh(to: 5)
    switch what {
    case "begun": try library.savePosition(new[0], seconds: 5, total: nil, now: Samples.now)
    case "queued": try library.enqueue([new[0]], now: Samples.now)
    case "clipped": _ = try library.addClip(of: new[0], startTime: 1, endTime: 2, now: Samples.now)
    default: try library.addPlaylist(title: "P", items: [.episode(new[0])], now: Samples.now)
    }
    let rule = try add("unplayed", "deleted")
    #expect(try library.preview(library.rules()[0], now: Samples.now).episodes == [new[1]])
    #expect(try library.runRules(rule, now: Samples.now).acts.map(\.episode) == [new[1]])
    #expect(try new.map(status) == [what == "begun" ? .playing : .new, .deleted])
  }

  @Test(arguments: [EpisodeStatus.playing, .paused]) func playingEpisodeIsNeverTouched(status: EpisodeStatus) throws {
    let new = try refresh(to: 5)
    try library.savePosition(new[0], seconds: 5, total: nil, now: Samples.now)
    try library.setStatus([new[0]], status, now: Samples.now, isUndoable: false)
    try library.setSetting("last-played", "\(new[0])")
    try add("unplayed", "played")
    #expect(try library.runRules(now: Samples.now).acts.map(\.episode) == [new[1]])
  }

  @Test func actIsNotRepeatedAfterTheListenerTookItBack() throws {
    let rule = try add("title ~ episode", "queue")
    let new = try refresh(to: 4)
    try library.dequeue(new, now: Samples.now)
    _ = try library.runRules(rule, now: Samples.now)
    #expect(try library.queue() == [])
    // Nor as the next one by another rule.
    try add("title ~ episode", "queue-next")
    #expect(try library.runRules(now: Samples.now).acts == [])
  }

  @Test func ruleOfADeletedPlaylistDoesNothingAndSaysSo() throws {
    let playlist = try library.addPlaylist(title: "Gone", now: Samples.now)
    try add("new", "playlist Gone", name: "P")
    try add("new", "tag x")
    try library.deletePlaylist(playlist, now: Samples.now)
    let new = try refresh(to: 4)
    #expect(try library.episode(new[0])?.tags == ["x"])
    #expect(
      try library.runRules(now: Samples.now).problems == ["Rule “P” does nothing: there is no playlist “Gone”."])
  }

  @Test(arguments: ["\"; rm -rf ~ #", "$(id)", "-rf", "'; DROP TABLE episode; --", "a\nb", "%s\\\"", "\u{1b}[2J"])
  func hostileTitlesAreJustTitles(title: String) throws {
    try add("title ~ \"rm -rf\" or title ~ id or title ~ rf or new", "queue")
    try add("new", "tag \(title)")
    let new = try refresh(to: 4) { if $0.guid == "guid-4" { $0.title = title } }
    #expect(try library.queue() == new)
    #expect(try library.episodeIDs(EpisodeQuery(.podcast(podcast))).count == 4)
    _ = try library.undo(now: Samples.now)
    #expect(try library.queue() == [])
  }

  // MARK: Undo

  @Test func oneUndoTakesBackAllTransactionsOfOneRefresh() throws {
    let playlist = try library.addPlaylist(title: "P", now: Samples.now)
    try library.addPlaylist(title: "Before", now: Samples.now)
    try add("title ~ 4", "deleted")
    try add("new", "queue")
    try add("new", "playlist P")
    try add("new", "tag t")
    let one = try refresh(to: 5)
    let two = try refresh(to: 6)
    #expect(try library.queue() == [one[1], two[0]])
    let done = try library.undo(now: Samples.later(30))
    #expect(done?.label == "What rules did")
    #expect(try library.queue() == [])
    #expect(try status(one[0]) == .new)
    #expect(try library.playlist(playlist)?.items == [])
    #expect(try library.episode(two[0])?.tags == [])
    #expect(try library.episode(two[0])?.acts == [])
    #expect(try library.undoEntries(limit: 1).first?.label == "Make the rule “new tag t”")
    // Nothing of it comes back by itself.
    try refresh(to: 6, at: 40)
    #expect(try library.queue() == [])
    _ = try library.undo(.forward, now: Samples.later(50))
    #expect(try library.queue() == [one[1], two[0]])
    #expect(try library.episode(two[0])?.acts.count == 3)
    #expect(try status(one[0]) == .deleted)
  }

  @Test func anotherRefreshIsAnotherStep() throws {
    try add("new", "queue")
    let one = try refresh(to: 4, at: 10)
    try refresh(to: 5, at: 20)
    _ = try library.undo(now: Samples.later(30))
    #expect(try library.queue() == one)
  }

  @Test func changeByTheListenerDuringARefreshStaysItsOwnStep() throws {
    try add("new", "queue")
    let one = try refresh(to: 4)
    let old = try box.episodes(podcast)[3]
    try library.enqueue([old], now: Samples.later(11))
    let two = try refresh(to: 5)
    #expect(try library.queue() == one + [old] + two)
    _ = try library.undo(now: Samples.later(30))
    #expect(try library.queue() == one + [old])
    _ = try library.undo(now: Samples.later(30))
    #expect(try library.queue() == one)
  }

  /// The listener may decide before the player starts.
  @Test func downloadThatIsNoLongerWantedIsNotStarted() throws {
    try add("new", "download")
    let new = try refresh(to: 6)
    try library.setStatus([new[0]], .played, now: Samples.later(30))
    try library.setStatus([new[1]], .deleted, now: Samples.later(30))
    let work = try library.takeRuleDownloads()
    #expect(work.wanted == [new[2]] && work.unwanted == [])
    try add("title ~ 7", "download", name: "T")
    _ = try refresh(to: 7)
    try library.unsubscribe(podcast, now: Samples.later(40))
    #expect(try library.takeRuleDownloads().wanted == [])
  }

  @Test func undoneDownloadIsCancelled() throws {
    try add("new", "download")
    let new = try refresh(to: 4)
    #expect(try library.takeRuleDownloads().wanted == new)
    _ = try library.undo(now: Samples.later(30))
    let work = try library.takeRuleDownloads()
    #expect(work.wanted == [] && work.unwanted == new)
  }

  @Test func transcriptsOfARuleAreMadeUnlessTheRunIsUndone() throws {
    try add("new", "transcribe")
    let new = try refresh(to: 5)
    #expect(try library.transcribingList().map(\.episode) == new)
    _ = try library.undo(now: Samples.later(30))
    #expect(try library.transcribingList().isEmpty)
    // One was made meanwhile.
    let line = Transcript.Line(start: 1, end: 2, text: "Hello")
    let origin = TranscriptOrigin(kind: .made, name: "small", date: Samples.now, duration: 60)
    try library.saveMadeTranscript(Transcript(lines: [line]), origin, of: new[0], now: Samples.later(35))
    _ = try library.undo(.forward, now: Samples.later(40))
    #expect(try library.transcribingList().map(\.episode) == Array(new.dropFirst()))
  }

  @Test func changesOfRulesAreUndone() throws {
    let id = try add("new", "queue", name: "A")
    try add("new", "tag x", name: "B")
    try library.moveRule(id, to: 9, now: Samples.now)
    try library.removeRule(id, now: Samples.now)
    #expect(try library.rules().map(\.name) == ["B"])
    _ = try library.undo(now: Samples.now)
    #expect(try library.rules().map(\.name) == ["B", "A"])
    _ = try library.undo(now: Samples.now)
    #expect(try library.rules().map(\.name) == ["A", "B"])
    #expect(try library.rules()[0].id == id)
    for _ in 0..<2 { _ = try library.undo(now: Samples.now) }
    #expect(try library.rules() == [])
    _ = try library.undo(.forward, now: Samples.now)
    #expect(try library.rules().map(\.name) == ["A"])
  }

  // MARK: A refresh of several podcasts

  /// The feeds of one refresh arrive one after the other, in this case the newest episodes first.
  private func refreshTogether(_ podcasts: [(PodcastID, FeedEpisode)]) throws -> [EpisodeID] {
    let began = Samples.later(10)
    return try podcasts.enumerated().flatMap { index, arrival in
      try library.apply(
        feed: Samples.feed([arrival.1] + Samples.episodes(1...3)), to: arrival.0, info: RefreshInfo(refresh: began),
        now: Samples.later(11 + Double(index))
      ).new
    }
  }

  private func arrivals() throws -> [(PodcastID, FeedEpisode)] {
    let others = try (1...2).map { number in
      try box.subscribe(Samples.episodes(1...3), url: "https://example.org/other\(number)")
    }
    return ([podcast] + others).enumerated().map { index, podcast in
      var episode = Samples.episode(9 - index)
      episode.guid = "arrived \(index)"
      episode.mediaURL = "https://example.org/arrived\(index).mp3"
      return (podcast, episode)
    }
  }

  @Test func limitCountsTheWholeRefresh() throws {
    try add("unplayed limit 2", "queue")
    let new = try refreshTogether(arrivals())
    #expect(new.count == 3)
    #expect(Set(try library.queue()) == Set(new.prefix(2)))
  }

  @Test(arguments: ["queue", "queue-next"])
  func queueIsOldestFirstWhateverFeedArrivesFirst(action: String) throws {
    let old = try box.episodes(podcast)
    try library.enqueue([old[0]], now: Samples.now)
    try add("unplayed", action)
    let new = try refreshTogether(arrivals())
    #expect(new.count == 3)
    let sorted = Array(new.reversed())
    #expect(try library.queue() == (action == "queue" ? [old[0]] + sorted : sorted + [old[0]]))
  }

  @Test func ruleFollowsItsRenamedPlaylist() throws {
    let playlist = try library.addPlaylist(title: "Später", now: Samples.now)
    try add("title ~ episode", "playlist später")
    try library.changePlaylist(playlist, now: Samples.later(1)) { $0.title = "Abends" }
    #expect(try library.rules().map(\.action) == [.playlist("Abends")])
    let new = try refresh(to: 4)
    #expect(try library.playlist(playlist)?.items == new.map { .episode($0) })
    _ = try library.undo(now: Samples.later(20))
    _ = try library.undo(now: Samples.later(21))
    #expect(try library.rules().map(\.action) == [.playlist("später")])
    #expect(try library.playlist(playlist)?.title == "Später")
  }

  @Test func refreshSaysThatAPlaylistIsMissing() throws {
    try add("title ~ episode", "playlist gone", name: "P")
    let time = Samples.later(10)
    let result = try library.apply(
      feed: Samples.feed(Samples.episodes(1...4)), to: podcast, info: RefreshInfo(refresh: time), now: time)
    #expect(result.rules.problems == ["Rule “P” does nothing: there is no playlist “gone”."])
  }

  @Test func fileOfAnEpisodeThatWasBroughtBackStays() throws {
    let rule = try add("title ~ 3 and (catalogue or not catalogue)", "deleted")
    let episode = try #require(try box.episodes(podcast).first)
    try library.saveDownload(Download(episode: episode, fileName: "f.mp3", downloadComplete: true), now: Samples.now)
    #expect(try library.runRules(rule, now: Samples.later(1)).acts.count == 1)
    try library.setStatus([episode], .new, now: Samples.later(2))
    #expect(try library.takeRuleDownloads().unwanted == [])
  }

  // MARK: Time

  @Test func timedRulesRunOnceADay() throws {
    let utc = try #require(TimeZone(identifier: "UTC"))
    let new = try refresh(to: 5)
    try add("age > 3w", "played", name: "old")
    try add("new", "tag never", name: "not timed")
    try add("title ~ 4", "keep", name: "keep")
    try library.moveRule(try #require(try library.rules().last?.id), to: 0, now: Samples.now)
    let report = try library.runTimedRules(now: Samples.now, timeZone: utc)
    #expect(report.acts == [RuleAct(episode: new[1], rule: "old", action: .played)])
    try library.setStatus([new[1]], .new, now: Samples.now)
    #expect(try library.runTimedRules(now: Samples.later(86_400 * 2), timeZone: utc).isEmpty)
    try library.removeRule(try #require(try library.rules().first?.id), now: Samples.now)
    #expect(try library.runTimedRules(now: Samples.later(86_400 * 2 + 1), timeZone: utc).isEmpty)
    #expect(try library.runTimedRules(isDue: true, now: Samples.later(86_400 * 2 + 2), timeZone: utc).acts.count == 1)
  }

  /// The listener has undone a slip, so everything is as before.
  @Test func ruleFindsWhatAnUndoHasRestored() throws {
    let rule = try add("age > 3w and (catalogue or not catalogue)", "played")
    try library.markAllPlayed(podcast, now: Samples.now)
    _ = try library.undo(now: Samples.later(1))
    #expect(try library.runRules(rule, now: Samples.later(2)).acts.count == 3)
  }

  // MARK: Rules

  @Test func wrongRulesAreRefused() throws {
    try add("new", "queue", name: "Täglich")
    #expect(throws: StoreError.self) { try add("new", "queue", name: "taglich") }
    #expect(throws: StoreError.self) { try add("new", "queue", name: " ") }
    #expect(throws: StoreError.self) { try add("bogus", "queue", name: "B") }
    #expect(RuleAction("tag") == nil && RuleAction("queue it") == nil && RuleAction("") == nil)
    #expect(RuleAction("  tag   two  words ") == .tag("two words"))
  }

  @Test func actionsAreWrittenAsTheyAreRead() {
    for word in RuleAction.words {
      let text = ["tag", "playlist"].contains(word) ? word + " some name" : word
      #expect(RuleAction(text)?.text == text)
    }
  }

  @Test func filterFindsWhatARuleDid() throws {
    try add("title ~ 4", "queue", name: "Täglich")
    let new = try refresh(to: 5)
    func found(_ filter: String) throws -> [EpisodeID] {
      try library.episodeIDs(EpisodeQuery(.matching(EpisodeFilter(parsing: filter))), now: Samples.now)
    }
    #expect(try found("rule:taglich") == [new[0]])
    #expect(try found("rule ~ tag") == [new[0]])
    _ = try library.undo(now: Samples.later(20))
    #expect(try found("rule:taglich") == [])
  }

  @Test func rulesOfAPodcastAreThoseThatDoNotNameOthers() throws {
    try add("podcast:\"a podcast\" and new", "queue", name: "A")
    try add("podcast:other", "queue", name: "B")
    try add("new and not podcast:\"a podcast\"", "queue", name: "C")
    try add("podcast:other or duration > 5m", "queue", name: "D")
    try add("age > 3w", "played", name: "E")
    #expect(try library.rules(for: podcast).map(\.name) == ["A", "D", "E"])
  }

  @Test func previewCountsRecentEpisodes() throws {
    try refresh(to: 5) {
      if $0.guid == "guid-5" { $0.pubDate = Samples.later(-86_400) }
    }
    let rule = Rule(id: RuleID(0), name: "", filter: "new", action: .queue)
    #expect(
      try library.preview(rule, now: Samples.now).text
        == "2 episodes now; 1 of the last 30 days; 3 of the back catalogue left out (“catalogue” includes them)")
  }

  @Test func mergedEpisodeKeepsWhatRulesDid() throws {
    try add("new", "tag x", name: "R")
    let new = try refresh(to: 4)
    let other = try box.subscribe(Samples.episodes(1...4), url: "https://example.org/moved")
    try library.setFeedURL(podcast, "https://example.org/moved", now: Samples.now)
    let moved = try box.episodes(other)[0]
    #expect(try library.episode(moved)?.acts.map(\.rule) == ["R"] && library.episode(new[0]) == nil)
  }

  @Test func linesCountEpisodesOfEachRule() {
    let acts = (1...3).map { RuleAct(episode: EpisodeID($0), rule: "Daily", action: .queue) }
    #expect(
      RuleReport(acts: acts + [RuleAct(episode: EpisodeID(4), rule: "Old", action: .tag("x"))]).lines
        == ["Rule “Daily”: 3 episodes queued", "Rule “Old”: 1 episode tagged “x”"])
  }
}
