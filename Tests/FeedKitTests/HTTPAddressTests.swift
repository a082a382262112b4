import LoopbackServer
import Testing

@testable import FeedKit

/// Addresses that are only known once somebody has been asked.
@Suite(.timeLimit(.minutes(1)))
struct HTTPAddressTests {
  @Test func appleKnowsTheFeed() async throws {
    let server = try LoopbackServer()
    server.route("/lookup", .text(#"{"resultCount":1,"results":[{"feedUrl":"\#(server.url("/feed"))"}]}"#))
    server.route("/feed", .text("feed: A"))
    let client = FeedClient.toy(lookupBase: server.baseURL)
    let new = try await client.fetchNew(try FeedAddress.parse("https://podcasts.apple.com/us/podcast/x/id42"))
    #expect(new.url == server.url("/feed"))
    #expect(new.feed.podcast.title == "A")
    #expect(server.requests.first?.query == "id=42&entity=podcast")
  }

  @Test(arguments: [#"{"resultCount":0,"results":[]}"#, #"{"results":[{"trackId":1}]}"#, "<html>", ""])
  func appleDoesNotKnowTheFeed(_ answer: String) async throws {
    let server = try LoopbackServer(routes: ["/lookup": .text(answer)])
    let client = FeedClient.toy(lookupBase: server.baseURL)
    do throws(FeedError) {
      _ = try await client.resolve(FeedAddress(target: .lookup(appleID: "1")))
      Issue.record("resolved")
    } catch {
      guard case .invalidData(.malformed) = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test func aBareHostFallsBackToHTTP() async throws {
    let server = try LoopbackServer(routes: ["/feed": .text("feed: A")])
    let new = try await FeedClient.toy().fetchNew(try FeedAddress.parse("127.0.0.1:\(server.port)/feed"))
    #expect(new.url == server.url("/feed"))
  }
}
