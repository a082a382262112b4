import Foundation
import Model
import Testing

@testable import Folders

/// What is made of the files of a folder and their tags.
@Suite struct FolderFeedTests {
  private static func file(_ name: String) -> FolderFile {
    FolderFile(path: Array(name.utf8), bytes: 10, modified: 1000)
  }

  private static func item(_ name: String, _ metadata: [String: String] = [:], hasPicture: Bool = false) -> FolderItem {
    FolderItem(
      file(name),
      .read(guid: "file:\(name)", tags: FileTags(metadata: metadata, duration: 61.4, hasPicture: hasPicture)))
  }

  private static func feed(
    _ items: [FolderItem], pictures: [String] = [], known: FeedPodcast? = nil, root: [UInt8] = Array("/b/Dune".utf8)
  ) -> Feed {
    var contents = FolderContents()
    contents.sounds = items.map(\.file)
    contents.pictures = pictures.map(file)
    return FolderFeed(
      address: FolderAddress.address(of: root), root: root, contents: contents, items: items, known: known
    ).make()
  }

  @Test func tagsBecomeTheBook() throws {
    let common = ["album": "Dune", "album_artist": "Frank Herbert"]
    let feed = Self.feed([
      Self.item(
        "01.mp3", common.merging(["TITLE": " One ", "track": "1/2", "disc": "1", "date": "1965-08-01"]) { $1 }),
      Self.item("02.mp3", common.merging(["title": "Two", "artist": "A Reader", "date": "1965-08-01"]) { $1 }),
    ])
    #expect(feed.podcast.title == "Dune" && feed.podcast.iTunesAuthor == "Frank Herbert")
    #expect(feed.podcast.medium == "audiobook" && feed.podcast.isFolder)
    #expect(feed.podcast.feedURL == "file:///b/Dune")
    let (one, two) = (feed.episodes[0], feed.episodes[1])
    #expect(one.title == "One" && one.episodeNumber == 1 && one.season == 1 && one.duration == 61)
    #expect(one.mediaURL == "file:///b/Dune/01.mp3" && one.mediaType == "audio/mpeg" && one.mediaBytes == 10)
    #expect(one.guid == "file:01.mp3" && one.updated == Date(timeIntervalSince1970: 1000))
    #expect(one.pubDate == Date(timeIntervalSince1970: -139_449_600))
    #expect(two.author == "A Reader" && one.author == nil)
  }

  /// Titles that two files share say nothing, and names that two folders share do not either.
  @Test func titlesTellFilesApart() {
    let feed = Self.feed([
      Self.item("CD1/01.mp3", ["title": "Dune"]), Self.item("CD1/02.mp3", ["title": "Dune"]),
      Self.item("CD2/01.mp3"), Self.item("CD2/end. of it.mp3"), Self.item("CD2/x.mp3", ["title": "Alone"]),
    ])
    #expect(feed.episodes.map(\.title) == ["CD1/01", "02", "CD2/01", "end. of it", "Alone"])
    #expect(feed.podcast.title == "Dune")
    let unnamed = Self.feed([Self.item(".x")])
    #expect(unnamed.episodes[0].title == ".x")
  }

  @Test func datesThatContradictTheOrderAreLeftOut() {
    func dates(_ years: [String?]) -> [Bool] {
      Self.feed(years.enumerated().map { Self.item("\($0).mp3", $1.map { ["date": $0] } ?? [:]) })
        .episodes.map { $0.pubDate != nil }
    }
    #expect(dates(["2001", "2001-05", "2003-01-02T10:00:00Z"]) == [true, true, true])
    #expect(dates(["2001", "2003", "2002"]) == [false, false, false])
    #expect(dates(["2001", nil]) == [false, false])
    #expect(dates(["0", "x"]) == [false, false])
  }

