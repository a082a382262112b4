import Foundation
import GRDB
import Model
import Testing

@testable import Store

/// Playlists, clips, tags, downloads, settings.
@Suite struct ListTests {
  private let box: TemporaryLibrary
  private let podcast: PodcastID
  private let ids: [EpisodeID]
  private var library: Library { box.library }

  init() throws {
    box = try TemporaryLibrary()
    podcast = try box.subscribe(Samples.episodes(1...5))
    ids = try box.episodes(podcast)
  }

  @Test func rowHasTheOtherDevice() throws {
    func listen(_ id: EpisodeID) throws {
      try library.record(
        ListeningEvent(episode: id, kind: .play(from: 0, to: 60, total: nil), timestamp: Samples.now, speed: 1))
    }
    func otherDevices() throws -> [String?] { try library.episodeRows(Array(ids[0...2])).map(\.otherDevice) }
    for id in ids[0...1] { try listen(id) }
    let insert = "INSERT INTO event (episodeID, kind, timestamp, deviceID) VALUES (?, 'pause', 1700000100, 'p')"
    try library.pool.write { db in
      for id in ids[1...2] { try db.execute(sql: insert, arguments: [id.rawValue]) }
    }
    #expect(try otherDevices() == [nil, nil, nil], "nobody knows another device")
    try library.pool.write { db in try db.execute(sql: "INSERT INTO syncDevice VALUES ('p', 'The phone', NULL)") }
    #expect(try otherDevices() == [nil, "The phone", nil], "only played episodes show a device")
    try listen(ids[1])
    #expect(try otherDevices() == [nil, nil, nil])
  }

  /// A field that the store does not read would have the default value of the initializer forever.
  @Test func everyFieldOfAnEpisodeRowIsRead() throws {
    let id = ids[0]
    try library.pool.write { db in
      try db.execute(
        sql: """
          UPDATE episode SET guid = 'earshot:live:x', status = 2, position = 7, heardAt = 8, isGone = 1, mediaURL = NULL
            WHERE id = \(id.rawValue);
          INSERT INTO download (episodeID, fileName, downloadComplete, bytes, updated)
            VALUES (\(id.rawValue), 'a', 1, 5, 0);
          INSERT INTO queue VALUES (0, \(id.rawValue));
          INSERT INTO syncDevice VALUES ('p', 'The phone', NULL);
          INSERT INTO event (episodeID, kind, timestamp, deviceID) VALUES (\(id.rawValue), 'pause', 0, 'p');
          """)
    }
    let row = try #require(try library.episodeRows([id]).first)
    let unread = EpisodeRow(id: EpisodeID(0), podcast: PodcastID(0), title: "")
    #expect(try library.downloadedBytes() == 5)
    for (field, standard) in zip(Mirror(reflecting: row).children, Mirror(reflecting: unread).children) {
      #expect("\(field.value)" != "\(standard.value)", "\(field.label ?? "") is not read")
    }
  }

