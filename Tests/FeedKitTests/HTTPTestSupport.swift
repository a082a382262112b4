import Foundation
import LoopbackServer
import Model
import Synchronization
import TemporaryFiles

@testable import FeedKit
@testable import HTTP

/// A sink that records what it gets, and can stop the transfer.
final class RecordingSink: HTTPSink {
  struct Record: Sendable {
    var bytes: [UInt8] = []
    var begins = 0
    var head: HTTPHead?
    var largestBody = 0
  }
  private let record = Mutex(Record())
  private let keeps: Bool
  private let stopAfter: Int

  /// `keeps` false: counts only, for bodies that are too large to keep.
  init(keeps: Bool = true, stopAfter: Int = .max) {
    self.keeps = keeps
    self.stopAfter = stopAfter
  }

  var now: Record { record.withLock { $0 } }
  var text: String { String(decoding: now.bytes, as: UTF8.self) }

  func begin(_ head: HTTPHead, from url: WebAddress) -> Bool {
    record.withLock {
      $0.begins += 1
      $0.head = head
      $0.bytes = []
      $0.largestBody = 0
    }
    return true
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    record.withLock {
      if keeps { $0.bytes += bytes }
      $0.largestBody += bytes.count
      return $0.largestBody < stopAfter
    }
  }
}

/// A sink that calls a function for each piece of a body, on the client's thread.
final class HandlerSink: HTTPSink {
  private let handler: @Sendable () -> Void

  init(_ handler: @escaping @Sendable () -> Void) { self.handler = handler }

  func begin(_ head: HTTPHead, from url: WebAddress) -> Bool { true }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    handler()
    return true
  }
}

/// A sink that is full after `limit` bytes, until it is opened.
final class PausingSink: HTTPSink {
  private struct Record {
    var bytes: [UInt8] = []
    var isOpen = false
  }
  private let record = Mutex(Record())
  private let limit: Int
  /// Called each time the transfer pauses.
  private let onPause: @Sendable () -> Void

  init(limit: Int, onPause: @escaping @Sendable () -> Void) {
    self.limit = limit
    self.onPause = onPause
  }

  var bytes: [UInt8] { record.withLock { $0.bytes } }
  func open() { record.withLock { $0.isOpen = true } }

  func begin(_ head: HTTPHead, from url: WebAddress) -> Bool { true }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    record.withLock { $0.bytes += bytes }
    return true
  }

  var isFull: Bool {
    let isFull = record.withLock { !$0.isOpen && $0.bytes.count >= limit }
    if isFull { onPause() }
    return isFull
  }
}

extension HTTPOptions {
  /// The default options, but with short waits and without jitter and proxies.
  static func forTests(_ change: (inout HTTPOptions) -> Void = { _ in }) -> HTTPOptions {
    var options = HTTPOptions()
    options.ignoresProxies = true
    options.requestRetry = RetryPolicy(base: 0.001, maximum: 0.001)
    options.random = { 0 }
    change(&options)
    return options
  }
}

/// Counts how often a client repeats requests. It needs one random number for each time.
final class RetryCounter: Sendable {
  private let retries = Mutex(0)
  var count: Int { retries.withLock { $0 } }

  /// For `HTTPOptions.random`.
  func note() -> Double {
    retries.withLock { $0 += 1 }
    return 0
  }
}

extension HTTPClient {
  func result(
    _ url: String, sink: any HTTPSink = RecordingSink(), _ change: (inout HTTPRequest) -> Void = { _ in }
  )
    async -> Result<HTTPResponse, HTTPError>
  {
    do throws(HTTPError) {
      var request = HTTPRequest(url: try WebAddress(url))
      change(&request)
      return .success(try await perform(request, sink: sink))
    } catch { return .failure(error) }
  }
}

extension Result where Failure == HTTPError {
  var error: HTTPError? {
    if case .failure(let error) = self { return error }
    return nil
  }
  var value: Success? { try? get() }
}

/// A feed from lines of `key: value`, so that tests of fetching are short: "feed" (the title), "item" (a guid, and the
/// address of its media if it ends with ".mp3"), "new" (the feed's new address), "next" and "archive" (older pages).
func toy(_ lines: String) -> String {
  let elements = lines.split(separator: "\n").map { line -> String in
    let parts = line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let value = parts.last ?? ""
    switch parts.first {
    case "feed": return "<title>\(value)</title>"
    case "item":
      let enclosure = value.hasSuffix(".mp3") ? "<enclosure url=\"\(value)\"/>" : ""
      return "<item><guid isPermaLink=\"false\">\(value)</guid>\(enclosure)</item>"
    case "new": return "<itunes:new-feed-url>\(value)</itunes:new-feed-url>"
    case "next": return "<atom:link rel=\"next\" href=\"\(value)\"/>"
    case "archive": return "<atom:link rel=\"prev-archive\" href=\"\(value)\"/>"
    default: return ""
    }
  }
  return """
    <rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
    \(elements.joined(separator: "\n"))
    </channel></rss>
    """
}

/// A web page that names these feeds.
func toyPage(_ feeds: [String]) -> String {
  "<html>" + feeds.map { "<link rel=\"alternate\" type=\"application/rss+xml\" href=\"\($0)\">" }.joined()
}

extension FetchResult {
  var feed: Feed? { if case .feed(let feed, _) = self { feed } else { nil } }
  var isUnchanged: Bool { if case .unchanged = self { true } else { false } }
  var error: FeedError? { if case .failed(let error) = self { error } else { nil } }
  var info: FetchInfo? {
    switch self {
    case .unchanged(let info), .feed(_, let info): info
    case .failed: nil
    }
  }
}

/// Runs gzip, which every system that can build the project has.
enum Gzip {
  static func compress(_ text: some StringProtocol) throws -> [UInt8] {
    let directory = try TemporaryDirectory()
    return try output(of: "gzip -c < '\(directory.write([UInt8](text.utf8), as: "text"))'")
  }

  static func zeros(megabytes count: Int) throws -> [UInt8] {
    try output(of: "head -c \(count << 20) /dev/zero | gzip -9")
  }

  private static func output(of command: String) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    // The pipe ends when the process does.
    return [UInt8](pipe.fileHandleForReading.readDataToEndOfFile())
  }
}

/// A clock that tests set.
final class TestClock: Sendable {
  private let time: Mutex<Date>
  init(_ start: Date) { time = Mutex(start) }
  var now: Date { time.withLock { $0 } }
  func advance(by seconds: Double) { time.withLock { $0 += seconds } }
}
