import Model

/// Reads one feed document as its bytes arrive. `FeedReader` does; tests of fetching put a simpler one in its place.
protocol FeedBodyReader: AnyObject {
  func feed(_ bytes: UnsafeRawBufferPointer) throws(FeedReadError)
  /// After the last byte.
  func finish() throws(FeedReadError) -> Feed
}

extension FeedReader: FeedBodyReader {}

extension FeedBodyReader {
  /// `withUnsafeBytes` knows only untyped errors, hence the detour.
  func feed(_ bytes: [UInt8]) throws(FeedReadError) {
    try bytes.withUnsafeBytes { buffer in Result { () throws(FeedReadError) in try feed(buffer) } }.get()
  }
}

/// Receives episodes as soon as they are read, with the channel as far as it is known by then.
public typealias EpisodePreview = @Sendable ([FeedEpisode], FeedPodcast) -> Void

/// Makes a reader for a document: its address (for relative ones inside) and the `Content-Type` of HTTP.
typealias MakeFeedBodyReader =
  @Sendable (_ url: String, _ contentType: String?, _ onEpisodes: EpisodePreview?) -> any FeedBodyReader