  @Test func twoPlaylistsAlwaysExist() throws {
    let lists = try library.playlists()
    #expect(lists.map(\.title) == ["My Episodes", "My Clips"])
    #expect(lists.map(\.isMyEpisodes) == [true, false] && lists.map(\.isMyClips) == [false, true])
    #expect(lists.allSatisfy { $0.sharePermission == .isPrivate })
    for list in lists {
      #expect(throws: StoreError.invalid("The playlist “\(list.title)” cannot be deleted.")) {
        try library.deletePlaylist(list.id, now: Samples.now)
      }
    }
  }

  @Test(arguments: ["Train", " train", "my episodes", "ÜBER"]) func playlistsHaveDifferentTitles(title: String) throws {
    try library.addPlaylist(title: "Train", now: Samples.now)
    let other = try library.addPlaylist(title: "Über", now: Samples.now)
    if title != "ÜBER" {
      #expect(throws: StoreError.self) { try library.changePlaylist(other, now: Samples.now) { $0.title = title } }
    }
    try library.changePlaylist(other, now: Samples.now) { $0.title = "über" }
    let count = try library.playlists().count
    #expect(throws: StoreError.self) { try library.addPlaylist(title: title, now: Samples.now) }
    #expect(throws: StoreError.self) {
      try library.addSmartPlaylist(title: title, filter: EpisodeFilter(parsing: "unplayed"), now: Samples.now)
    }
    #expect(try library.playlists().count == count)
  }

  @Test func playlistsHaveDifferentSlugs() throws {
    func slugs() throws -> [String?] { try library.playlists().dropFirst(2).map(\.slug) }
    for title in ["One", "One!", "2024"] { try library.addPlaylist(title: title, now: Samples.now) }
    let two = try library.addPlaylist(title: "Two", now: Samples.now)
    #expect(try slugs() == ["2024-2", "one", "one-2", "two"])
    for slug in ["one", "one-2", "1"] {
      #expect(throws: StoreError.self) { try library.changePlaylist(two, now: Samples.now) { $0.slug = slug } }
    }
    try library.changePlaylist(two, now: Samples.now) { $0.slug = "zwei" }
    // The playlist would be found by its title, too.
    try library.addPlaylist(title: "Two?", now: Samples.now)
    #expect(try slugs() == ["2024-2", "one", "one-2", "zwei", "two-2"])
  }

  @Test func titleOfAPlaylistIsOneLine() throws {
    let id = try library.addPlaylist(title: "A\nlist\u{1B}[1m\u{2028}", now: Samples.now)
    #expect(try library.playlist(id)?.title == "A list [1m")
  }

  @Test func playlistEditsAreUndoneStepByStep() throws {
    let id = try library.addPlaylist(title: " Für den Urlaub! ", now: Samples.now)
    let clip = try library.addClip(of: ids[4], startTime: 5, endTime: 9.5, now: Samples.now)
    try library.addToPlaylist(id, [.episode(ids[0]), .clip(clip), .episode(ids[0])], now: Samples.later(1))
    try library.addToPlaylist(id, [.episode(ids[1])], now: Samples.later(2))
    try library.moveInPlaylist(id, [.episode(ids[1])], to: 0, now: Samples.later(3))
    var list = try #require(try library.playlist(id))
    #expect(list.title == "Für den Urlaub!" && list.slug == "fur-den-urlaub")
    #expect(list.items == [.episode(ids[1]), .episode(ids[0]), .clip(clip)])
    #expect(list.lastUpdated == Samples.later(3))
    #expect(try library.episodeIDs(EpisodeQuery(.playlist(id))) == [ids[1], ids[0]])
    list.sharePermission = .isPublic
    list.url = "https://p.example/1"
    list.items.removeFirst()
    try library.changePlaylist(id, now: Samples.later(4)) { $0 = list }
    try box.reopen()
    let stored = try #require(try library.playlist(id))
    #expect(stored.sharePermission == .isPublic && stored.url == list.url && stored.items == list.items)
    try library.deletePlaylist(id, now: Samples.later(5))
    #expect(try library.playlist(id) == nil)
    _ = try library.undo(now: Samples.now)
    #expect(try library.playlist(id) == stored)
    _ = try library.undo(now: Samples.now)
    #expect(try library.playlist(id)?.items == [.episode(ids[1]), .episode(ids[0]), .clip(clip)])
    for _ in 0..<3 { _ = try library.undo(now: Samples.now) }
    #expect(try library.playlist(id)?.items == [])
    _ = try library.undo(now: Samples.now)
    #expect(try library.clip(clip) == nil)
    _ = try library.undo(now: Samples.now)
    #expect(try library.playlist(id) == nil)
  }

  @Test(arguments: ["", " "]) func clipWithAnEmptyTitleHasNone(title: String) throws {
    let id = try library.addClip(of: ids[0], startTime: 1, endTime: 2, title: title, now: Samples.now)
    #expect(try library.clip(id)?.title == nil)
    try library.changeClip(id, now: Samples.now) { $0.title = title }
    #expect(try library.clip(id)?.title == nil)
  }

  @Test func clipIsStoredWithItsTimes() throws {
    let id = try library.addClip(
      of: ids[0], startTime: 10.5, endTime: 20, title: "Best", tags: [" fun ", "fun", ""], now: Samples.now)
    var clip = try #require(try library.clip(id))
    #expect(clip.duration == 9.5 && clip.tags == ["fun"] && clip.userID == library.deviceID)
    #expect(clip.dateCreated == Samples.now)
    let mine = try #require(try library.playlists().first(where: \.isMyClips))
    #expect(mine.items == [.clip(id)])
    // Each changes one property of what is stored, as two devices do.
    for change in [ClipChange.title("Better"), .times(start: nil, end: 30), .tags(["a", "b"])] {
      change.apply(to: &clip)
      try library.changeClip(id, now: Samples.now, change.apply)
    }
    #expect(try library.clips(of: ids[0]) == [clip])
    try library.deleteClip(id, now: Samples.now)
    #expect(try library.clips() == [] && library.playlist(mine.id)?.items == [])
    _ = try library.undo(now: Samples.now)
    #expect(try library.clips() == [clip] && library.playlist(mine.id)?.items == [.clip(id)])
    for _ in 0..<3 { _ = try library.undo(now: Samples.now) }
    #expect(try library.clip(id)?.title == "Best")
  }

  @Test func dateOfAPlaylistFollowsItsClips() throws {
    let list = try library.addPlaylist(title: "Mine", now: Samples.now)
    let mine = try #require(try library.playlists().first(where: \.isMyClips)).id
    func dates() throws -> [Date?] { try [mine, list].map { try library.playlist($0)?.lastUpdated } }
    let clip = try library.addClip(of: ids[0], startTime: 1, endTime: 2, now: Samples.later(1))
    #expect(try dates() == [Samples.later(1), Samples.now])
    try library.addToPlaylist(list, [.clip(clip)], now: Samples.later(2))
    try library.changeClip(clip, now: Samples.later(3)) { $0.title = "The items stay" }
    #expect(try dates() == [Samples.later(1), Samples.later(2)])
    func expectChange(_ second: Double, _ change: (Date) throws -> Void) throws {
      try change(Samples.later(second))
      #expect(try dates() == [Samples.later(second), Samples.later(second)])
    }
    try expectChange(4) { try library.changeClip(clip, now: $0) { $0.kind = .skip } }
    try expectChange(5) { _ = try library.undo(now: $0) }
    try expectChange(6) { _ = try library.undo(.forward, now: $0) }
    #expect(try library.playlist(list)?.items == [])
    try expectChange(7) { _ = try library.undo(now: $0) }
    try expectChange(8) { try library.deleteClip(clip, now: $0) }
    try expectChange(9) { _ = try library.undo(now: $0) }
    #expect(try library.playlist(list)?.items == [.clip(clip)])
  }

  @Test(arguments: [(5, 5), (5, 4), (-1, 4), (.nan, 4), (0, .infinity)] as [(Double, Double)])
  func invalidClipIsRefused(start: Double, end: Double) throws {
    #expect(throws: StoreError.self) {
      try library.addClip(of: ids[0], startTime: start, endTime: end, now: Samples.now)
    }
    #expect(try library.clips() == [])
  }

  @Test func tagsBelongToTheirPodcastEpisodeOrClip() throws {
    try library.setTags(["news", " daily"], of: podcast)
    try library.setTags(["later"], of: ids[0])
    #expect(try library.podcastDetail(podcast)?.row.tags == ["daily", "news"])
    #expect(try library.episode(ids[0])?.tags == ["later"])
    #expect(try library.allTags() == ["daily", "later", "news"])
    try library.setTags([], of: podcast)
    #expect(try library.allTags() == ["later"])
  }

  /// Another process adds a tag while the listener types.
  @Test func changeOfTagsKeepsTheOthers() throws {
    let clip = try library.addClip(of: ids[0], startTime: 1, endTime: 2, now: Samples.now)
    for owner in [TagOwner.podcast(podcast), .episode(ids[0]), .clip(clip)] {
      try library.changeTags(of: owner, adding: ["one", "three"], removing: [], now: Samples.now)
      #expect(try library.changeTags(of: owner, adding: ["two"], removing: ["one"], now: Samples.now))
      #expect(try !library.changeTags(of: owner, adding: ["two"], removing: ["one"], now: Samples.now))
    }
    #expect(try library.podcastDetail(podcast)?.row.tags == ["three", "two"])
    #expect(try library.episode(ids[0])?.tags == ["three", "two"])
    #expect(try library.clip(clip)?.tags == ["three", "two"])
    // It is deleted while the listener types.
    try library.deleteClip(clip, now: Samples.now)
    #expect(throws: StoreError.unknown("clip \(clip)")) {
      try library.changeTags(of: .clip(clip), adding: ["four"], removing: [], now: Samples.now)
    }
    let items: [Playlist.Item] = [.clip(clip), .episode(ids[0])]
    #expect(try library.changeTags(of: items, adding: ["four"], removing: [], now: Samples.now))
    #expect(try library.episode(ids[0])?.tags == ["four", "three", "two"])
  }

  /// A download that goes on after a restart is not shown behind the ones that wait.
  @Test func progressKeepsTheOrderOfUnfinishedDownloads() throws {
    var first = Download(episode: ids[0], fileName: "a.mp3", downloadComplete: false)
    let second = Download(episode: ids[1], fileName: "b.mp3", downloadComplete: false)
    try library.saveDownload(first, now: Samples.now)
    try library.saveDownload(second, now: Samples.later(1))
    first.bytes = 10
    try library.saveDownload(first, now: Samples.later(2))
    #expect(try library.unfinishedDownloads() == [first, second])
    #expect(try library.episodeIDs(EpisodeQuery(.downloads)) == [ids[0], ids[1]])
    first.downloadComplete = true
    try library.saveDownload(first, now: Samples.later(3))
    #expect(try library.episodeIDs(EpisodeQuery(.downloads)) == [ids[1], ids[0]])
  }

  @Test func downloadIsStoredUntilItsEnd() throws {
    var download = Download(
      episode: ids[0], fileName: "a.mp3", downloadComplete: false, bytes: 10, resumeData: "{\"etag\":1}")
    try library.saveDownload(download, now: Samples.now)
    #expect(try library.unfinishedDownloads() == [download])
    #expect(try library.episode(ids[0])?.fileName == nil)
    #expect(try library.episodeIDs(EpisodeQuery(.downloads)) == [ids[0]])
    download.downloadComplete = true
    try library.saveDownload(download, now: Samples.now)
    try library.saveDownload(download, now: Samples.later(1))
    try box.reopen()
    #expect(try library.download(ids[0]) == download)
    #expect(try library.episode(ids[0])?.fileName == "a.mp3")
    #expect(try library.episodeRows([ids[0]]).map(\.isDownloaded) == [true])
    #expect(try library.events(limit: 9).map(\.event.kind) == [.download])
    try library.removeDownload(#require(try library.download(ids[0])))
    #expect(try library.download(ids[0]) == nil)
  }

  @Test func settingsSurvive() throws {
    try library.setSetting("volume", "80")
    try library.setSetting("theme", "dark")
    try library.setSetting("theme", nil)
    try library.update(settingsOf: podcast) {
      $0.playback = PlaybackSettings()
      $0.playback?.speed = 1.5
    }
    #expect(try library.update(settingsOf: podcast) { $0.playback?.speed } == 1.5)
    try library.update(settingsOf: podcast) { $0.keepDownloads = 3 }
    try box.reopen()
    #expect(try library.settings() == ["volume": "80"])
    #expect(try library.setting("volume") == "80")
    #expect(try library.settings(of: podcast).playback?.speed == 1.5)
    #expect(try library.settings(of: podcast).keepDownloads == 3)
    #expect(try library.podcastSettings().keys.map { $0 } == [podcast])
    try library.update(settingsOf: podcast) { $0 = PodcastSettings() }
    #expect(try library.settings(of: podcast) == PodcastSettings())
    #expect(try library.podcastSettings().isEmpty)
  }

  @Test func concurrentChangesOfSettingsAreAllKept() throws {
    let (library, podcast) = (library, podcast)
    DispatchQueue.concurrentPerform(iterations: 40) { number in
      do throws(StoreError) {
        try library.update(settingsOf: podcast) { settings in
          if number.isMultiple(of: 2) {
            settings.keepDownloads = (settings.keepDownloads ?? 0) + 1
          } else {
            settings.autoDownload = (settings.autoDownload ?? 0) + 1
          }
        }
      } catch { Issue.record(error) }
    }
    let settings = try library.settings(of: podcast)
    #expect(settings.keepDownloads == 20 && settings.autoDownload == 20)
  }

  @Test func chaptersAndTranscriptsAreKept() throws {
    let chapters = [Chapter(start: 0, title: "A"), Chapter(start: 9.25, hidden: true)]
    let transcript = Transcript(lines: [Transcript.Line(start: nil, speaker: "S", text: "hi")])
    #expect(try library.chapters(ids[0]) == [] && library.transcript(ids[0]) == nil)
    try library.saveChapters(chapters, from: .file, of: ids[0], now: Samples.now)
    try library.saveTranscript(transcript, of: ids[0], now: Samples.now)
    #expect(try library.chapters(ids[0]) == chapters && library.transcript(ids[0]) == transcript)
  }

  @Test func chaptersAreComputedFromTheirSources() throws {
    let (json, file) = (
      [Chapter(start: 0, title: "J")], [Chapter(start: 0, title: "F"), Chapter(start: 9, title: "G")]
    )
    func save(_ chapters: [Chapter], _ source: ChapterSource) throws {
      try library.saveChapters(chapters, from: source, of: ids[0], now: Samples.now)
    }
    try save(file, .file)
    try save(json, .json(address: "https://example.org/c.json"))
    // The feed names no JSON chapters: only the file's chapters count.
    #expect(try library.chapters(ids[0]) == file)
    #expect(try library.search("G").map(\.row.id) == [ids[0]])
    try save([], .file)
    #expect(try library.chapters(ids[0]).isEmpty)
    #expect(try library.search("G").isEmpty)
    var episodes = Samples.episodes(1...5)
    episodes[0].chaptersURL = "https://example.org/c.json"
    episodes[0].chapters = [Chapter(start: 0, title: "P"), Chapter(start: 7, title: "Q")]
    try library.apply(feed: Samples.feed(episodes), to: podcast, now: Samples.now)
    #expect(try library.chapters(ids[0]) == episodes[0].chapters, "the feed's list is longer than the JSON's")
    try save([], .json(address: "https://example.org/c.json"))
    #expect(try library.chapterSources(ids[0]).json == [])
  }
}
