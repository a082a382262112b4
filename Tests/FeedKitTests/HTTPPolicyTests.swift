import Foundation
import Model
import Testing

@testable import FeedKit
@testable import HTTP

/// The parts of HTTP that are pure functions.
@Suite(InTurn()) struct HTTPPolicyTests {
  @Test func backOffDoublesUpToItsLimit() {
    let policy = RetryPolicy(base: 10, maximum: 100)
    #expect([1, 2, 3, 4, 5, 500].map { policy.delay(afterFailures: $0, random: 0) } == [5, 10, 20, 40, 50, 50])
    #expect([1, 2, 3, 4, 5, 500].map { policy.delay(afterFailures: $0, random: 1) } == [10, 20, 40, 80, 100, 100])
    #expect(policy.delay(afterFailures: -3, random: 7) == 10)
  }

  @Test func feedRetryDependsOnTheError() {
    let now = Date(timeIntervalSince1970: 0)
    let policy = RetryPolicy(base: 600, maximum: 86_400)
    let server = Origin(scheme: "https", host: "h", port: 443)
    func next(_ error: FeedError) -> Double? {
      policy.nextAttempt(after: error, failures: 1, now: now, random: 1)?.timeIntervalSince1970
    }
    #expect(next(.http(.gone)) == nil)
    #expect(next(.http(.unauthorized(realm: nil, by: Origin(scheme: "https", host: "h", port: 443)))) == nil)
    #expect(next(.http(.notFound)) == 600)
    #expect(next(.http(.noConnectivity(.timedOut("h")))) == 600)
    #expect(next(.http(.rateLimited(until: now.addingTimeInterval(50), by: server))) == 50)
    #expect(next(.http(.rateLimited(until: now.addingTimeInterval(1e9), by: server))) == 86_400)
  }

  @Test func hostQueueAlternatesBetweenHosts() {
    var queue = HostQueue<Int>(perHost: 2, atOnce: 3)
    for id in 1...4 { queue.add(id, host: "a") }
    for id in 11...12 { queue.add(id, host: "b") }
    #expect([queue.next(), queue.next(), queue.next(), queue.next()] == [1, 11, 2, nil])
    queue.finish(host: "b")
    #expect(queue.next() == 12)
    queue.finish(host: "a")
    #expect(queue.next() == 3)
    queue.remove(4, host: "a")
    queue.finish(host: "a")
    #expect(queue.next() == nil)
  }

  @Test func hostQueueReturnsTheRequestsOfAPausedHost() {
    var queue = HostQueue<Int>(perHost: 1, atOnce: 9)
    let now = Date(timeIntervalSince1970: 0)
    for id in 1...3 { queue.add(id, host: "a") }
    #expect(queue.next() == 1)
    #expect(queue.pause(host: "a", until: now + 10, now: now) == [2, 3])
    queue.finish(host: "a")
    #expect(queue.next() == nil)
    #expect(queue.pauseEnd(of: "a", now: now) == now + 10)
    #expect(queue.pauseEnd(of: "a", now: now + 10) == nil)
    #expect(queue.pauseEnd(of: "b", now: now) == nil)
    #expect(queue.pauseEnd(of: "a", now: now - 3600) == nil, "the clock was set back")
    #expect(queue.pause(host: "a", until: now - 3600, now: now + 5) == [])
    #expect(queue.pauseEnd(of: "a", now: now + 5) == now + 10, "a shorter pause does not shorten it")
  }

  @Test(
    arguments: [
      ("120", 120.0), (" 0 ", 0), ("-5", 0), ("1.5", 1.5), ("Thu, 01 Jan 1970 00:01:00 GMT", 60),
      ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Thu Jan  1 00:01:00 1970", 60), ("soon", nil), ("", nil),
      ("inf", nil),
    ] as [(String, Double?)])
  func retryAfter(_ value: String, _ seconds: Double?) {
    let head = HTTPHead(status: 429, headers: [("retry-after", value)])
    #expect(head.retryAfter(now: Date(timeIntervalSince1970: 0))?.timeIntervalSince1970 == seconds)
  }

  @Test func lastHeadIsUsed() {
    var reader = HTTPHeadReader(limit: 1000)
    let lines = [
      "HTTP/1.1 100 Continue", "A: 1", "", "HTTP/2 200", "b:2 ", "no colon", "C: caf\u{e9}", "", "Trailer: x", "",
    ]
    let isDone = lines.map { line in Array((line + "\r\n").utf8).withUnsafeBytes { reader.add($0) } && reader.isDone }
    #expect(isDone == [false, false, false, false, false, false, false, true, true, true])
    #expect(reader.head.status == 200)
    #expect(reader.head.headers.map(\.name) == ["b", "C"])
    #expect(reader.head["B"] == "2")
  }

  @Test func realms() {
    func realm(_ value: String) -> String? {
      HTTPHead(status: 401, headers: [("WWW-Authenticate", value)]).basicRealm
    }
    #expect(realm("Basic realm=\"Members only\", charset=\"UTF-8\"") == "Members only")
    #expect(realm("basic REALM=\"\"") == "")
    #expect(realm("Negotiate") == nil)
  }

  @Test func digestDistinguishesBodies() {
    func digest(_ pieces: [String]) -> String {
      var digest = BodyDigest()
      for piece in pieces { Array(piece.utf8).withUnsafeBytes { digest.add($0) } }
      return digest.text
    }
    let text = "The quick brown fox jumps over the lazy dog."
    let whole = digest([text])
    #expect(whole == "5ae69f507381baca-44")
    for cut in 0...text.utf8.count {
      #expect(digest([String(text.prefix(cut)), "", String(text.dropFirst(cut))]) == whole)
    }
    #expect(digest(text.map(String.init)) == whole)
    let changes = text.indices.map { index in
      var copy = text
      copy.replaceSubrange(index...index, with: "\u{1}")
      return digest([copy])
    }
    #expect(Set(changes + [whole]).count == text.count + 1)
    #expect(digest(["a\0"]) != digest(["a"]))
  }

  @Test func messagesNameThePodcastAndTheCause() {
    let error = FeedError.http(.noConnectivity(.hostNotFound("feeds.example.org")))
    #expect(
      error.message(podcast: "Radiolab")
        == "Radiolab: no connectivity: the name feeds.example.org could not be found")
    #expect(
      FeedError.invalidData(.html).message(podcast: "R") == "R: invalid data: a web page came instead of a feed")
    #expect(FeedError.http(.refused(status: 403)).message(podcast: "R") == "R: the server refused: forbidden (403)")
    #expect(HTTPError.tooLarge(limit: 5_000_000).cause == "invalid data: more than 5 MB")
  }

  @Test func messagesCarryNoEscapes() {
    let hostile = "\u{1B}]0;owned\u{07}\u{202E}\u{9B}31m" + String(repeating: "x", count: 10_000)
    for error: FeedError in [
      .http(.unauthorized(realm: hostile, by: Origin(scheme: "https", host: "h", port: 443))),
      .http(.redirectLoop(url: hostile)),
      .invalidData(.notAFeed(reason: hostile)),
    ] {
      let scalars = error.cause.unicodeScalars
      #expect(!scalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0.value == 0x202E })
      #expect(scalars.count <= 500)
      #expect(error.cause.contains("]0;owned"))
    }
  }

  @Test func connectivityAndInvalidDataAreDistinguished() {
    let connectivity: [HTTPError] = [
      .noConnectivity(.cut("h")), .refused(status: 500), .notFound, .gone,
      .unauthorized(realm: nil, by: Origin(scheme: "https", host: "h", port: 443)),
      .tooManyRedirects(limit: 10), .redirectLoop(url: "u"),
    ]
    let data: [FeedError] = [
      .invalidData(.html), .http(.tooLarge(limit: 1)), .http(.unsupportedScheme("ftp")), .http(.badAddress("x")),
    ]
    #expect(connectivity.map(\.isConnectivity) == connectivity.map { _ in true })
    #expect(data.map(\.isConnectivity) == data.map { _ in false })
  }
}
