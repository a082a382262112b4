import Foundation
import Model
import TerminalKit
import Testing

@testable import AppCore

/// The commands for downloads, and the reports of downloads.
@Suite struct DownloadScripts {
  private static func item(_ id: EpisodeID, _ phase: DownloadProgress.Phase) -> DownloadProgress {
    DownloadProgress(id: id, title: "A part", phase: phase, received: 50, total: 100, rate: 10)
  }

  /// A driver with the focus on the list of episodes, before any effects.
  private static func driver() -> Driver {
    var driver = Driver(size: Size(120, 30))
    driver.type("<Enter>")
    _ = driver.takeEffects()
    return driver
  }

  @Test func downloadKeyDownloadsAndSelectsTheNext() throws {
    var driver = Self.driver()
    let first = try #require(driver.state.screen.episodes.selected)
    driver.type("d")
    #expect(driver.takeEffects() == [.download([first])])
    #expect(driver.state.screen.episodes.selected != first)
    #expect(driver.state.message?.text.hasPrefix("Downloading") == true)
  }

  @Test func downloadKeyPausesAndResumes() throws {
    var driver = Self.driver()
    let id = try #require(driver.state.screen.episodes.selected)
    for (phase, effect) in [
      (DownloadProgress.Phase.running, Effect.network(.pauseDownloads([id]))),
      (.waiting, .network(.pauseDownloads([id]))),
      (.paused, .download([id])), (.failed("no"), .download([id])),
    ] {
      driver.send(.download(.queue([Self.item(id, phase)])))
      driver.type("gd")
      #expect(driver.takeEffects() == [effect])
    }
  }

  @Test func removeKeyCancelsOrDeletes() throws {
    var driver = Self.driver()
    let id = try #require(driver.state.screen.episodes.selected)
    driver.type("gX")
    #expect(driver.takeEffects() == [])
    driver.send(.download(.queue([Self.item(id, .running)])))
    driver.type("gX")
    #expect(driver.takeEffects() == [.network(.dropDownloads([id]))])
    driver.send(.download(.queue([])))
    driver.state.library.rows[id]?.isDownloaded = true
    driver.type("gX")
    #expect(driver.takeEffects() == [.network(.dropDownloads([id]))])
    #expect(driver.state.message?.text.hasSuffix("Press d to download it again.") == true, "undo does not")
    driver.state.library.rows[id]?.isDownloaded = true
    driver.type("gd")
    #expect(driver.takeEffects() == [], "it is there")
  }

  @Test func pauseKeyPausesAndResumesAllDownloads() throws {
    var driver = Self.driver()
    let ids = Array(driver.state.screen.episodes.ids.prefix(2))
    driver.type("P")
    #expect(driver.takeEffects() == [])
    driver.send(.download(.queue([Self.item(ids[0], .running), Self.item(ids[1], .failed("no"))])))
    driver.type("P")
    #expect(driver.takeEffects() == [.network(.pauseDownloads([ids[0]]))])
    driver.send(.download(.queue([Self.item(ids[0], .paused), Self.item(ids[1], .failed("no"))])))
    driver.type("P")
    #expect(driver.takeEffects() == [.download(ids)])
  }

  @Test func downloadRulesOfAPodcast() {
    var driver = Driver(size: Size(120, 30))
    let podcast = driver.state.library.podcasts[0].id
    #expect(driver.effects(of: ":auto-download 3<Enter>") == [.setAutomaticDownload(podcast, count: 3)])
    driver.type(":auto-download 0<Enter>:keep-downloads 5<Enter>")
    #expect(
      driver.takeEffects() == [.setAutomaticDownload(podcast, count: 0), .setKeptDownloads(podcast, count: 5)])
    for wrong in ["auto-download -1", "auto-download 101", "auto-download 1.5", "keep-downloads 0", "keep-downloads x"]
    {
      driver.type(":\(wrong)<Enter>")
      #expect(driver.takeEffects() == [], "\(wrong)")
      #expect(driver.state.message?.kind == .error)
    }
  }

  /// The reason of a failure is in the row, in a short form, and in a message.
  @Test func downloadProblemsAreShown() throws {
    var driver = Self.driver()
    let id = try #require(driver.state.screen.episodes.ids.first)
    let reason = "no connectivity: the name a.example could not be found"
    var item = DownloadProgress(id: id, title: "A part", phase: .waiting, problem: reason)
    driver.send(.download(.queue([item])))
    #expect(driver.lines.contains { $0.contains("waiting: the name a.e") })
    driver.send(.download(.delayed(id, message: "A part: \(reason); it is tried again")))
    #expect(driver.state.message?.kind == .warning && driver.state.message?.text.contains(reason) == true)
    (item.phase, item.problem) = (.failed(reason), nil)
    for width in [40, 80, 200] {
      driver.send(.input(.resize(Size(width, 24))))
      driver.send(.download(.queue([item])))
      #expect(driver.lines.contains { $0.contains("failed: the") }, "\(width)")
    }
  }

  @Test func downloadReportsAreShown() throws {
    var driver = Self.driver()
    let ids = driver.state.screen.episodes.ids
    driver.send(.download(.queue([Self.item(ids[0], .running), Self.item(ids[1], .waiting)])))
    #expect(driver.state.downloads.running == 1)
    #expect(driver.state.downloads.items.map(\.phase) == [.running, .waiting])
    #expect(driver.state.downloads.fraction == 0.5)
    var further = Self.item(ids[0], .running)
    further.received = 75
    driver.send(.download(.progress(further)))
    #expect(driver.state.downloads[ids[0]]?.fraction == 0.75)
    driver.send(.download(.progress(Self.item(EpisodeID(4711), .running))))
    #expect(driver.state.downloads.items.count == 2, "a late report of one that has gone")
    driver.send(.download(.finished(ids[0], title: "A part", bytes: 100)))
    #expect(driver.state.message?.text == "Downloaded “A part”")
    driver.send(.download(.failed(ids[1], .local, message: "A part: the disk is full")))
    #expect(driver.state.message?.kind == .error)
    driver.send(.download(.removed([ids[0]])))
    driver.send(.download(.queue([])))
    #expect(driver.state.downloads.isEmpty)
  }
}
