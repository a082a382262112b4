import Foundation
import Model
import Testing

@testable import Services

/// Exported notes: the text of the files, what stays in them, and their names.
@Suite(InTurn()) struct NotesExportTests {
  private static let dates = ExportDates(timeZone: .gmt)
  private static let now = Date(timeIntervalSince1970: 1_763_726_400)  // 2025-11-21 12:00 UTC

  private static func episode(
    title: String = "An episode", podcast: String = "A podcast", guid: String? = "urn:1", marks: [Clip]? = nil
  ) -> ExportedEpisode {
    var feed = FeedEpisode()
    feed.guid = guid
    feed.link = "https://user:secret@example.org/1#top"
    feed.mediaURL = "https://example.org/1.mp3"
    feed.imageURL = "https://example.org/1.jpg"
    var row = EpisodeRow(
      id: EpisodeID(7), podcast: PodcastID(1), podcastTitle: podcast, title: title, pubDate: now, duration: 3600)
    row.heardAt = now.addingTimeInterval(86_400)
    let clips =
      marks ?? [
        Clip(
          id: ClipID(1), kind: .note, episode: EpisodeID(7), startTime: 0, endTime: nil, note: "Twice worth\nhearing.",
          dateCreated: now, userID: "d"),
        Clip(
          id: ClipID(2), episode: EpisodeID(7), startTime: 93, endTime: nil, title: "Said *there*.", dateCreated: now,
          userID: "d", tags: ["to read"]),
        Clip(
          id: ClipID(3), episode: EpisodeID(7), startTime: 3700, endTime: 3730.5, title: nil, note: "A, \"note\"",
          dateCreated: now, userID: "d"),
        Clip(
          id: ClipID(4), kind: .skip, episode: EpisodeID(7), startTime: 1, endTime: 2, dateCreated: now, userID: "d"),
      ]
    return ExportedEpisode(EpisodeDetail(row: row, feed: feed, tags: ["news", "a \"b\""], marks: clips))
  }

  private static func markdown(_ episode: ExportedEpisode, over old: String? = nil) throws -> String {
    NotesFile.text(try NotesTemplate(NotesTemplate.standardText).write(episode, dates), over: old)
  }

  private static let golden = """
    ---
    title: "An episode"
    podcast: "A podcast"
    date: 2025-11-21
    link: "https://example.org/1"
    cover: "https://example.org/1.jpg"
    tags: ["news", "a \\"b\\""]
    heard: 2025-11-22
    ---
    <!-- earshot: this part is written again by earshot notes export -->
    # An episode

    Twice worth
    hearing.

    ## [1:33](https://example.org/1#t=93) Said \\*there\\*.

    #to-read

    `earshot play urn:1 --start 1:33`

    ## [1:01:40–1:02:10](https://example.org/1#t=3700,3730.5)

    A, "note"

    `earshot play urn:1 --start 1:01:40`
    <!-- earshot: end -->

    """

  @Test func markdownHasEverything() throws { #expect(try Self.markdown(Self.episode()) == Self.golden) }

  @Test func writingAgainChangesNothing() throws {
    #expect(try Self.markdown(Self.episode(), over: Self.golden) == Self.golden)
  }

  /// The listener has deleted the last line of the block and written below.
  @Test func textBehindALostEndStays() throws {
    let edited = Self.golden.replacing("<!-- earshot: end -->\n", with: "My own text.\n")
    var written = edited
    for _ in 0..<3 {
      written = try Self.markdown(Self.episode(), over: written)
      #expect(written.contains("My own text.\n"))
    }
    #expect(written.components(separatedBy: "<!-- earshot: end -->").count == 2)
  }

  /// Obsidian folds long texts and writes lists on several lines.
  @Test(arguments: ["title: >-\n  A long\n  title", "title: \n  - mine", "title:  \n- mine\n- yours"])
  func valuesOfSeveralLinesStay(value: String) throws {
    let edited = Self.golden.replacing("title: \"An episode\"", with: value)
    #expect(try Self.markdown(Self.episode(), over: edited) == edited)
  }

  @Test func whatTheListenerHasAddedStays() throws {
    let edited =
      Self.golden.replacing("heard: 2025-11-22", with: "heard: 2025-01-01\naliases: [mine]")
      .replacing("Said \\*there\\*.", with: "broken") + "My own text.\n"
    let written = try Self.markdown(Self.episode(), over: edited)
    #expect(
      written == Self.golden.replacing("heard: 2025-11-22", with: "heard: 2025-11-22\naliases: [mine]")
        + "My own text.\n")
    // What has come to the episode since the first export.
    let older = Self.golden.replacing("heard: 2025-11-22\n", with: "")
    #expect(older != Self.golden)
    #expect(try Self.markdown(Self.episode(), over: older) == Self.golden)
    // Git and programs of Windows change the ends of lines.
    let windows = edited.replacing("\n", with: "\r\n")
    #expect(try Self.markdown(Self.episode(), over: windows) == written.replacing("\n", with: "\r\n"))
    // A file without the block, and one whose front matter was removed.
    let own = try Self.markdown(Self.episode(), over: "Mine")
    #expect(own.hasPrefix("Mine\n\n<!-- earshot") && own.hasSuffix("<!-- earshot: end -->\n"))
    let bare = try #require(Self.golden.split(separator: "---\n", maxSplits: 2).last)
    #expect(try Self.markdown(Self.episode(), over: String(bare)) == String(bare))
  }

  @Test func hostileTextsStayTexts() throws {
    let mark = Clip(
      id: ClipID(2), episode: EpisodeID(7), startTime: 1, endTime: nil,
      title: "](javascript:x) <script> `a` \u{1B}[31m",
      note: "x\n<!-- earshot: end -->\n\u{1B}]0;title\u{7}y", dateCreated: Self.now, userID: "d")
    let text = try Self.markdown(
      Self.episode(title: "\"\n---\nx: y", podcast: "#tag", guid: "$(rm -rf ~)", marks: [mark]))
    #expect(text.contains("title: \"\\\" --- x: y\""))
    #expect(text.contains("\\]\\(javascript") == false && text.contains("\\](javascript:x) \\<script\\> \\`a\\`"))
    #expect(text.components(separatedBy: "<!-- earshot: end -->").count == 2)
    #expect(!text.unicodeScalars.contains("\u{1B}") && !text.unicodeScalars.contains("\u{7}"))
    #expect(text.contains("`earshot play 7 --start 0:01`"), "a guid that a shell would read is not in the command")
  }

  @Test(arguments: [
    "../../etc/passwd", "a\u{0}b", String(repeating: "長い", count: 150), "CON", ".hidden", "-rf", "🎙️ 🎧", "", "a/b\\c",
    "..",
  ])
  func namesOfFilesAreSafe(_ title: String) {
    for podcast in ["", "A podcast"] {
      let name = NotesFile.name(
        Self.episode(title: title, podcast: podcast), feed: "https://example.org/feed", existing: [])
      #expect(name.utf8.count <= 143 && name.hasSuffix(".md"))
      #expect(!name.hasPrefix(".") && !name.hasPrefix("-") && !name.contains("/") && !name.contains("\u{0}"))
      #expect(!name.contains("\\") && name.split(separator: ".").first?.uppercased() != "CON")
    }
  }

  @Test func aNameIsKeptWhenTitlesChange() {
    let name = NotesFile.name(Self.episode(), feed: "https://example.org/feed", existing: [])
    #expect(name.hasPrefix("A podcast - An episode ["))
    let changed = Self.episode(title: "Renamed")
    #expect(NotesFile.name(changed, feed: "http://example.org/feed/", existing: ["x.md", name]) == name)
    #expect(NotesFile.name(changed, feed: "https://other.example/feed", existing: [name]) != name)
  }

  @Test func csvHasTheColumnsOfReadwise() {
    #expect(
      NotesCSV.text([Self.episode()], Self.dates) == """
        Highlight,Title,Author,URL,Note,Location,Date\r
        "Twice worth
        hearing.",An episode,A podcast,https://example.org/1,,,2025-11-21 12:00:00\r
        Said *there*.,An episode,A podcast,https://example.org/1#t=93,,93,2025-11-21 12:00:00\r
        "A, ""note""\",An episode,A podcast,"https://example.org/1#t=3700,3730.5","A, ""note""\",3700,2025-11-21 12:00:00\r

        """)
  }

  @Test func templatesAreChecked() throws {
    let unknown = "there is no {titel}; there are \(TextTemplate<NotesTemplate.Field>.names)"
    #expect(throws: ReportedError(unknown)) { try NotesTemplate("{titel}") }
    #expect(throws: ReportedError("a line {each} has no line {end}")) { try NotesTemplate("{each}\n{time}") }
    #expect(throws: ReportedError("a line {end} has no line {each}")) { try NotesTemplate("{end}") }
    let template = try NotesTemplate("{podcast}: {title} {}\n{each}\n* {time} {kind} {text}\n{end}\n{chapters}")
    let written = template.write(Self.episode(), Self.dates)
    #expect(
      written.body == "A podcast: An episode {}\n* 1:33 bookmark Said \\*there\\*.\n* 1:01:40–1:02:10 clip\n")
    #expect(written.front.isEmpty)
  }

  @Test func withoutAnAddressThereIsNoLink() throws {
    var episode = Self.episode()
    (episode.detail.feed.link, episode.detail.feed.mediaURL) = (nil, nil)
    let text = try Self.markdown(episode)
    #expect(text.contains("\n## 1:33 Said") && !text.contains("]()") && !text.contains("link:"))
  }

  @Test func chaptersTranscriptAndShowNotesCanBeAdded() throws {
    var episode = Self.episode()
    episode.chapters = [Chapter(start: 0, title: "Intro"), Chapter(start: 65)]
    episode.transcript = Transcript(lines: [.init(start: 1, speaker: "Ann", text: "Hello.")])
    episode.showNotes = ShowNotesText.paragraphs("<p>About <b>it</b></p><ul><li>One</li></ul>")
    let text = try Self.markdown(episode)
    #expect(text.contains("## Chapters\n\n- 0:00 Intro\n- 1:05 Chapter 2\n\n## Transcript\n\n0:01 **Ann:** Hello.\n"))
    #expect(text.contains("## Show notes\n\nAbout it\n\n• One\n<!-- earshot: end -->"))
  }
}

