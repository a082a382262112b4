import AppCore
import FeedKit
import Foundation
import Logging
import LoopbackServer
import Synchronization
import TerminalKit
import Testing

@testable import CoverArt
@testable import Services
@testable import TUIApp

/// Fetching covers and keeping them in the cache.
@Suite(InTurn()) struct CoverLoaderTests {
  /// Two by two pixels.
  private static let gif = Data(
    base64Encoded: "R0lGODlhAgACAPEAAP8AAAD/AAAA/////yH5BAAAAAAALAAAAAACAAIAAAIDRDQFADs=")!
  private static let hasLibraries = (try? CoverPainter(depth: .trueColor, ascii: false).decode(gif)) != nil

  private let fixture: FeedFixture
  private var server: LoopbackServer { fixture.server }

  init() throws { fixture = try FeedFixture() }

  /// Loads the cover as after a start of the program: only the files in the cache are known.
  private func load() async -> CoverAnswer { await load(with: loader(CoverPainter(depth: .trueColor, ascii: false))) }

  private func loader(_ painter: CoverPainter, log: Logger? = nil) -> CoverLoader {
    CoverLoader(
      client: FeedClient(http: fixture.http), resources: Resources(),
      directory: fixture.home.directories.cache + "/covers", painter: painter, log: log)
  }

  private func load(with loader: CoverLoader) async -> CoverAnswer {
    let request = CoverRequest(address: server.url("/cover"), size: Size(4, 2))
    return await withCheckedContinuation { continuation in
      loader.load(request) { continuation.resume(returning: $0) }
    }
  }

  @Test(.enabled(if: hasLibraries, "libchafa or libavcodec is not installed"))
  func answerThatIsNoPictureIsFetchedAgain() async {
    server.route("/cover", .text("<!DOCTYPE html><title>Log in</title>", type: "text/html"))
    #expect(await load() == .missing)
    server.route("/cover", .bytes([UInt8](Self.gif), type: "image/gif"))
    for _ in 1...2 {
      guard case .image = await load() else {
        Issue.record("the cover is missing")
        continue
      }
    }
    #expect(server.requests.count == 2, "the picture is in the cache")
  }

  @Test func missingLibraryIsLoggedOnce() async {
    server.route("/cover", .bytes([UInt8](Self.gif), type: "image/gif"))
    let lines = LogLines()
    let loader = loader(
      CoverPainter(depth: .trueColor, ascii: false, releases: 90...91), log: Logger(label: "test") { _ in lines })
    for _ in 1...2 { #expect(await load(with: loader) == .missing) }
    let texts = lines.texts.withLock { $0 }
    #expect(texts.count == 1 && texts[0].contains("There are no pictures") && texts[0].contains("is missing"))
  }
}

/// Collects the messages of a logger.
private final class LogLines: LogHandler {
  let texts = Mutex<[String]>([])
  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }
  var logLevel: Logger.Level {
    get { .info }
    set {}
  }
  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) { texts.withLock { $0.append("\(event.message)") } }
}
