import Model

/// Reads one feed document as its bytes arrive. `FeedReader` does; tests put a simpler one in its place.
protocol FeedBodyReader: AnyObject {
  func add(_ bytes: UnsafeRawBufferPointer) throws(FeedBodyError)
  /// After the last byte.
  func finish() throws(FeedBodyError) -> Feed
}

extension FeedBodyReader {
  /// `withUnsafeBytes` knows only untyped errors, hence the detour.
  func add(_ bytes: [UInt8]) throws(FeedBodyError) {
    try bytes.withUnsafeBytes { buffer in Result { () throws(FeedBodyError) in try add(buffer) } }.get()
  }
}

/// Why a body is no feed.
enum FeedBodyError: Error, Equatable {
  /// A web page, and the feeds that it names, in its order.
  case html(alternates: [String])
  case notAFeed(reason: String)
  case tooLarge(limit: Int64)

  var feedError: FeedError {
    switch self {
    case .html: .invalidData(.html)
    case .notAFeed(let reason): .invalidData(.notAFeed(reason: reason))
    case .tooLarge(let limit): .tooLarge(limit: limit)
    }
  }
}

/// Makes a reader for a document: its address (for relative ones inside), the `Content-Type` of HTTP, and where
/// episodes go as soon as they are read.
typealias MakeFeedBodyReader =
  @Sendable (_ url: String, _ contentType: String?, _ onEpisodes: @escaping @Sendable ([FeedEpisode]) -> Void) ->
  any FeedBodyReader
