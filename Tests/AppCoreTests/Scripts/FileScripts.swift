import Foundation
import Model
import TerminalKit
import Testing

@testable import AppCore

/// Commands that also exist as verbs: import, export, clips, statistics, settings of a podcast.
@Suite struct FileScripts {
  static let clip = Clip(
    id: ClipID(1), episode: EpisodeID(2), startTime: 60, endTime: 95, title: "The good bit", dateCreated: Driver.now,
    userID: "device")

  /// A driver with the focus on the only clip of "My Clips".
  static func clips(_ size: Size = Size(80, 24)) -> Driver {
    var driver = Driver(size: size)
    driver.library.mediaAddresses[EpisodeID(2)] = "https://example.org/cafe.mp3"
    driver.type("5j<Enter>")
    _ = driver.takeEffects()
    return driver
  }

  // MARK: Import and export

  @Test func importReadsPodcastsFromAFile() {
    var driver = Driver()
    #expect(driver.effects(of: "I~/podcasts.opml<Enter>") == [.file(.importLibrary("~/podcasts.opml"))])
    driver.send(.imported(.success(ImportCounts(added: 3, known: 1, refused: 0, more: ["2 played"]))))
    #expect(driver.state.message?.text == "3 podcasts added, 1 known, 2 played; their episodes are being fetched")
    #expect(driver.takeEffects().contains { if case .network(.refresh(_, nil)) = $0 { true } else { false } })
    driver.send(.imported(.success(ImportCounts(added: 0, known: 1, refused: 2))))
    #expect(driver.state.message?.text == "0 podcasts added, 1 known, 2 refused: not the address of a feed")
    #expect(driver.state.message?.kind == .warning)
    let cut = ImportCounts(added: 0, known: 1, refused: 0, more: ["the file is cut off"], isDoubtful: true)
    driver.send(.imported(.success(cut)))
    #expect(driver.state.message == Message(.warning, "0 podcasts added, 1 known, the file is cut off"))
    driver.send(.imported(.failure(ReportedError("x cannot be read"))))
    #expect(driver.state.message == Message(.error, "x cannot be read"))
    driver.type(":import a b.opml<Enter>")
    #expect(driver.takeEffects() == [.file(.importLibrary("a b.opml"))])
  }

  @Test func subscriptionsAreNotWrittenToASoundFile() {
    var driver = Driver()
    #expect(driver.effects(of: ":export clip.MP3<Enter>") == [])
    #expect(driver.state.message?.text.contains("Type :export-clip to write a clip as sound") == true)
  }

