import Foundation
import HTTP
import Model

/// The sink of one feed request: reads the document while it arrives, or keeps it until it is known to be new.
///
/// The bytes are spooled and hashed. `outcome` reads them on the thread of the caller, so that the client's thread can go on
/// with other requests. It does not read a body whose digest is that of the last one: hashing costs a hundredth of reading
/// and storing. A body is read as it arrives when the caller wants a preview of a feed without a digest, and when it
/// outgrows the spool.
///
/// `@unchecked`: used by the client's thread until the request completes, by the waiting task afterwards.
final class FeedBody: HTTPSink, @unchecked Sendable {
  private let knownDigest: String?
  private let spoolLimit: Int
  private let onEpisodes: EpisodePreview?
  private let makeReader: MakeFeedBodyReader
  private var digest = BodyDigest()
  private var spool: [UInt8] = []
  private var makeReaderNow: (() -> any FeedBodyReader)?
  private var reader: (any FeedBodyReader)?
  private var error: FeedReadError?

  init(
    knownDigest: String?, spoolLimit: Int, makeReader: @escaping MakeFeedBodyReader,
    onEpisodes: EpisodePreview?
  ) {
    self.knownDigest = knownDigest
    self.spoolLimit = spoolLimit
    self.makeReader = makeReader
    self.onEpisodes = onEpisodes
  }

  func begin(_ head: HTTPHead, from url: WebAddress) -> Bool {
    digest = BodyDigest()
    spool = []
    reader = nil
    error = nil
    makeReaderNow = { [makeReader, onEpisodes] in makeReader(url.text, head.contentType, onEpisodes) }
    if knownDigest == nil, onEpisodes != nil { reader = makeReaderNow?() }
    return true
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    digest.add(bytes)
    if reader == nil {
      spool.append(contentsOf: bytes)
      return spool.count <= spoolLimit || readSpool()
    }
    do { try reader?.feed(bytes) } catch { self.error = error }
    return error == nil
  }

  /// Starts reading with what is spooled. False when that is no feed.
  private func readSpool() -> Bool {
    reader = makeReaderNow?()
    let bytes = spool
    spool = []
    do { try reader?.feed(bytes) } catch { self.error = error }
    return error == nil
  }

  enum Outcome {
    case unchanged
    case feed(Feed)
    case failed(FeedReadError)
  }

  var digestText: String { digest.text }

  /// What the body was; call once, after the request has completed.
  func outcome() -> Outcome {
    if let knownDigest, knownDigest == digest.text { return .unchanged }
    if reader == nil { _ = readSpool() }
    if let error { return .failed(error) }
    guard let reader else { return .failed(.empty) }
    do { return .feed(try reader.finish()) } catch { return .failed(error) }
  }
}
