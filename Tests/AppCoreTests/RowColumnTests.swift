import Foundation
import Model
import TerminalKit
import Testing

@testable import AppCore

/// The columns for date and length in lists. All rows of a list have them, or none.
@Suite struct RowColumnTests {
  /// Keys that lead to each screen with a list of episodes.
  static let lists = ["<Enter>", "2", "3", "4", "6", "5<Enter>"]

  private static func driver(_ size: Size, _ keys: String) -> Driver {
    var library = FakeLibrary.sample
    library.queue = [1, 2, 5, 6].map { EpisodeID($0) }
    for index in library.episodes.indices {
      library.episodes[index].isDownloaded = true
      library.episodes[index].fileBytes = [1, 999_999, 62_000_000, 812_000, 1_300_000_000][index % 5]
      library.episodes[index].isQueued = library.queue.contains(library.episodes[index].id)
      library.episodes[index].heardAt = Driver.now.addingTimeInterval(-Double(index) * 86_400)
      // Durations of every width, for new and for partly played episodes.
      library.episodes[index].duration = [59, 3599, 3600, 36_000, 360_000][index % 5]
      library.episodes[index].position = index % 2 == 0 ? 3 : 0
      library.episodes[index].status = index % 2 == 0 ? .paused : .new
    }
    var driver = Driver(size: size, library: library)
    driver.type(keys)
    return driver
  }

  @Test(arguments: lists, [80, 90, 109, 110, 120, 149, 200, 300])
  func rowsHaveDateAndLengthFrom80Columns(keys: String, width: Int) throws {
    let driver = Self.driver(Size(width, 24), keys)
    let area = try #require(driver.state.layout.area(.episodes))
    let columns = RowColumns(paneWidth: area.content.width, showsSize: keys == "4")
    #expect(columns.shown == [.date, .length] + (keys == "4" ? [.size] : []))
    let frame = render(driver.state)
    let edge = area.content.maxX - RowColumns.rightMargin
    let dateEnd = edge - (try #require(columns.distanceFromRight(.date)))
    for row in 0..<min(driver.state.screen.episodes.ids.count, area.content.height) {
      let y = area.content.y + row
      #expect(frame[dateEnd - 1, y].text != " ", "row \(row) has a date: \(frame.lines[y])")
      #expect(frame[dateEnd, y].text == " " && frame[dateEnd + 1, y].text == " ")
      #expect(
        frame[edge, y].text == " " && frame[edge - 1, y].text != " ", "the last column of \(row): \(frame.lines[y])")
      #expect(frame[edge - columns.width, y].text == " ", "the title ends before: \(frame.lines[y])")
    }
  }

