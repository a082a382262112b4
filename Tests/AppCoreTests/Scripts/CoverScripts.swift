import Model
import TerminalKit
import Testing

@testable import AppCore

/// Requests for covers, and how they are drawn.
@Suite struct CoverScripts {
  private static let episode = "https://example.org/episode.jpg"
  private static let podcast = "https://example.org/podcast.jpg"

  /// The details of an episode with its own picture, on a screen that is wide enough.
  private func driver() -> Driver {
    var library = FakeLibrary.sample
    library.pictures = [EpisodeID(1): Self.episode]
    library.podcastPicture = Self.podcast
    var driver = Driver(size: Size(120, 40), library: library)
    driver.type("<Enter>i")
    return driver
  }

  private func asked(_ driver: inout Driver) -> [CoverRequest] {
    driver.takeEffects().compactMap { if case .network(.cover(let request)) = $0 { request } else { nil } }
  }

  /// A picture as characters, and also as a graphic if `graphic`.
  private func answer(_ request: CoverRequest, graphic: Bool) -> CoverAnswer {
    let cells = Array(repeating: Cell("#"), count: request.size.width * request.size.height)
    let pixels = graphic ? Graphic(id: 5, size: request.size, bytes: [1]) : nil
    return CoverImage(size: request.size, cells: cells, graphic: pixels).map { .image($0) } ?? .missing
  }

  @Test func podcastCoverReplacesAMissingEpisodeCover() throws {
    var driver = driver()
    let own = try #require(asked(&driver).last)
    #expect(own.address == Self.episode)
    driver.send(.cover(own, .missing))
    let other = try #require(asked(&driver).last)
    #expect(other == CoverRequest(address: Self.podcast, size: own.size))
    driver.send(.cover(other, answer(other, graphic: false)))
    #expect(driver.screen.contains("####"))
    #expect(asked(&driver) == [], "none is asked for twice")
  }

  @Test func graphicIsShownUntilSomethingCoversIt() throws {
    var driver = driver()
    let request = try #require(asked(&driver).last)
    driver.send(.cover(request, answer(request, graphic: true)))
    let rect = try #require(render(driver.state).pictures.first?.rect)
    #expect(rect.size == request.size)
    #expect(!driver.screen.contains("#"))
    driver.type("?")
    #expect(render(driver.state).pictures.isEmpty)
    driver.type("<Esc>:x")
    #expect(render(driver.state).pictures.map(\.rect) == [rect], "the command line is far from it")
    // Half of the picture is above the pane.
    driver.state.overlays = []
    driver.send(.input(.resize(Size(120, 14))))
    driver.type("jj")
    #expect(render(driver.state).pictures.isEmpty || driver.state.screen.detail.top == 0)
  }

  /// On the Discover screen the details are too narrow for a picture beside the title, and mostly empty below it.
  @Test(arguments: [Size(80, 24), Size(120, 36)]) func coverIsBelowAShortText(size: Size) throws {
    var driver = Driver(size: size)
    driver.type("8moon<Enter>")
    var results = Driver.results(["Moon"])
    results.podcasts[0].artworkURL = Self.podcast
    driver.send(.discover(try #require(driver.state.awaited.request(.directories)), .results(results)))
    let request = try #require(asked(&driver).last)
    #expect(request.address == Self.podcast)
    driver.send(.cover(request, answer(request, graphic: true)))
    let picture = try #require(render(driver.state).pictures.first?.rect)
    let pane = try #require(driver.state.layout.area(.detail)).content
    #expect(picture.size == request.size && picture.maxY == pane.maxY && picture.maxX <= pane.maxX)
    #expect(picture.y > pane.y + driver.state.screen.detail.lines.count)
    // A long text has the whole pane.
    results.podcasts[0].summary = Document(blocks: Array(repeating: .paragraph([.init("All about it.")]), count: 12))
    driver.type("8moons<Enter>")
    driver.send(.discover(try #require(driver.state.awaited.request(.directories)), .results(results)))
    #expect(render(driver.state).pictures.isEmpty)
  }

  @Test func coversAreDrawnAgainForANewTerminalSize() throws {
    var driver = driver()
    let request = try #require(asked(&driver).last)
    driver.send(.cover(request, answer(request, graphic: true)))
    driver.send(.coversOutdated)
    #expect(asked(&driver) == [request])
    #expect(render(driver.state).pictures.isEmpty)
  }

  /// A graphic has half a megabyte, so only as many are kept as a few screens need.
  @Test func coverCacheKeepsFewGraphics() {
    var shelf = DrawnCovers()
    let requests = (0..<40).map { CoverRequest(address: "\($0)", size: Size(2, 1)) }
    for request in requests {
      let isNew = shelf.want(request)
      #expect(isNew)
      shelf.receive(request, answer(request, graphic: true))
    }
    #expect(requests.filter { shelf[$0] != nil } == Array(requests.suffix(16)))
  }
}
