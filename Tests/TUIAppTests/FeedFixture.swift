import AppCore
import FeedKit
import Foundation
import HTTP
import LoopbackServer
import Model
import Store

@testable import Services
@testable import TUIApp

/// The environment for tests of feeds: a home, a server, a library, and a client with short waits.
struct FeedFixture {
  let home: TemporaryHome
  let server: LoopbackServer
  let library: Library
  let http: HTTPClient
  private let clock: @Sendable () -> Date

  /// - Parameter now: the time of the clock; nil: the machine's clock.
  init(now: Date? = nil) throws {
    home = try TemporaryHome()
    server = try LoopbackServer()
    try home.directories.create()
    library = try Library(path: home.directories.database)
    var options = HTTPOptions()
    options.ignoresProxies = true
    options.requestRetry = RetryPolicy(base: 0.001, maximum: 0.001)
    let clock: @Sendable () -> Date = { now ?? Date() }
    options.now = clock
    http = HTTPClient(options: options)
    self.clock = clock
  }

  func refresher(directories: DirectoryAccess? = nil) -> Refresher {
    Refresher(
      library: library, client: FeedClient(http: http), resources: Resources(), directories: directories, clock: clock)
  }
}
