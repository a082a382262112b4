import HTTP
import LoopbackServer
import Testing

@testable import FeedKit

/// Addresses that are only known after a request.
@Suite(InTurn())
struct HTTPAddressTests {
  let client = FeedClient(http: HTTPClient(options: .forTests()))

  /// The server has no TLS, so the connection fails before it answers.
  @Test func answerOfTheServerIsReported() async throws {
    let server = try LoopbackServer()
    let address = try FeedAddress.parse("127.0.0.1:\(server.port)/gone")
    do throws(FeedError) {
      _ = try await client.fetchNew(address)
      Issue.record("found")
    } catch {
      #expect(error == .http(.notFound))
    }
  }

  @Test func bareHostFallsBackToHTTP() async throws {
    let server = try LoopbackServer(routes: ["/feed": .text(toy("feed: A"))])
    let new = try await client.fetchNew(try FeedAddress.parse("127.0.0.1:\(server.port)/feed"))
    #expect(new.url == server.url("/feed"))
  }
}