/// Files that list parts to skip.
@Suite(InTurn()) struct SkipsFileTests {
  private func parse(_ text: String) throws -> [SkippedPart] { try SkipsFile.parse(Data(text.utf8)) }

  private static let expected = [
    SkippedPart(start: 12.5, end: 62, label: "Ad"), SkippedPart(start: 100, end: 130.25),
  ]

  @Test(arguments: [
    #"[{"start": 12.5, "end": "1:02", "label": "Ad"}, {"start": 100, "end": 130.25}]"#,
    #"{"segments": [{"start": 100, "end": 130.25}, {"start": 12.5, "end": 62, "title": "Ad"}]}"#,
    "12.500000\t62.000000\tAd\n100.0\t130.25\t\n",
    "12,5\t62,0\tAd\n\\\t100\t200\n100,0\t130,25\n",
    ";FFMETADATA1\ntitle=x\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=12500\nEND=62000\ntitle=A\\d\n"
      + "[CHAPTER]\nTIMEBASE=1/4\nSTART=400\nEND=521\n",
  ])
  func formatsAreRead(_ text: String) throws { #expect(try parse(text) == Self.expected) }

  @Test func otherFilesAreRefused() {
    for text in ["", "hello", "{}", "[1", "a\tb\tc", ";FFMETADATA1\n"] {
      #expect(throws: ReportedError.self) { try parse(text) }
    }
    let badPart = ReportedError("part 1 of the file does not end after it starts")
    #expect(throws: badPart) { try parse(#"[{"start": 5, "end": 4}]"#) }
    #expect(throws: badPart) { try parse(#"[{"start": -5, "end": 4}]"#) }
    #expect(throws: badPart) { try parse("1\tnan\tx") }
    #expect(throws: ReportedError("the file is too large for a list of parts")) {
      try parse("[" + Array(repeating: #"{"start":1,"end":2}"#, count: 1001).joined(separator: ",") + "]")
    }
  }
}
