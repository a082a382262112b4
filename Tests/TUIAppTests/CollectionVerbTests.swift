import Foundation
import LoopbackServer
import Model
import Store
import Testing

@testable import TUIApp

/// The verbs of queue, playlists, clips, tags, history and undo, each in a separate process.
@Suite(InTurn()) struct CollectionVerbTests: ProgramTesting {
  let home: TemporaryHome
  private let broadcast: Broadcast

  init() async throws {
    home = try TemporaryHome()
    broadcast = try Broadcast("Collected")
    _ = try await BuiltProgram.run(["add", broadcast.feedURL], in: home)
  }

  /// The number of an episode of `Broadcast.threeEpisodes`.
  private func number(_ guid: String) throws -> String {
    try home.library { library in try library.episodes(named: guid).first?.description ?? "" }
  }

  private func queued(_ outcome: BuiltProgram.Outcome) throws -> [String] {
    let episodes = try outcome.object()["episodes"] as? [[String: Any]] ?? []
    return episodes.compactMap { $0["guid"] as? String }
  }

  @Test func queueVerbChangesTheQueue() async throws {
    #expect(try queued(await earshot("queue", "add", "one", try number("two"), "--json")) == ["one", "two"])
    #expect(
      try queued(await earshot("queue", "next", broadcast.server.url("/3.wav"), "--json")) == ["three", "one", "two"])
    #expect(try queued(await earshot("queue", "move", "three", "2", "--json")) == ["one", "three", "two"])
    #expect(try queued(await earshot("queue", "remove", "one", "--json")) == ["three", "two"])
    let again = try await earshot("queue", "remove", "one", "two")
    #expect(again.status == 65 && again.stderr.contains("is not in the queue"))
    #expect(try await earshot("queue", "move", "two", "0").stderr.contains("earshot queue move"))
    let undone = try await earshot("undo", "--json").objects()
    #expect(undone.map { $0["label"] as? String } == ["Take “流動的資金盛宴” out of the queue"])
    let listed = try await earshot("queue")
    #expect(listed.lines.count == 4 && listed.lines[0].contains("Second hour") == false, "\(listed.text)")
    #expect(listed.lines.last?.hasPrefix("3 episodes") == true)
    #expect(try queued(await earshot("queue", "clear", "--json")).isEmpty)
    #expect(try await earshot("queue").stderr == "earshot: the queue is empty\n")

    let unknown = try await earshot("queue", "add", "one", "nonesuch")
    #expect(unknown.status == 65 && unknown.stderr.contains("no episode nonesuch") && unknown.stdout.isEmpty)
    #expect(try queued(await earshot("queue", "--json")).isEmpty, "all or nothing")
    #expect(try await earshot("queue", "move", "one", "1").status == 65)
    #expect(try await earshot("queue", "move", "one", "0").status == 64)
  }

  /// A longer part would mark the episode as played, unheard.
  @Test func skippedPartsEndWithTheEpisode() async throws {
    let episode = try number("one")
    try home.library { library in
      let id = try #require(try library.episodes(named: "one").first)
      try library.savePosition(id, seconds: 1, total: 300, now: Date())
    }
    let late = try await earshot("skips", "add", episode, "0:01", "25:00:00")
    #expect(late.status == 65 && late.stderr.contains("long after the end"), "\(late.stderr)")
    #expect(try await earshot("skips", "list").stderr == "earshot: no parts are skipped\n")
    #expect(try await earshot("skips", "add", episode, "0:01", "0:02").status == 0)
  }

  @Test func queueShowsTheTimeLeftAtTheSetSpeed() async throws {
    _ = try await earshot("queue", "add", "one", "two")
    try home.library { library in
      let ids = try library.queue()
      try library.savePosition(ids[0], seconds: 100, total: 300, now: Date())
      try library.savePosition(ids[1], seconds: 0, total: 300, now: Date())
      try library.setSetting("speed", "2.0")
    }
    let queue = try await earshot("queue", "--json").object()
    #expect(
      queue["total"] as? Double == 600 && queue["left"] as? Double == 500 && queue["leftAtSpeed"] as? Double == 250)
    #expect(try await earshot("queue").lines.last == "2 episodes, 10m, 8m left, 4m at 2×")
  }

  @Test func playlistVerbChangesPlaylists() async throws {
    let all = try await earshot("playlist", "list", "--json").objects()
    #expect(all.map { $0["title"] as? String } == ["My Episodes", "My Clips"])
    let made = try await earshot("playlist", "create", "Für unterwegs!", "--json").object()
    #expect(made["slug"] as? String == "fur-unterwegs" && made["sharePermission"] as? String == "isPrivate")

    _ = try await earshot("playlist", "add", "fur-unterwegs", "one", "three", "two")
    _ = try await earshot("playlist", "move", "fur-unterwegs", "two", "1")
    _ = try await earshot("playlist", "remove", "fur-unterwegs", "three")
    _ = try await earshot("playlist", "share", "fur-unterwegs", "public")
    _ = try await earshot("playlist", "slug", "fur-unterwegs", "Road")
    let fixed = try await earshot("playlist", "rename", "My Clips", "Mine")
    #expect(fixed.status == 65 && fixed.stderr.contains("“My Clips” cannot be renamed"), "\(fixed.stderr)")
    let renamed = try await earshot("playlist", "rename", "road", "Road Trip", "--json").object()
    #expect(renamed["sharePermission"] as? String == "isPublic" && renamed["slug"] as? String == "road")
    let id = try #require(made["id"] as? Int)
    let listed = try await earshot("episodes", "Collected", "--json").objects()
    for (guid, holders) in ["one": [id], "two": [id], "three": []] {
      #expect(listed.first { $0["guid"] as? String == guid }?["playlists"] as? [Int] == holders)
    }
    let items = try await earshot("playlist", "show", "Road Trip", "--json").object()["items"] as? [[String: Any]]
    #expect(items?.compactMap { ($0["episode"] as? [String: Any])?["guid"] as? String } == ["two", "one"])

    let taken = try await earshot("playlist", "create", "Road", "--json").object()
    #expect(taken["slug"] as? String == "road-2")
    #expect(try await earshot("playlist", "slug", "road-2", "road").status == 65)
    #expect(try await earshot("playlist", "delete", "road-2").status == 0)

    #expect(try await earshot("playlist", "delete", "road").status == 0)
    #expect(try await earshot("playlist", "show", "road").status == 65)
    #expect(try await earshot("undo").text == "Undone: Delete the playlist “Road Trip”\n")
    #expect(try await earshot("playlist", "show", "road").lines.count == 3)
    #expect(try await earshot("playlist", "delete", "My Clips").status == 65)
    #expect(try await earshot("playlist", "create", " ").status == 65)
    #expect(try await earshot("playlist", "share", "road", "everybody").status == 64)
  }

  @Test func playlistVerbChangesSmartPlaylists() async throws {
    let filter = "podcast:collected and unplayed and not title ~ second"
    #expect(try await earshot("playlist", "create", "Smart", "--filter", filter).status == 0)
    func titles() async throws -> [String] {
      let items = try await earshot("playlist", "show", "smart", "--json").object()["items"] as? [[String: Any]] ?? []
      return items.compactMap { ($0["episode"] as? [String: Any])?["guid"] as? String }
    }
    #expect(try await titles() == ["one", "three"])
    _ = try await earshot("tag", "add", "later", "--episode", "two")
    #expect(try await earshot("playlist", "filter", "smart", "tag:later").status == 0)
    #expect(try await titles() == ["two"])
    let listed = try await earshot("episodes", "--filter", "tag:later or title ~ third order oldest", "--json")
      .objects()
    #expect(listed.map { $0["guid"] as? String } == ["three", "two"])

    let wrong = try await earshot("playlist", "create", "No", "--filter", "unplayed and durat < 3")
    #expect(wrong.status == 64 && wrong.stdout.isEmpty)
    #expect(wrong.stderr.hasSuffix("\nunplayed and durat < 3\n             ^^^^^\n"), "\(wrong.stderr)")
    #expect(try await earshot("playlist", "add", "smart", "one").status == 65)
    #expect(try await earshot("playlist", "filter", "My Episodes", "new").status == 65)
  }

  @Test func clipVerbChangesClips() async throws {
    let clip = try await earshot(
      "clip", "add", "one", "1:00", "62.5", "--title", "The “best”", "--tag", "fun", "--json"
    ).object()
    #expect(clip["startTime"] as? Double == 60 && clip["duration"] as? Double == 2.5)
    #expect(clip["link"] as? String == broadcast.server.url("/1.wav") + "#t=60,62.5")
    #expect(clip["tags"] as? [String] == ["fun"])
    #expect(try await earshot("clip", "edit", "1", "--end", "1:03", "--title", "").status == 0)
    let text = try await earshot("clip", "export", "1", "--text")
    #expect(text.lines == ["Collected: 流動的資金盛宴, 1:00–1:03", broadcast.server.url("/1.wav") + "#t=60,63"])
    #expect(try await earshot("playlist", "show", "My Clips").lines.count == 2)
    _ = try await earshot("playlist", "add", "My Episodes", "clip:1", "two")
    #expect(try await earshot("playlist", "show", "1").lines.count == 3)

    let file = "\(home.path)/clip.wav"
    #expect(try await earshot("clip", "export", "1", file).status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)).starts(with: Data("RIFF".utf8)))
    let again = try await earshot("clip", "export", "1", file)
    #expect(again.status == 73 && again.stderr.contains("--force"))
    #expect(try await earshot("clip", "export", "1", file, "--force", "--json").object()["duration"] as? Double == 3)
    #expect(try await earshot("clip", "export", "1", "\(home.path)/clip.doc").status == 64)
    broadcast.server.stop()
    #expect(try await earshot("clip", "export", "1", "\(home.path)/other.wav").status == 69)

    #expect(try await earshot("clip", "remove", "1").status == 0)
    #expect(try await earshot("clip").stderr == "earshot: there are no clips\n")
    #expect(try await earshot("undo").text == "Undone: Delete a clip\n")
    #expect(try await earshot("clip", "list", "--episode", "one", "--json").objects().count == 1)
    #expect(try await earshot("clip", "add", "one", "2:00", "1:00").status == 65)
    #expect(try await earshot("clip", "add", "one", "x", "1:00").status == 64)
  }

  @Test func tagVerbChangesTags() async throws {
    _ = try await earshot("tag", "add", "news", "daily", "--podcast", "collected")
    #expect(try await earshot("tag", "remove", "daily", "--podcast", "collected", "--json").text.contains("news"))
    #expect(try await earshot("tag", "list", "--podcast", broadcast.feedURL).text == "news\n")
    _ = try await earshot("clip", "add", "one", "1", "2")
    _ = try await earshot("tag", "add", "a clip's", "--clip", "1")
    #expect(try await earshot("tag").lines == ["a clip's", "news"])
    let untargeted = try await earshot("tag", "add", "x")
    #expect(untargeted.status == 64 && untargeted.stderr.contains("Usage: earshot tag add"))
    let two = try await earshot("tag", "add", "a,b", "--clip", "1")
    #expect(two.status == 64 && two.stderr.contains("without commas"))
    for (tag, reason) in [("a,b", "is not one tag"), ("", "must not be empty")] {
      let refused = try await earshot("clip", "add", "one", "1", "2", "--tag", tag)
      #expect(refused.status == 64 && refused.stderr.contains(reason), "\(refused.stderr)")
    }
    #expect(try await earshot("tag", "add", "x", "--clip", "1", "--episode", "one").status == 64)
  }

  @Test func historyVerbListsEvents() async throws {
    #expect(try await earshot("history").stderr == "earshot: nothing was heard yet\n")
    let first = try number("two")
    try home.library { library in
      let id = try #require(Int64(first).map { EpisodeID($0) })
      try library.record(
        ListeningEvent(
          episode: id, kind: .play(from: 10, to: 70, total: 300), timestamp: Date(timeIntervalSince1970: 1_794_000_000))
      )
    }
    let heard = try await earshot("history", "--json").objects()
    #expect(heard.count == 1 && heard[0]["listened"] as? Double == 60)
    #expect(heard[0]["heardAt"] as? String == "2026-11-06T21:20:00Z")
    #expect(try await earshot("history").text.hasPrefix(" 6 Nov 2026 21:20  "))
    let events = try await earshot("history", "--events", "--episode", "two", "--json").objects()
    #expect(events.map { $0["kind"] as? String } == ["play"] && events[0]["to"] as? Double == 70)
    #expect(try await earshot("history", "--episode", "two").status == 64)
    let labels = try await earshot("undo", "--list", "--json").objects().compactMap { $0["label"] as? String }
    #expect(labels.allSatisfy { $0.hasPrefix("Add “") }, "hearing is no step")
    _ = try await earshot("queue", "add", "one")
    #expect(
      try await earshot("undo", "--list", "--json").objects().map { $0["label"] as? String }
        == ["Queue “流動的資金盛宴”"] + labels)
  }

  @Test func statsVerbCountsListening() async throws {
    #expect(try await earshot("stats").stderr == "earshot: nothing was heard yet\n")
    try home.library { library in
      for (guid, from) in [("one", 0.0), ("two", 100)] {
        let id = try #require(try library.episodes(named: guid).first)
        try library.record(
          ListeningEvent(episode: id, kind: .play(from: from, to: from + 90, total: 300), timestamp: Date()))
      }
    }
    let byDay = try await earshot("stats", "--days", "7", "--json").object()
    #expect((byDay["total"] as? [String: Any])?["heard"] as? Double == 180)
    #expect((byDay["lines"] as? [[String: Any]])?.count == 1)
    let byPodcast = try await earshot("stats", "--by", "podcast")
    #expect(byPodcast.lines.count == 2 && byPodcast.lines[0].hasPrefix("Collected"))
    #expect(
      byPodcast.lines[1].hasPrefix("in all") && byPodcast.lines[1].contains("3m")
        && byPodcast.lines[1].contains("2 episodes"))
    #expect(Set(byPodcast.lines.map { $0.firstRange(of: "3m")?.lowerBound.utf16Offset(in: $0) }).count == 1)
    #expect(byPodcast.lines.allSatisfy { $0.last == "s" })
    let byMonth = try await earshot("stats", "--by", "month")
    #expect(byMonth.lines[0].wholeMatch(of: /[A-Z][a-z]{2} \d{4} +3m +2 episodes/) != nil)
    #expect(try await earshot("stats", "--by", "year").status == 64)
    // People see the days as everywhere, and programs as ISO 8601.
    let year = "\(Calendar.current.component(.year, from: Date()))"
    let streak = try await earshot("stats", "--year", year, "--json").object()["streakStart"] as? String
    #expect(streak?.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil)
    let text = try await earshot("stats", "--year", year).text
    #expect(text.contains(/Longest streak: 1 day, \d+ [A-Z][a-z]{2} \d{4}\n/))
  }

  /// The copy would replace the database, while its log belongs to the former one.
  @Test(arguments: ["", "-wal", "-shm"]) func backupDoesNotReplaceTheLibrary(ending: String) async throws {
    _ = try await earshot("queue", "add", "one")
    let link = "\(home.path)/link.db"
    symlink(home.directories.database + ending, link)
    for target in [home.directories.database + ending, link] {
      #expect(try await earshot("backup", target, "--force").status != 0 || !ending.isEmpty)
    }
    #expect(try queued(await earshot("queue", "--json")) == ["one"])
  }

  /// The command of an exported note names one episode, also if the same feed is at two addresses.
  @Test func exportedCommandNamesOneEpisode() async throws {
    let id = try number("one")
    #expect(try await earshot("clip", "add", id, "3").status == 0)
    let alone = try await earshot("notes", "export", "--stdout").text
    #expect(alone.contains("`earshot play one --start 0:03`"), "\(alone)")
    try home.library { library in
      var (feed, episode) = (Feed(), FeedEpisode())
      (episode.guid, episode.mediaURL) = ("one", "https://example.org/1.mp3")
      feed.episodes = [episode]
      try library.subscribe(feed: feed, feedURL: "https://example.org/copy", now: Date())
    }
    let shared = try await earshot("notes", "export", "--stdout").text
    #expect(shared.contains("`earshot play \(id) --start 0:03`"), "\(shared)")
  }

  @Test func notesThatCannotBeReplacedHaveTheirStatus() async throws {
    try FileManager.default.createDirectory(
      atPath: "\(home.path)/vault/notes.csv", withIntermediateDirectories: true)
    let outcome = try await earshot("notes", "export", "--format", "csv", "--dir", "\(home.path)/vault")
    #expect(outcome.status == 74 && outcome.stderr.contains("notes.csv cannot be read"), "\(outcome.stderr)")
  }

  @Test func exportKeepsLinksAndModes() async throws {
    let target = try home.file("real.opml", Data("old".utf8))
    chmod(target, 0o644)
    symlink(target, "\(home.path)/link.opml")
    #expect(try await earshot("export", "\(home.path)/link.opml").status == 0)
    #expect(try String(contentsOfFile: target, encoding: .utf8).contains("<opml"))
    var info = stat()
    #expect(stat(target, &info) == 0 && info.st_mode & 0o777 == 0o644)
    symlink("new.opml", "\(home.path)/dangling.opml")
    #expect(try await earshot("export", "\(home.path)/dangling.opml").status == 0)
    #expect(FileManager.default.fileExists(atPath: "\(home.path)/new.opml"))
    #expect(try await earshot("export", "/dev/full").status == 74)
    let nameless = try await earshot("export", "")
    #expect(nameless.status == 73 && nameless.stderr.contains("without a name"), "\(nameless.stderr)")
    #expect(stat("/dev/full", &info) == 0 && info.st_mode & S_IFMT == S_IFCHR)
  }

  @Test func backupIsRestored() async throws {
    #expect(try await earshot("restore").status == 65)
    let made = try await earshot("backup", "--json").object()
    let path = try #require(made["path"] as? String)
    #expect(path.hasPrefix(home.directories.data + "/backups/"))
    #expect(try await earshot("backup", "--list", "--json").objects().map { $0["path"] as? String } == [path])

    _ = try await earshot("queue", "add", "one", "two")
    let copy = "\(home.path)/copy.db"
    #expect(try await earshot("backup", copy).status == 0)
    #expect(try await earshot("backup", copy).status == 73)
    #expect(try await earshot("backup", copy, "--force").status == 0)

    let restored = try await earshot("restore", "--json").object()
    #expect(restored["backup"] as? String == path)
    #expect(FileManager.default.fileExists(atPath: try #require(restored["setAside"] as? String)))
    #expect(try queued(await earshot("queue", "--json")).isEmpty)
    #expect(try await earshot("restore", copy).status == 0)
    #expect(try queued(await earshot("queue", "--json")) == ["one", "two"])

    let garbage = try home.file("garbage.db", Data("nothing of a library".utf8))
    #expect(try await earshot("restore", garbage).status == 65)
    let missing = try await earshot("restore", "\(home.path)/missing.db")
    #expect(missing.status == 64 && missing.stderr.contains("missing.db cannot be read: No such file"))
    #expect(try queued(await earshot("queue", "--json")) == ["one", "two"], "what was there stays")
    // Simulates a running player with this library.
    let held = try PlayerLock.acquire(library: home.directories.database)
    let refused = try await earshot("restore", copy)
    #expect(refused.status == 74 && refused.stderr.contains("a player is running"))
    withExtendedLifetime(held) {}
  }

  /// The library is replaced while a feed is fetched.
  @Test func refreshDuringARestoreReportsItsLoss() async throws {
    let copy = "\(home.path)/copy.db"
    #expect(try await earshot("backup", copy).status == 0)
    let episodes = Broadcast.threeEpisodes + [Broadcast.Episode(title: "Fourth hour", guid: "four")]
    let feed = Broadcast.feed(broadcast.title, episodes, media: broadcast.server.baseURL)
    let library = home.directories.database
    broadcast.server.route("/feed.xml") { _ in
      _ = try? Library.restore(copy, to: library, now: Date())
      return .text(feed, type: "application/rss+xml")
    }
    let outcome = try await earshot("refresh", broadcast.feedURL)
    #expect(outcome.status == 74, "\(outcome.text)")
    #expect(outcome.stderr.contains("What this command has changed is not in it"), "\(outcome.stderr)")
  }

  @Test func restoreCanEndSync() async throws {
    let folder = "\(home.path)/sync"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let login = try await earshot("sync", "login", "folder:\(folder)")
    #expect(login.status == 0, "\(login.stderr)")
    let copy = "\(home.path)/copy.db"
    #expect(try await earshot("backup", copy).status == 0)
    // Nobody is asked without a terminal.
    let restored = try await earshot("restore", copy)
    #expect(restored.stderr.contains("the next sync brings back") && restored.stderr.contains("earshot sync logout"))
    #expect(try await earshot("sync", "run").status == 0)
    let ended = try await earshot("restore", copy, "--end-sync")
    #expect(ended.status == 0 && ended.stderr.contains("has ended"), "\(ended.stderr)")
    #expect(try await earshot("sync", "run").status != 0)
  }

  /// Another device has given two playlists the same title.
  @Test func playlistsOfTheSameNameAreToldApartByTheirNumbers() async throws {
    let device = "\(home.path)/sync/earshot-sync/phone"
    try FileManager.default.createDirectory(atPath: device, withIntermediateDirectories: true)
    let lines = ["one", "two"].map { name in
      #"{"key":"playlist/title:\#(name)","value":{"title":"Twin","slug":"twin","share":"isPrivate"},"time":1700000000}"#
    }
    let text = ([#"{"earshot":"sync","format":1,"device":"phone"}"#] + lines).map { $0 + "\n" }.joined()
    try text.write(toFile: device + "/collections.000001.jsonl", atomically: true, encoding: .utf8)
    #expect(try await earshot("sync", "login", "folder:\(home.path)/sync").status == 0)
    #expect(try await earshot("sync", "run").status == 0)
    let twins = try await earshot("playlist", "list", "--json").objects().filter { $0["title"] as? String == "Twin" }
    #expect(twins.count == 2)
    for name in ["Twin", "twin"] {
      let refused = try await earshot("playlist", "delete", name)
      #expect(refused.status == 65 && refused.stderr.contains("2 playlists are named \(name)"), "\(refused.stderr)")
    }
    let last = try #require(twins.last?["id"] as? Int)
    #expect(try await earshot("playlist", "delete", "\(last)").status == 0)
    #expect(try await earshot("playlist", "show", "twin").status == 0)
  }

  // MARK: Import from another program

  @Test func importNamesSubscriptionsThatCannotBeFetched() async throws {
    let second = try TemporaryHome()
    let text = "<opml><body><outline xmlUrl='https://e.org/a'/><outline xmlUrl='nonsense'/></body></opml>"
    let imported = try await BuiltProgram.run(["import", try second.file("list.opml", text.utf8)], in: second)
    #expect(imported.status == 0 && imported.lines.first == "1 added, 0 known, 1 refused")
    #expect(imported.stderr.contains("nonsense: not an address of a feed"))
  }

  @Test func importFromAnotherProgram() async throws {
    let second = try TemporaryHome()
    let file = try second.file(
      "library.json",
      Data(
        """
        {"Feeds": [{"Id": "f", "Title": "Collected", "Url": "\(broadcast.feedURL)"}, {"Id": "g", "Url": "mailto://x"}],
         "Episodes": [
          {"Id": "1", "FeedId": "f", "RssGuid": "one", "AudioUrl": "\(broadcast.server.url("/1.wav"))", "DurationMs": 300000,
           "Progress": {"LastPosMs": 93500}},
          {"Id": "2", "FeedId": "f", "RssGuid": "two", "ManuallyMarkedPlayed": true},
          {"Id": "9", "FeedId": "f", "RssGuid": "gone", "Title": "Long gone", "ManuallyMarkedPlayed": true}],
         "Queue": ["1"]}
        """.utf8))
    let imported = try await BuiltProgram.run(["import", file, "--json"], in: second).object()
    #expect(imported["program"] as? String == "podliner" && imported["added"] as? Int == 1)
    #expect(imported["played"] as? Int == 2 && imported["begun"] as? Int == 1 && imported["queued"] as? Int == 1)
    #expect((imported["refused"] as? [String]) == ["mailto://x"])

    #expect(try await BuiltProgram.run(["refresh"], in: second).status == 0)
    let episodes = try await BuiltProgram.run(["episodes", "collected", "--json"], in: second).objects()
    #expect(episodes.count == 4, "three of the feed, and the one that is only known there")
    let one = try #require(episodes.first { $0["guid"] as? String == "one" })
    #expect(one["title"] as? String == "流動的資金盛宴" && one["playbackPosition"] as? Double == 93.5)
    #expect(one["queued"] as? Bool == true && one["status"] as? String == "paused")
    #expect(episodes.first { $0["guid"] as? String == "two" }?["status"] as? String == "played")
    #expect(episodes.first { $0["guid"] as? String == "three" }?["status"] as? String == "new")

    let again = try await BuiltProgram.run(["import", file], in: second)
    #expect(again.lines == ["0 added, 1 known, 1 refused", "Episodes: 3 kept as they are here"])
    #expect(try await BuiltProgram.run(["import", "\(second.path)/absent.db"], in: second).status == 64)
    let other = try second.file("other.json", Data("{}".utf8))
    #expect(try await BuiltProgram.run(["import", other], in: second).status == 65)
  }
}
