import GRDB
import Model
import Testing

@testable import Store

/// Settings of a podcast that another version or a damaged file has brought. Each list reads the settings of all
/// podcasts.
@Suite struct DamagedSettingsTests {
  private let box: TemporaryLibrary
  private let podcast: PodcastID
  private var library: Library { box.library }

  init() throws {
    box = try TemporaryLibrary()
    podcast = try box.subscribe(Samples.episodes(1...5))
  }

  private func store(_ settings: String) throws {
    try library.pool.write { [podcast] db in
      try db.execute(
        sql: "INSERT OR REPLACE INTO podcastSettings (podcastID, settings) VALUES (?, ?)",
        arguments: [podcast.rawValue, settings])
    }
  }

  @Test(arguments: [#"{"autoDownload":"none"}"#, #"{"show":5}"#, "[]", "no JSON", ""])
  func libraryStaysReadable(settings: String) throws {
    try store(settings)
    #expect(try box.episodes(podcast).count == 5)
    #expect(try library.podcastSettings()[podcast]?.isDamaged == true)
    #expect(try library.settings(of: podcast).isDamaged)
    // What cannot be read may have forbidden it.
    #expect(try library.takeEpisodesToDownload(standard: 2) == [])
    #expect(try library.settings(of: podcast).isDamaged, "they were not written again")
    try library.change(.playback(.reset), of: podcast, now: Samples.now)
    #expect(try library.takeEpisodesToDownload(standard: 2).count == 2)
  }

  @Test func changeOfDamagedSettingsCanBeUndone() throws {
    try store(#"{"show":5,"keepDownloads":3}"#)
    try library.change(.keepDownloads(4), of: podcast, now: Samples.now)
    #expect(try library.settings(of: podcast).keepDownloads == 4)
    _ = try library.undo(now: Samples.now)
    #expect(try library.settings(of: podcast).keepDownloads == 3)
  }
}
