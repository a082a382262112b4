import Foundation
import Model
import TerminalKit
import Testing

@testable import AppCore

/// The status line above the player bar.
@Suite struct StatusScripts {
  /// A read-only player shows no hints for playback.
  @Test(arguments: ["", "<Enter>", "2", "3", "5", "6", "7café<Enter>", "8"])
  func readOnlyPlayerOffersNoPlayback(place: String) {
    var driver = Driver(size: Size(120, 36))
    driver.state.access.refusal = "Another Earshot (process 7) is running; this one is read-only"
    driver.type(place)
    let status = driver.lines.suffix(3).joined(separator: "\n")
    #expect(!status.contains("Enter play") && !status.contains("Space play"), "\(status)")
    #expect(!status.contains("e queue") && !status.contains("x delete") && !status.contains("a add"), "\(status)")
  }

  /// At 80 columns the tab bar has the name of every screen.
  @Test(arguments: Tab.allCases) func tabBarNamesEveryScreen(tab: Tab) {
    for width in [80, 86, 90, 120, 200] {
      let labels = TabsView.labels(width: width, shown: tab, keymap: Driver().state.keymap)
      #expect(labels.map(\.tab) == Tab.allCases)
      for label in labels { #expect(label.text.hasSuffix(label.tab.title), "\(width): \(label.text)") }
      for (one, next) in zip(labels, labels.dropFirst()) { #expect(one.columns.upperBound < next.columns.lowerBound) }
    }
  }

  /// Counts cost names: those far from the current screen.
  @Test func tabBarShowsCounts() {
    let keymap = Keymap()
    func row(_ width: Int, _ shown: Tab?) -> String {
      TabsView.labels(width: width, shown: shown, counts: [.new: 98, .queue: 6], keymap: keymap)
        .map { $0.count.isEmpty ? $0.text : "\($0.text) \($0.count)" }.joined(separator: "  ")
    }
    #expect(row(120, .podcasts).hasPrefix("1 Podcasts  2 New 98  3 Queue 6  4 Downloads  5 Playlists"))
    #expect(row(80, .podcasts) == "1 Podcasts  2 New 98  3 Queue 6  4 Downloads  5 Playlists  6 History  7  8")
    #expect(row(80, .discover).hasSuffix("8 Discover"))
    #expect(row(40, .new) == "1  2 New 98  3  4  5  6  7  8")
    #expect(row(40, .history) == "1  2  3  4  5  6 History  7  8")
    #expect(row(40, nil) == "1  2  3  4  5  6  7  8", "the full-screen view names itself")
  }

  private static let long =
    "https://example.org/a/feed/with/a/long/address.xml: the server has nothing at this address (404)"

  @Test(arguments: [Size(40, 12), Size(80, 24)]) func longMessageIsShownInFull(size: Size) {
    var driver = Driver(size: size)
    driver.send(.message(Message(.error, Self.long)))
    let shown = driver.lines.joined().replacing(" ", with: "")
    #expect(shown.contains("Error:https://example.org/"))
    #expect(shown.contains("(404)"))
    driver.type("j")
    #expect(!driver.screen.contains("(404)"), "the next key takes it away")
  }

  @Test func logShowsTheKindOfAMessage() {
    var driver = Driver()
    driver.send(.message(Message(.warning, "of one kind")))
    driver.send(.message(Message(.error, "of another")))
    driver.type(":log<Enter>")
    #expect(driver.screen.contains("Warning: of one kind"))
    #expect(driver.screen.contains("Error: of another"))
  }

  @Test func refreshWithoutPodcastsIsReported() {
    var driver = Driver(library: FakeLibrary(podcasts: [], episodes: []))
    #expect(driver.effects(of: "R") == [])
    #expect(driver.state.message?.text == "There is no podcast to refresh yet. Press a to add one.")
  }

  @Test(arguments: ["3", "7<Esc>"]) func emptyListHidesHintsThatNeedAnEpisode(keys: String) {
    var driver = Driver()
    driver.type(keys)
    let hints = driver.lines[driver.lines.count - 3]
    #expect(hints.contains("podcasts"))
    for dead in ["Enter play", "x delete", "e queue", "m played"] { #expect(!hints.contains(dead)) }
  }

  /// As at the start: first a problem in the configuration, then the refresh.
  @Test func unreadMessageStays() {
    var driver = Driver()
    driver.send(.message(Message(.error, "config.toml:3: no such setting")))
    driver.refresh(.started(total: 2))
    driver.refresh(.finished(new: 1, unchanged: 1, failed: 0))
    #expect(driver.screen.contains("Error: config.toml:3: no such setting"))
    #expect(driver.state.messages.log.last?.text == "Refreshed: 1 new episode, 1 unchanged")
    driver.type("j")
    driver.refresh(.started(total: 2))
    driver.refresh(.finished(new: 0, unchanged: 2, failed: 0))
    #expect(driver.screen.contains("Refreshed: 2 unchanged"))
  }

  @Test func unreadMessagesAreCounted() {
    var driver = Driver()
    driver.send(.message(Message(.error, "config.toml:3: no such setting")))
    driver.refresh(.started(total: 9))
    for name in ["A", "B"] {
      driver.refresh(.failed(title: name, ReportedError("\(name): silent"), done: 1, total: 9))
    }
    driver.refresh(.finished(new: 0, unchanged: 7, failed: 2))
    #expect(driver.state.message?.text == "Refreshed: 7 unchanged, 2 failed (A: silent; see :log)")
    let shown = driver.lines.joined().replacing(" ", with: "")
    #expect(shown.contains("see:log)(1more::log)"), "it speaks for its own failures: \(driver.screen)")
    driver.type("j")
    driver.send(.message(Message(.error, "another")))
    #expect(!driver.screen.contains("more: :log"))
  }

  /// Nobody presses a key meanwhile.
  @Test func messageEndsWithWhatItSays() {
    var driver = Driver()
    driver.send(.refreshedAutomatically(new: 0, isOffline: true))
    #expect(driver.screen.contains("Warning: Offline since"))
    driver.send(.refreshedAutomatically(new: 0))
    #expect(driver.state.message == nil)
    driver.send(.refreshedAutomatically(new: 0, isOffline: true))
    driver.send(.refreshedAutomatically(new: 2))
    #expect(driver.state.message == Message(.success, "2 new episodes") && driver.state.messages.unread == 0)
    for phase in [SyncPhase.failed("no connectivity"), .waiting] {
      driver.send(.sync(.phase(phase)))
      #expect(driver.state.message == Message(.warning, "Sync: no connectivity"))
    }
    driver.send(.sync(.phase(.inStep)))
    #expect(driver.state.message == nil)
  }

  @Test func messageOfAnOutageEndsWithTheEpisode() {
    var driver = Driver.playing()
    let wait = NetworkWait(seconds: 3, cause: "no answer")
    driver.send(.player(.stalled(generation: driver.generation, true)))
    driver.send(.player(.waitsForNetwork(generation: driver.generation, wait)))
    #expect(driver.state.message == Message(.warning, "Waiting: no answer"))
    driver.send(.remote(.stop))
    #expect(driver.state.message == nil)
  }

  @Test func refusalEndsWhenTheLibraryCanBeWritten() {
    var driver = Driver.listening(queue: [Driver.second])
    driver.state.access.readOnlyReason = "the library cannot be written"
    driver.type("m")
    #expect(driver.state.message == Message(.error, "the library cannot be written"))
    driver.send(.library(.writable))
    #expect(driver.state.message == nil)
  }

  @Test func refreshReportsSkippedPodcasts() {
    var driver = Driver()
    driver.refresh(.started(total: 1))
    driver.refresh(.postponed(["One", "Two", "Three"].map { PodcastRow(id: PodcastID(1), feedURL: "", title: $0) }))
    driver.refresh(.finished(new: 0, unchanged: 1, failed: 0))
    let text =
      "Refreshed: 1 unchanged, 3 not asked because their servers want a pause or their feeds have ended (“One”, “Two” and 1 more). Press r on one to refresh it now."
    #expect(driver.state.message == Message(.success, text))
  }

  @Test(arguments: ["<Esc>", "<C-g>"]) func addIsShownAndCanBeCancelled(key: String) {
    var driver = Driver()
    #expect(driver.screen(after: "ahttps://silent.example.org/feed<Enter>j").contains("asking silent.example.org"))
    let asked = driver.takeEffects().compactMap {
      if case .network(.add(let request, _, _)) = $0 { request } else { nil }
    }
    driver.type(key)
    #expect(driver.takeEffects() == asked.map { .cancel($0) } && asked.count == 1)
    #expect(!driver.screen.contains("asking silent"))
    driver.send(.added(asked[0], .failure(ReportedError("cancelled"))))
    #expect(driver.state.message?.kind == .info, "what the listener stopped is no failure")
  }

  @Test func linkThatCannotBeOpenedIsCopied() {
    var driver = Driver()
    driver.send(.linkNotOpened("https://example.org/x"))
    #expect(driver.takeEffects() == [.copy("https://example.org/x")])
    #expect(driver.screen.contains("copied instead: https://example.org/x"))
  }

  @Test func longMessageSaysThatItIsCut() {
    var driver = Driver()
    driver.send(.message(Message(.error, (1...200).map { "word\($0)" }.joined(separator: " "))))
    #expect(driver.screen.contains("… (:log)") && !driver.screen.contains("word200"))
  }

  @Test func whereNowReportsThePosition() {
    var driver = Driver()
    #expect(driver.message(after: "w") == "Nothing is playing")
    driver.type("<Enter>")
    driver.startPlaying()
    #expect(driver.message(after: "w") == "“Ep. 135 流動的資金盛宴”: 5:30 of 10:00, chapter “Part at 300”, 1×, volume 100 %")
  }
}

/// Explanations on the screen: the legend of marks, the times of messages, the texts of links.
@Suite struct LegendScripts {
  @Test(arguments: [Size(40, 12), Size(80, 24), Size(200, 60)]) func helpExplainsEveryMark(size: Size) {
    var driver = Driver(size: size)
    driver.type("?")
    var seen = ""
    while !seen.hasSuffix(driver.screen) {
      seen += driver.screen
      driver.type("<PageDown>")
    }
    for (mark, meaning) in [
      ("●", "not played yet"), ("◔", "begun"), ("✓", "played"), ("≡", "in the queue"), ("∅", "gone from feed"),
      ("↓", "downloaded"), ("!", "refresh failed"), ("–", "nothing to play"), ("✗", "deleted"),
    ] {
      #expect(seen.contains("\(mark) \(meaning)"))
    }
  }

  @Test func helpOnASmallScreenBeginsWithCommonMarks() {
    var driver = Driver(size: Size(40, 12))
    driver.type("?")
    for mark in ["● not played yet", "◔ begun", "✓ played", "≡ in the queue", "↓ downloaded"] {
      #expect(driver.screen.contains(mark), "\(driver.screen)")
    }
    #expect(driver.screen.contains("j"), "keys as well")
  }

  @Test func noTwoAsciiMarksOfTheLegendAreEqual() {
    for ascii in [true, false] {
      let marks = MarkLegend(Glyphs(ascii: ascii)).marks
      let byGlyph = Dictionary(grouping: marks, by: \.glyph).filter { $0.value.count > 1 }
      // “Most heard” covers two quarters.
      #expect(byGlyph.isEmpty, "\(byGlyph.mapValues { $0.map(\.meaning) })")
    }
  }

  @Test(arguments: [false, true]) func rowOfThePausedEpisodeHasThePausedSign(ascii: Bool) {
    var driver = Driver.playing()
    driver.state.preferences.ascii = ascii
    driver.state.size = Size(120, 40)
    driver.type("g")
    let (plays, paused) = ascii ? (">", "=") : ("▶", "Ⅱ")
    let title = "Ep. 135"
    func row(_ sign: String) -> Bool { driver.lines.dropLast(2).contains { $0.contains("\(sign) \(title)") } }
    #expect(row(plays) && !row(paused) && driver.screen.contains("plays now"))
    driver.pause()
    #expect(row(paused) && !row(plays), "\(driver.screen)")
    #expect(driver.screen.contains("paused") && !driver.screen.contains("plays now"))
    driver.pause(false)
    #expect(row(plays))
    driver.play(Driver.first)
    driver.send { $0.stop() }
    #expect(!row(plays) && !row(paused))
  }

  @Test func chapterOfThePausedEpisodeHasThePausedSign() {
    var driver = Driver.playing(chapters: [
      Chapter(start: 0, title: "Opening words"), Chapter(start: 600, title: "Two"),
    ])
    driver.state.size = Size(120, 40)
    driver.type("pc")
    driver.type("<Esc>p")
    driver.pause()
    let line = driver.lines.dropLast(2).first { $0.contains("Opening words") } ?? ""
    #expect(line.contains("Ⅱ") && !line.contains("▶"), "\(driver.screen)")
  }

  @Test func legendCanBeSearched() {
    var driver = Driver()
    driver.type("?/failed<Enter>")
    #expect(driver.screen.contains("! refresh failed"))
    #expect(!driver.screen.contains("in the queue"))
  }

  /// 30 failures with one cause are one line of the log, also while the refresh runs.
  @Test func failuresOfARefreshAreGroupedInTheLog() {
    var driver = Driver(size: Size(120, 40))
    driver.type("R")
    driver.refresh(.started(total: 31))
    for number in 1...30 {
      driver.refresh(
        .failed(title: "P\(number)", ReportedError("P\(number): no connectivity: refused"), done: number, total: 31))
    }
    #expect(driver.state.message?.text == "P30: no connectivity: refused")
    driver.refresh(.failed(title: "Odd", ReportedError("Odd: invalid data: empty"), done: 31, total: 31))
    driver.type(":log<Enter>")
    let grouped = "30 podcasts: no connectivity: refused (P1, P2, P3 and 27 more)"
    #expect(driver.screen.contains(grouped), "\(driver.screen)")
    driver.type("<Esc>")
    driver.refresh(.finished(new: 0, unchanged: 0, failed: 31))
    #expect(
      driver.state.messages.log.suffix(3).map(\.text) == [
        grouped, "Odd: invalid data: empty", "Refreshed: 31 failed (\(grouped); see :log)",
      ])
    #expect(driver.state.fullLog == driver.state.messages.log)
  }

  @Test func messagesHaveATime() {
    var driver = Driver()
    driver.send(.message(Message(.error, "The disk is full")))
    driver.type(":log<Enter>")
    #expect(driver.lines.contains { $0.contains("12:00  Error: The disk is full") }, "\(driver.screen)")
    driver.state.now += 86_400
    #expect(driver.lines.contains { $0.contains("21 Nov 12:00  Error: The disk is full") }, "\(driver.screen)")
  }

  @Test func chapterTimesAreAligned() {
    var driver = Driver()
    driver.type("<Enter>")
    // The episode is longer than the start of the last chapter.
    for id in driver.state.library.rows.keys { driver.state.library.rows[id]?.duration = 4000 }
    driver.startPlaying()
    let chapters = [0.0, 700, 3700].map { Chapter(start: $0, title: "Part") }
    driver.send(.library(.chapters(generation: driver.state.player.generation, chapters)))
    driver.type("c")
    let starts = driver.lines.compactMap { line in
      line.contains("Part") && line.contains("│") ? line.range(of: "Part").map { line[..<$0.lowerBound].count } : nil
    }
    #expect(starts.count == 3)
    #expect(Set(starts).count == 1)
  }

  @Test func linksShowTheirText() {
    var driver = Driver(size: Size(120, 40))
    #expect(driver.screen(after: "<Enter>i").contains("[1] Read more: https://example.org/more"))
    driver.type("o")
    #expect(driver.screen.contains("1  Read more  https://example.org/more"))
    #expect(driver.screen.contains("2  picture: a cat  https://example.org/cat.png"))
  }

  @Test(
    arguments: [
      ("https://example.org/a", "https://example.org/a", nil), ("https://www.example.org/a/", "example.org/a", nil),
      ("https://example.org/a", " ", nil), ("https://example.org/a", "The page", "The page"),
      ("mailto:a@b.org", "a@b.org", "a@b.org"),
    ] as [(String, String, String?)]) func linkTextThatRepeatsTheAddressIsNoName(
      address: String, text: String, name: String?
    )
  {
    #expect(NamedLink(address, text).name == name)
  }

  /// The current screen has its name in the first row on the narrowest terminal, too.
  @Test func currentScreenIsNamedOnEveryWidth() {
    for width in Layout.minimumSize.width...120 {
      for tab in Tab.allCases {
        let labels = TabsView.labels(width: width, shown: tab, keymap: Keymap())
        #expect(labels.contains { $0.tab == tab && $0.text.hasSuffix(tab.title) }, "\(tab) in \(width) columns")
        #expect((labels.last?.columns.upperBound ?? 0) <= width)
      }
    }
  }
}