  @Test(arguments: 20..<80) func narrowRowsKeepTheTitle(width: Int) {
    let columns = RowColumns(paneWidth: width, isNarrow: true)
    if !columns.shown.isEmpty { #expect(width - RowColumns.titleStart - columns.width - 4 >= 24) }
    // The date is left out first, then the length.
    #expect(columns.shown == (width >= 47 ? [.date, .length] : width >= 39 ? [.length] : []))
  }

  /// At 80 columns the list beside the podcasts may have 44 columns, which are enough for the date and the length.
  @Test(arguments: 20..<120) func rowsBesideAnotherPaneKeepTheTitle(width: Int) {
    let columns = RowColumns(paneWidth: width)
    if !columns.shown.isEmpty { #expect(width - RowColumns.titleStart - columns.width - 4 >= 21) }
    #expect(columns.shown == (width >= 44 ? [.date, .length] : width >= 36 ? [.length] : []))
  }

  /// The title of a row, whatever else the row has.
  @Test(arguments: lists, [40, 44, 47, 56, 59, 66, 79]) func narrowScreensKeepTheTitle(keys: String, width: Int) throws
  {
    let title = "abcdefghijklmnopqrstuvwxyz"
    var library = FakeLibrary.sample
    library.queue = [1, 2].map { EpisodeID($0) }
    for index in library.episodes.indices {
      (library.episodes[index].title, library.episodes[index].isDownloaded) = (title, true)
      (library.episodes[index].fileBytes, library.episodes[index].duration) = (62_000_000, 360_000)
    }
    var driver = Driver(size: Size(width, 12), library: library)
    driver.type(keys)
    #expect(driver.lines[2].contains(title.prefix(23)), "\(driver.screen)")
  }

  /// At 80 columns a row has room for both names, and all titles begin in one column.
  @Test(arguments: ["2", "3", "4", "6"], [80, 100, 109, 110, 120, 200])
  func listsNameThePodcastInAColumn(keys: String, width: Int) throws {
    let driver = Self.driver(Size(width, 24), keys)
    let area = try #require(driver.state.layout.area(.episodes))
    let columns = RowColumns(
      paneWidth: area.content.width, namesPodcast: true, marksQueue: keys != "3", showsSize: keys == "4")
    let name = try #require(columns.nameWidth)
    let title =
      area.content.width - RowColumns.titleStart - columns.width - name - RowColumns.gap - 2 - columns.marks.count
    #expect(title >= 21 && title > name)
    if width < 110, keys != "4" { #expect(name >= 17 && title >= 38) }
    let frame = render(driver.state)
    for row in driver.state.screen.episodes.ids.indices.prefix(area.content.height) {
      let y = area.content.y + row
      let start = area.content.x + RowColumns.titleStart + name
      #expect(frame[start, y].text == " " && frame[start + 1, y].text == " ", "\(frame.lines[y])")
      #expect(frame[start + 2, y].text != " ", "\(frame.lines[y])")
    }
  }

  /// On the Downloads screen every row has the size of its file. The titles make room for it, but not on a narrow
  /// screen.
  @Test(arguments: 40..<120, [true, false]) func downloadsHaveSizes(width: Int, isNarrow: Bool) {
    let columns = RowColumns(paneWidth: width, namesPodcast: true, showsSize: true, isNarrow: isNarrow)
    #expect(columns.shown.last == .size)
    let rest = width - RowColumns.titleStart - columns.width - 4
    #expect(rest - (columns.nameWidth.map { $0 + RowColumns.gap } ?? 0) >= (isNarrow ? 24 : 13))
    let hasName = RowColumns(paneWidth: width, namesPodcast: true).nameWidth != nil
    #expect((columns.nameWidth != nil) == (isNarrow ? width >= 67 || (50..<55).contains(width) : hasName))
  }

  @Test(arguments: [Size(40, 12), Size(80, 24), Size(120, 36)]) func downloadsSayTheirSizes(size: Size) throws {
    var library = FakeLibrary.sample
    for (index, bytes) in [(0, 62_000_000), (1, 812_000), (2, nil), (3, nil)] as [(Int, Int64?)] {
      (library.episodes[index].isDownloaded, library.episodes[index].fileBytes) = (true, bytes)
    }
    var driver = Driver(size: size, library: library)
    driver.type("4")
    #expect(driver.lines[1].contains("1/"), "\(driver.lines[1])")
    #expect(driver.lines[1].contains("63 MB on disk"), "\(driver.lines[1])")
    let first = try #require(driver.state.screen.episodes.ids.first)
    let total = driver.state.library.rows[first]?.fileBytes == 62_000_000 ? "62 MB" : "812 kB"
    let row = driver.lines[2].prefix(driver.state.layout.area(.episodes)?.rect.maxX ?? 0)
    #expect(row.contains("  " + total), "\(driver.lines[2])")
    // A running one has its progress and its size.
    let item = DownloadProgress(id: first, title: "A part", phase: .running, received: 30, total: 100, rate: 10)
    driver.send(.download(.queue([item])))
    #expect(driver.lines[2].contains("30 %") && (size.width == 40 || driver.lines[2].contains("100 B")))
    #expect(!driver.lines[2].contains("of 100 B"), "its size is in the column")
    // Another file is complete.
    driver.library.episodes[2].fileBytes = 100_000_000
    driver.send(.download(.finished(driver.library.episodes[2].id, title: "A part", bytes: 100_000_000)))
    driver.send(.download(.queue([])))
    #expect(driver.lines[1].contains("163 MB on disk"), "\(driver.lines[1])")
  }

  /// - Parameter more: the columns that titles get on a narrow screen in addition.
  @Test(arguments: 20..<120, [0, 3]) func narrowRowsKeepBothNames(width: Int, more: Int) {
    let columns = RowColumns(paneWidth: width, namesPodcast: true, isNarrow: more > 0)
    let rest = width - RowColumns.titleStart - columns.width - 4
    #expect((columns.nameWidth != nil) == (width >= 56 + more || (40 + more..<44 + more).contains(width)))
    if let name = columns.nameWidth { #expect(name >= 10 && rest - name - RowColumns.gap >= 21 + more) }
    let hasNoLength = columns.nameWidth != nil || width < 36 + more
    #expect(columns.shown == (width >= 44 + more ? [.date, .length] : hasNoLength ? [] : [.length]))
  }

  /// On a medium screen the details are below the list, unless the screen is too low.
  @Test func detailsAreBelowTheListOnAMediumScreen() throws {
    for (size, isBelow) in [(Size(80, 24), true), (Size(109, 40), true), (Size(80, 19), false), (Size(110, 24), false)]
    {
      let layout = Self.driver(size, "2").state.layout
      let (list, detail) = (try #require(layout.area(.episodes)), try #require(layout.area(.detail)))
      #expect((detail.rect.y == list.rect.maxY) == isBelow, "\(size)")
      #expect((list.content.width == size.width) == isBelow)
      #expect(detail.rect.maxY == layout.status.y && detail.rect.maxX == size.width)
      if isBelow { #expect(list.content.height >= 9 && detail.content.height >= 4) }
    }
    var driver = Self.driver(Size(80, 24), "2")
    let before = try #require(driver.state.layout.area(.detail)).rect.height
    driver.type("{")
    #expect(try #require(driver.state.layout.area(.detail)).rect.height != before)
    driver.type("l")
    #expect(driver.state.focusedPane == .detail)
    driver.type("h")
    #expect(driver.state.focusedPane == .episodes)
  }

  /// The mark of the queue has a column of its own, and the queue does not need it.
  @Test func marksHaveColumns() throws {
    func columns(_ keys: String) -> Set<Int> {
      let driver = Self.driver(Size(80, 24), keys)
      return Set(
        driver.lines.compactMap { line in line.firstIndex(of: "≡").map { line.distance(from: $0, to: line.endIndex) } })
    }
    #expect(columns("<Enter>").count == 1)
    #expect(columns("2").count == 1)
    #expect(columns("3").isEmpty)
  }

  @Test func queueSaysHowLongItTakes() {
    var library = FakeLibrary.sample
    library.queue = [1, 2, 4].map { EpisodeID($0) }
    var driver = Driver(size: Size(80, 24), library: library)
    driver.type("3")
    #expect(
      driver.lines[1].hasSuffix("1/3 · 1h 05m left · ends 13:05"), "10, 15 of 20 and 40 minutes: \(driver.lines[1])")
    driver.type(":speed 2<Enter>")
    #expect(driver.lines[1].hasSuffix("1/3 · 33m left · ends 12:32"), "\(driver.lines[1])")
    driver.send(.input(.resize(Size(24, 12))))
    #expect(driver.lines[1].contains("Queue") && driver.lines[1].hasSuffix("1/3 · 33m left"), "\(driver.lines[1])")
  }

  @Test func queueBeginsAfterWhatPlaysOutsideOfIt() throws {
    var driver = Driver.playing(from: 600, queue: [EpisodeID(4)])
    driver.type("3")
    let queued = try #require(driver.state.library.rows[EpisodeID(4)]?.duration)
    #expect(driver.state.player.episode?.id != EpisodeID(4))
    #expect(driver.lines[1].contains("\(TimeText.short(3000 + queued)) left"), "\(queued) \(driver.lines[1])")
  }

  /// Beside the name of the podcast, too, the titles get enough before the details do.
  @Test(arguments: [(110, 74, 36), (120, 84, 36), (140, 84, 56), (200, 120, 80)])
  func listsWithNamesOfPodcastsAreWide(width: Int, list: Int, detail: Int) {
    var driver = Driver(size: Size(width, 36))
    driver.type("2")
    let widths = [Pane.episodes, .detail].compactMap { driver.state.layout.area($0)?.rect.width }
    #expect(widths == [list, detail])
  }

  /// Podcasts are as wide as their titles, and the titles of episodes get enough before the details do.
  @Test(arguments: [110, 120, 140, 200]) func panesAreAsWideAsTheirContents(width: Int) throws {
    for title in ["Short", String(repeating: "A long title ", count: 5)] {
      var library = FakeLibrary.sample
      for index in library.podcasts.indices { library.podcasts[index].title = title }
      let layout = Driver(size: Size(width, 36), library: library).state.layout
      let widths = [Pane.podcasts, .episodes, .detail].compactMap { layout.area($0)?.rect.width }
      #expect(widths.reduce(0, +) == width)
      #expect(widths[0] == (title == "Short" ? 18 : max(28, min(width / 5, 40))), "\(widths)")
      #expect(widths[1] >= 46 && (widths[2] == 36 || widths[1] >= 50), "\(widths)")
    }
  }

  @Test func longTitleIsTruncated() throws {
    let driver = Self.driver(Size(80, 24), "<Enter>")
    let row = try #require(driver.lines.first { $0.contains("A very long title") })
    #expect(row.contains("…"))
    #expect(row.hasSuffix("    -99h"))
  }

  @Test func lengthsFitTheirColumn() {
    for (seconds, sign, text) in [
      (59.0, "", "0:59"), (3599, "-", "-59:59"), (3723, "", "1:02:03"), (3723, "-", "-1h02m"), (36_000, "", "10h00m"),
      (359_940, "-", "-99h59m"), (400_000, "", "111h07m"), (400_000, "-", "-111h"), (1e9, "", ">999h"),
    ] {
      #expect(RowText.length(seconds, sign: sign) == text)
    }
    for exponent in 0..<18 {
      let seconds = pow(10, Double(exponent))
      #expect(RowText.length(seconds, sign: "-").count <= RowColumn.length.width)
    }
    #expect(RowText.length(.nan).count <= RowColumn.length.width)
  }

  @Test func datesAreShort() {
    let now = Driver.now
    func text(_ days: Double) -> String { CalendarRules.utc.rowDay(now.addingTimeInterval(-days * 86_400), now: now) }
    #expect(text(0) == "today")
    #expect(text(1) == "20 Nov")
    #expect(text(182) == "23 May")
    #expect(text(320) == "5 Jan", "of this year")
    #expect(text(325) == "Dec'24", "another year")
    #expect(text(-2) == "23 Nov")
    #expect(text(-60) == "Jan'26")
    for days in stride(from: -40_000.0, to: 40_000, by: 17) { #expect(text(days).count <= RowColumn.date.width) }
    // In January the dates of last autumn have a day and a month, not a year.
    let january = now.addingTimeInterval(50 * 86_400)
    #expect(CalendarRules.utc.rowDay(now, now: january) == "21 Nov")
  }

  @Test func historyShowsWhenAnEpisodeWasPlayed() {
    let driver = Self.driver(Size(80, 24), "6")
    #expect(driver.lines.contains { $0.contains("Ep. 135") && $0.contains("12:00") }, "today: \(driver.screen)")
    #expect(
      driver.lines.contains { $0.contains("Families") && $0.contains("19 Nov") }, "two days ago: \(driver.screen)")
  }

  @Test func historyNamesAnotherDeviceIfThereIsRoom() throws {
    var library = FakeLibrary.sample
    let index = try #require(library.episodes.firstIndex { $0.heardAt != nil })
    library.episodes[index].otherDevice = "phone\u{1B}[2J"
    for (width, isNamed) in [(40, false), (200, true)] {
      var driver = Driver(size: Size(width, 24), library: library)
      driver.type("6")
      #expect(driver.lines.contains { $0.contains(" on phone") } == isNamed, "\(driver.screen)")
      driver.type("2")
      #expect(!driver.lines.prefix(20).contains { $0.contains(" on phone") && $0.contains("●") })
    }
  }

  @Test func downloadDoesNotMoveTheColumns() throws {
    var driver = Self.driver(Size(80, 24), "<Enter>")
    let id = driver.state.screen.episodes.ids[2]
    let before = driver.lines[4]
    func item(_ phase: DownloadProgress.Phase) -> DownloadProgress {
      DownloadProgress(id: id, title: "A part", phase: phase, received: 37, total: 100, rate: 10)
    }
    for (phase, word) in [
      (DownloadProgress.Phase.running, "37 %"), (.waiting, "waits"), (.paused, "paused"),
    ] {
      driver.send(.download(.queue([item(phase)])))
      #expect(driver.lines[4].contains(" \(word)  "))
      #expect(driver.lines[4].suffix(9) == before.suffix(9), "the length stays")
      #expect(driver.lines[4].prefix(50) == before.prefix(50), "the title stays")
    }
    driver.send(.download(.queue([item(.failed("no such host"))])))
    #expect(driver.lines[4].contains("failed: no such host  "))
    #expect(driver.lines[4].suffix(9) == before.suffix(9), "the length stays")
    driver.type("jj")
    #expect(driver.lines[21].contains("The download failed: no such host"))
  }

  @Test func widePaneShowsTheWholeDownload() {
    var driver = Self.driver(Size(200, 24), "<Enter>")
    let id = driver.state.screen.episodes.ids[2]
    let progress = DownloadProgress(id: id, title: "A part", phase: .running, received: 37, total: 100, rate: 1200)
    driver.send(.download(.queue([progress])))
    #expect(driver.lines[4].contains("██░░░░░░ 37 % of 100 B  1.2 kB/s  0s left"))
  }

  /// On the narrowest screen, too, and the list of all says how long they take.
  @Test func downloadsShowTheirProgressAndTotal() {
    var driver = Self.driver(Size(40, 12), "4")
    let items = driver.state.screen.episodes.ids.prefix(2).map {
      DownloadProgress(id: $0, title: "A part", phase: .running, received: 30_000_000, total: 60_000_000, rate: 500_000)
    }
    driver.send(.download(.queue(Array(items))))
    #expect(driver.lines[0].contains("4 Downloads 2"))
    #expect(driver.lines[1].hasSuffix("60 MB of 120 MB"), "\(driver.lines[1])")
    #expect(driver.lines[2].hasSuffix(" 50 %") && driver.lines[3].hasSuffix(" 50 %"), "\(driver.screen)")
    driver.send(.input(.resize(Size(80, 24))))
    #expect(driver.lines[1].hasSuffix("· 60 MB of 120 MB · 1.0 MB/s · 1m left · 2.8 GB on disk"), "\(driver.lines[1])")
    let huge = DownloadProgress(id: items[0].id, title: "", phase: .running, received: 1, total: .max, rate: 1)
    driver.send(.download(.queue([huge, huge])))
    #expect(driver.lines[1].contains("TB"))
  }
}