  @Test func pictureIsThatOfTheFolder() {
    let items = [Self.item("1.mp3", hasPicture: true), Self.item("2.mp3")]
    let own = Self.feed(items)
    #expect(own.podcast.imageURL == "file:///b/Dune/1.mp3")
    #expect(own.episodes.map(\.imageURL) == ["file:///b/Dune/1.mp3", nil])
    let folder = Self.feed(items, pictures: ["back.jpg", "Folder.png", "CD1/cover.jpg"])
    #expect(folder.podcast.imageURL == "file:///b/Dune/Folder.png")
    #expect(folder.episodes.map(\.imageURL) == [nil, nil])
    #expect(Self.feed(items, pictures: ["a.jpg", "b.jpg"]).podcast.imageURL == "file:///b/Dune/1.mp3")
    #expect(Self.feed(items, pictures: ["a.jpg"]).podcast.imageURL == "file:///b/Dune/a.jpg")
  }

  /// A later scan changes neither the title of the podcast nor what is known of files.
  @Test func knownValuesStay() {
    var podcast = FeedPodcast()
    (podcast.title, podcast.iTunesAuthor) = ("Mine", "Me")
    var episode = FeedEpisode()
    (episode.title, episode.guid, episode.mediaURL) = ("Kept", "file:x", "file:///b/Dune/1.mp3")
    let feed = Self.feed(
      [FolderItem(Self.file("1.mp3"), .known(episode)), Self.item("2.mp3", ["title": "Kept", "album": "Other"])],
      known: podcast)
    #expect(feed.podcast.title == "Mine" && feed.podcast.iTunesAuthor == "Me")
    #expect(feed.episodes[0] == episode)
    #expect(feed.episodes[1].title == "2")
  }

  // MARK: Cue sheets

  @Test func cueSheetNamesChapters() throws {
    let folder = try TestFolder()
    for name in ["Book.flac", "other.mp3", "CD1/x.ogg"] { try folder.add(name) }
    try folder.add(
      "Book.cue",
      "\u{FEFF}TITLE \"The book\"\r\nFILE \"Book.wav\" WAVE\r\n  TRACK 01 AUDIO\r\n    TITLE \"Öne\"\r\n    INDEX 00 00:00:00\r\n    INDEX 01 00:00:00\r\n  TRACK 02 AUDIO\r\n    INDEX 01 10:02:15\r\n  TRACK 03 AUDIO\r\n INDEX 01 99:99:99\r\n INDEX 01\r\n"
    )
    try folder.add("CD1/x.cue", "FILE X.OGG WAVE\nTRACK 1 AUDIO\nINDEX 01 00:00:00\nTRACK 2 AUDIO\nINDEX 1 00:01:00\n")
    // One file for each track: nothing to divide.
    try folder.add("tracks.cue", "FILE \"other.mp3\" MP3\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n")
    let contents = try folder.scan()
    let chapters = CueSheet.chapters(in: contents, root: folder.bytes)
    #expect(Set(chapters.keys.map { String(decoding: $0, as: UTF8.self) }) == ["Book.flac", "CD1/x.ogg"])
    #expect(
      chapters[Array("Book.flac".utf8)] == [Chapter(start: 0, title: "Öne"), Chapter(start: 602.2)])
    let items = contents.sounds.map { FolderItem($0, .read(guid: "x", tags: nil)) }
    let feed = FolderFeed(
      address: FolderAddress.address(of: folder.bytes), root: folder.bytes, contents: contents, items: items
    ).make()
    #expect(feed.episodes.map(\.chapters.count) == [2, 2, 0])

    // A file with chapters of its own keeps them, also when it is known.
    let own = Chapter(start: 5, title: "Own")
    let known = contents.sounds.map { file in
      var episode = FeedEpisode()
      episode.chapters = [own]
      return FolderItem(file, .known(episode))
    }
    let again = FolderFeed(
      address: FolderAddress.address(of: folder.bytes), root: folder.bytes, contents: contents, items: known
    ).make()
    #expect(again.episodes.allSatisfy { $0.chapters == [own] })
  }

  @Test func cueSheetInLatin1IsRead() {
    let sheet = CueSheet(
      Array("FILE a.mp3 MP3\nTRACK 1 AUDIO\nTITLE \"".utf8) + [0xE4] + Array("\"\nINDEX 01 00:01:00\n".utf8))
    #expect(sheet.parts == [CueSheet.Part(file: "a.mp3", chapters: [Chapter(start: 1, title: "ä")])])
    #expect(CueSheet([0, 0xFF, 0x22, 10]).parts.isEmpty)
  }
}
