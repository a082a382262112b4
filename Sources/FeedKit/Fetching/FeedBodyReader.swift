import Model

/// Parses a feed document as its bytes arrive. `FeedReader` conforms to it; tests of fetching use a simpler one.
protocol FeedBodyReader: AnyObject {
  func feed(_ bytes: UnsafeRawBufferPointer) throws(FeedReadError)
  /// Called after the last byte.
  func finish() throws(FeedReadError) -> Feed
}

extension FeedReader: FeedBodyReader {}

extension FeedBodyReader {
  /// `withUnsafeBytes` has no typed errors, so the result is wrapped.
  func feed(_ bytes: [UInt8]) throws(FeedReadError) {
    try bytes.withUnsafeBytes { buffer in Result { () throws(FeedReadError) in try feed(buffer) } }.get()
  }
}

/// Receives episodes as soon as they are parsed, with the channel as known so far.
public typealias EpisodePreview = @Sendable ([FeedEpisode], FeedPodcast) -> Void

/// Creates a reader for a document with this address (the base for relative ones) and HTTP `Content-Type`.
typealias MakeFeedBodyReader =
  @Sendable (_ url: String, _ contentType: String?, _ onEpisodes: EpisodePreview?) -> any FeedBodyReader
