import LoopbackServer
import Testing

@testable import FeedKit

/// Addresses that are only known after a request.
@Suite(InTurn())
struct HTTPAddressTests {
  @Test func appleLookupGivesTheFeed() async throws {
    let server = try LoopbackServer()
    server.route("/lookup", .text(#"{"resultCount":1,"results":[{"feedUrl":"\#(server.url("/feed"))"}]}"#))
    server.route("/feed", .text("feed: A"))
    let client = FeedClient.toy(lookupBase: server.baseURL)
    let new = try await client.fetchNew(try FeedAddress.parse("https://podcasts.apple.com/us/podcast/x/id42"))
    #expect(new.url == server.url("/feed"))
    #expect(new.feed.podcast.title == "A")
    #expect(server.requests.first?.query == "id=42&entity=podcast")
    #expect(new.listing == DirectoryListing(collectionID: "42", feedURL: server.url("/feed"), artworkURL: nil))
  }

  @Test func appleLookupGivesThePicture() async throws {
    let server = try LoopbackServer()
    let pictures = #""artworkUrl100":"https://a.example/100.jpg","artworkUrl600":"https://a.example/600.jpg""#
    server.route(
      "/lookup", .text(#"{"results":[{"collectionId":43,"feedUrl":"\#(server.url("/feed"))",\#(pictures)}]}"#))
    server.route("/feed", .text("feed: A"))
    let client = FeedClient.toy(lookupBase: server.baseURL)
    let new = try await client.fetchNew(try FeedAddress.parse("https://podcasts.apple.com/us/podcast/x/id42"))
    #expect(new.listing?.collectionID == "43" && new.listing?.artworkURL == "https://a.example/600.jpg")
    #expect(try await client.fetchNew(try FeedAddress.parse(server.url("/feed"))).listing == nil)
  }

  @Test(arguments: [#"{"resultCount":0,"results":[]}"#, #"{"results":[{"trackId":1}]}"#, "<html>", ""])
  func appleLookupWithoutAFeedIsReported(_ answer: String) async throws {
    let server = try LoopbackServer(routes: ["/lookup": .text(answer)])
    let client = FeedClient.toy(lookupBase: server.baseURL)
    do throws(FeedError) {
      _ = try await client.fetchNew(FeedAddress(target: .lookup(appleID: "1")))
      Issue.record("found")
    } catch {
      guard case .invalidData(.malformed) = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  /// The server has no TLS, so the connection fails before it answers.
  @Test func answerOfTheServerIsReported() async throws {
    let server = try LoopbackServer()
    let address = try FeedAddress.parse("127.0.0.1:\(server.port)/gone")
    do throws(FeedError) {
      _ = try await FeedClient.toy().fetchNew(address)
      Issue.record("found")
    } catch {
      #expect(error == .http(.notFound))
    }
  }

  @Test func bareHostFallsBackToHTTP() async throws {
    let server = try LoopbackServer(routes: ["/feed": .text("feed: A")])
    let new = try await FeedClient.toy().fetchNew(try FeedAddress.parse("127.0.0.1:\(server.port)/feed"))
    #expect(new.url == server.url("/feed"))
  }
}