  @Test func exportWritesPodcastsToAFile() {
    var driver = Driver()
    #expect(driver.screen(after: "W").contains("Write the podcasts to: ~/subscriptions.opml"))
    driver.type("<Enter>")
    #expect(driver.takeEffects() == [.file(.exportSubscriptions("~/subscriptions.opml"))])
    driver.type("Wx.opml<Enter>")
    #expect(
      driver.takeEffects() == [.file(.exportSubscriptions("x.opml"))], "what is typed takes the place of the offer")
    #expect(driver.effects(of: "W<Esc>") == [])
  }

  @Test func settingsKeyOpensThePodcastSettings() {
    var driver = Driver(size: Size(80, 24))
    driver.type("v")
    let question = PodcastSettingsQuestion(podcast: PodcastID(1))
    #expect(driver.takeEffects().questions == [AnyLibraryQuestion(question)])
    driver.send(.answer(driver.state.awaited.last, question.answer(PodcastSettings())))
    #expect(driver.screen.contains("Download"), "\(driver.screen)")
  }

  /// Completion as in a shell: the common beginning, then one file after the other, and into folders.
  @Test(arguments: ["I", ":import "]) func tabCompletesFileNames(keys: String) {
    var driver = Driver(size: Size(80, 24))
    driver.type(keys + "~/D<Tab>")
    #expect(driver.takeEffects() == [.file(.listFiles("~/D"))])
    driver.send(.fileNames(["~/Documents/", "~/Dossier.opml"], head: "~/D"))
    #expect(PromptScripts.text(driver)?.hasSuffix("~/Do") == true)
    driver.type("<Tab>")
    #expect(driver.takeEffects() == [.file(.listFiles("~/Do"))])
    driver.send(.fileNames(["~/Documents/", "~/Dossier.opml"], head: "~/Do"))
    #expect(PromptScripts.text(driver)?.hasSuffix("~/Documents/") == true)
    driver.type("<Tab>")
    #expect(PromptScripts.text(driver)?.hasSuffix("~/Dossier.opml") == true)
    driver.type("<S-Tab>")
    #expect(PromptScripts.text(driver)?.hasSuffix("~/Documents/") == true)
    driver.type("x<Tab>")
    #expect(driver.takeEffects() == [.file(.listFiles("~/Documents/x"))])
    // The listener has typed something else since.
    driver.type("y")
    driver.send(.fileNames(["~/Documents/xa.opml"], head: "~/Documents/x"))
    #expect(PromptScripts.text(driver)?.hasSuffix("~/Documents/xy") == true)
    driver.type("<BS><Tab>")
    _ = driver.takeEffects()
    driver.send(.fileNames(["~/Documents/xa.opml"], head: "~/Documents/x"))
    driver.type("<Enter>")
    #expect(driver.takeEffects().contains(.file(.importLibrary("~/Documents/xa.opml"))))
  }

  @Test func tabReportsThatNoFileMatches() {
    var driver = Driver(size: Size(80, 24))
    driver.type("Inothing<Tab>")
    driver.send(.fileNames([], head: "nothing"))
    #expect(driver.state.message?.text == "No file name begins with nothing")
  }

  // MARK: Clips

  @Test func clipIsExportedAsAFile() {
    var driver = Self.clips()
    #expect(driver.screen(after: "F").contains("Write the clip to: ~/The-good-bit.mp3"))
    driver.type("<Enter>")
    #expect(driver.takeEffects() == [.file(.exportClip(Self.clip, to: "~/The-good-bit.mp3"))])
    #expect(driver.effects(of: ":export-clip b.opus<Enter>") == [.file(.exportClip(Self.clip, to: "b.opus"))])
  }

  @Test func clipIsSharedAsText() {
    var driver = Self.clips()
    driver.type("Y")
    let text =
      "The good bit · Daodu Tech: A café in Zürich, 1:00–1:35 · https://example.org/cafe.mp3#t=60,95"
    #expect(driver.takeEffects() == [.copy(text)])
  }

  @Test func episodeIsSharedAsText() {
    var driver = Driver()
    driver.library.mediaAddresses[EpisodeID(2)] = "https://me:secret@example.org/cafe.mp3"
    driver.type("<Enter>j")
    let copied = driver.effects(of: "Y")
    #expect(copied.count == 1)
    guard case .terminal(.copy(let text))? = copied.first else {
      Issue.record("nothing was copied")
      return
    }
    #expect(text.hasPrefix("Daodu Tech: A café in Zürich · https://"))
    #expect(!text.contains("secret"))
  }

  @Test(arguments: ["C", "F"]) func clipCommandsReportAMissingClip(key: String) {
    var driver = Driver.listening()
    driver.type(key)
    #expect(driver.state.message?.text.contains("Choose a clip first") == true)
    #expect(driver.takeEffects() == [] && driver.state.overlays.isEmpty)
  }

  @Test(arguments: [Size(40, 12), Size(80, 24), Size(200, 60)]) func clipEditorMovesBothEndsDuringPlayback(
    size: Size
  ) throws {
    var driver = Self.clips(size)
    driver.type("C")
    #expect(driver.screen.contains("Start   1:00"))
    #expect(driver.screen.contains("End     1:35"))
    // Moves the start a second later, and plays from there.
    #expect(driver.screen(after: "<Right>").contains("Start   1:01"))
    #expect(driver.takeEffects().plays == [EpisodeID(2)])
    #expect(driver.state.player.position == 61)
    driver.answerPlay(from: 61)
    driver.begin()
    // Moves the end ten seconds earlier, and plays the seconds before it.
    #expect(driver.screen(after: "<Tab><S-Left>").contains("End     1:25"))
    #expect(driver.state.player.position == 82)
    driver.report(82)
    driver.report(84)
    // Moves the start to the position of playback.
    #expect(driver.screen(after: "(").contains("Start   1:24"))
    // The start and the end cannot pass each other.
    #expect(driver.screen(after: "<Right><Right><Right>").contains("Start   1:24"))
    driver.type("<Esc>")
    #expect(driver.state.overlays.isEmpty)
    #expect(driver.takeEffects().allSatisfy { if case .write(.changeClip) = $0 { false } else { true } })
    driver.type("C<Right><Tab><Left><Enter>")
    #expect(driver.takeEffects().contains(.write(.changeClip(Self.clip.id, .times(start: 61, end: 94)))))
    #expect(driver.state.overlays.isEmpty)
    driver.type("C<Tab><Left><Enter>")
    #expect(driver.takeEffects().contains(.write(.changeClip(Self.clip.id, .times(start: nil, end: 94)))))
  }

  @Test func clipEditorUsesThePositionOnlyInTheClipsEpisode() {
    var driver = Self.clips()
    #expect(driver.message(after: "C(")?.contains("does not play") == true)
    driver.type("<Enter>")
    #expect(driver.takeEffects() == [], "nothing was moved")
  }

  // MARK: Tags

  @Test func tagKeyChangesTheTagsOfAClip() {
    var driver = Self.clips()
    #expect(driver.screen(after: "#").contains("Tags of the clip:"))
    driver.type("funny, short<Enter>")
    #expect(driver.takeEffects() == [.write(.editTags(.clip(Self.clip.id), adding: ["funny", "short"], removing: []))])
    #expect(driver.state.message?.text == "“The good bit” is tagged funny, short. Press U to undo.")
  }

  /// There would be nothing to undo.
  @Test func unchangedTagsAreNotWritten() {
    var driver = Driver(size: Size(80, 24))
    driver.library.tags[EpisodeID(2)] = ["later"]
    driver.type("<Enter>j#<Enter>")
    #expect(driver.state.overlays.isEmpty && driver.takeEffects() == [])
    #expect(driver.state.message?.text.contains("undoes") != true)
  }

  /// The list does not have the tags of an episode. The prompt, and the keys typed meanwhile, wait for the library.
  @Test func tagKeyChangesTheTagsOfAnEpisode() {
    var driver = Driver(size: Size(80, 24))
    driver.library.tags[EpisodeID(2)] = ["later"]
    #expect(driver.screen(after: "<Enter>j#").contains("Tags of the episode: later"))
    driver.type(", loud<Enter>")
    #expect(driver.takeEffects() == [.write(.editTags(.episode(EpisodeID(2)), adding: ["loud"], removing: []))])
    #expect(driver.effects(of: ":tags a<Enter>") == [.write(.setTags(["a"], .episode(EpisodeID(2))))])
    #expect(driver.effects(of: "<Esc>:tags b<Enter>") == [.write(.setTags(["b"], .podcast(PodcastID(1))))])
  }

  @Test func tagKeyReportsThatNothingIsSelected() {
    var driver = Driver(size: Size(80, 24))
    #expect(driver.message(after: "3#") == "Choose a podcast first, or an episode or a clip")
  }

  // MARK: Statistics

  @Test(arguments: [Size(40, 12), Size(80, 24), Size(200, 60)]) func statisticsKeyOpensAPage(size: Size) {
    var driver = Driver(size: size)
    driver.type("H")
    let total = ListeningStatistics.Line(
      name: "In all, with a name that is too long", heard: 36_000, episodes: 12,
      saved: [
        .init(title: "speed", amount: 3600), .init(title: "silence", amount: 90), .init(title: "chapters", amount: 0),
      ])
    let days = (1...20).map { ListeningStatistics.Line(name: "2025-11-\($0)", heard: 600, episodes: 1, saved: []) }
    let statistics = ListeningStatistics(sections: [
      .init(title: "Since the beginning", lines: [total]), .init(title: "By day", lines: days),
      .init(title: "None", lines: []),
    ])
    driver.send(
      .answer(driver.state.awaited.request(StatisticsQuestion.self)!, StatisticsQuestion().answer(statistics)))
    #expect(driver.screen.contains(size.width < 50 ? "10h 00m   12 ep." : "10h 00m    12 episodes"))
    #expect(driver.screen.contains("In all, with a n"), "a name has room")
    #expect(driver.screen.contains("Saved 1h 02m: 1h 00m by speed"))
    #expect(driver.screen.contains("█") == (size.width > 40), "a picture where there is room")
    #expect(driver.screen.contains("silence") && !driver.screen.contains("chapters"))
    driver.type("G")
    if size.height < 40 { #expect(!driver.screen.contains("Since the beginning")) }
    #expect(driver.screen.contains("2025-11-20"))
    #expect(!driver.screen.contains("None"))
    driver.type("<Esc>")
    #expect(driver.state.overlays.isEmpty)
  }

  @Test func statisticsWithoutDataSaySo() {
    var driver = Driver()
    driver.type("H")
    driver.send(
      .answer(
        driver.state.awaited.request(StatisticsQuestion.self)!,
        StatisticsQuestion().answer(ListeningStatistics(sections: []))))
    #expect(driver.screen.contains("Nothing was heard yet"))
  }

  // MARK: Settings of a podcast

  @Test func podcastSettingsShowValuesOnANarrowScreen() {
    var driver = Driver(size: Size(40, 12))
    driver.openPodcastSettings()
    for text in ["Speed                1×, as all", "Mono                 off, as all"] {
      #expect(driver.screen.contains(text), "\(driver.screen)")
    }
  }

  @Test func podcastSettingsContainItsRules() {
    var driver = Driver()
    var settings = PodcastSettings()
    (settings.autoDownload, settings.newEpisodes) = (3, CatalogueRule.none)
    driver.state.preferences.podcastRules.keepDownloads = 8
    driver.openPodcastSettings(settings)
    for text in [
      "Settings of “Daodu Tech 科技島讀”", "Automatic downloads  the newest 3 after a refresh",
      "Files to keep        the newest 8, as all podcasts", "Counts as new        none of the back catalogue",
    ] {
      #expect(driver.screen.contains(text), "\(text)")
    }
    #expect(driver.effects(of: "Gkkkk<Enter>5<Enter>") == [.setKeptDownloads(PodcastID(1), count: 5)])
  }

  @Test(arguments: [
    ("auto-download 0", PodcastSettings.Change.autoDownload(0)),
    ("auto-download default", .autoDownload(nil)),
    ("keep-downloads 1000", .keepDownloads(1000)),
    ("keep-downloads default", .keepDownloads(nil)),
    ("new-episodes all", .newEpisodes(.all)),
    ("new-episodes 7", .newEpisodes(CatalogueRule(newest: 7))),
    ("new-episodes default", .newEpisodes(nil)),
    ("order oldest", .order(.oldest)), ("order default", .order(nil)),
    ("user-agent Mozilla/5.0 (X11)", .userAgent(UserAgent("Mozilla/5.0 (X11)"))),
    ("user-agent default", .userAgent(nil)),
  ]) func downloadRulesOfAPodcastAreSet(argument: String, change: PodcastSettings.Change) {
    var driver = Driver()
    #expect(driver.effects(of: ":show \(argument)<Enter>") == [.write(.changeSettings(PodcastID(1), change))])
    #expect(driver.state.message?.kind == .info)
  }

  @Test(arguments: [
    "auto-download 101", "auto-download -1", "auto-download", "keep-downloads 0", "keep-downloads all",
    "new-episodes some", "new-episodes 1001", "auto-download 1.5", "user-agent", "user-agent é",
  ]) func downloadRulesOfAPodcastMustBeValid(argument: String) {
    var driver = Driver()
    #expect(driver.effects(of: ":show \(argument)<Enter>") == [])
    #expect(driver.state.message?.kind == .error)
  }
}

extension Driver {
  /// Opens the settings of the selected podcast, which are these. Takes the effects.
  mutating func openPodcastSettings(_ settings: PodcastSettings = PodcastSettings()) {
    type(":show<Enter>")
    guard let (request, question) = takeEffects().asked(PodcastSettingsQuestion.self).last else {
      Issue.record("the settings were not asked for")
      return
    }
    send(.answer(request, question.answer(settings)))
  }
}
