import Foundation
import Model

/// The sink of one feed request: reads the document while it arrives, or keeps it until it is known to be new.
///
/// When the digest of the last body is known the bytes are spooled and hashed, and read only if they differ:
/// hashing costs a hundredth of reading and storing. A feed never seen before is read byte by byte, so that its
/// first episodes are on screen before the last byte has arrived.
///
/// `@unchecked`: used by the client's thread until the request completes, by the waiting task afterwards.
final class FeedBody: HTTPSink, @unchecked Sendable {
  private let knownDigest: String?
  private let onEpisodes: @Sendable ([FeedEpisode]) -> Void
  private let makeReader: MakeFeedBodyReader
  private var digest = BodyDigest()
  private var spool: [UInt8] = []
  private var makeReaderNow: (() -> any FeedBodyReader)?
  private var reader: (any FeedBodyReader)?
  private var error: FeedBodyError?

  init(
    knownDigest: String?, makeReader: @escaping MakeFeedBodyReader,
    onEpisodes: @escaping @Sendable ([FeedEpisode]) -> Void
  ) {
    self.knownDigest = knownDigest
    self.makeReader = makeReader
    self.onEpisodes = onEpisodes
  }

  func begin(_ head: HTTPHead, from url: WebAddress) -> Bool {
    digest = BodyDigest()
    spool = []
    reader = nil
    error = nil
    makeReaderNow = { [makeReader, onEpisodes] in makeReader(url.text, head.contentType, onEpisodes) }
    if knownDigest == nil { reader = makeReaderNow?() }
    return true
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    digest.add(bytes)
    if knownDigest != nil {
      spool.append(contentsOf: bytes)
      return true
    }
    do { try reader?.add(bytes) } catch { self.error = error }
    return error == nil
  }

  enum Outcome {
    case unchanged
    case feed(Feed)
    case failed(FeedBodyError)
  }

  var digestText: String { digest.text }

  /// What the body was; call once, after the request has completed.
  func outcome() -> Outcome {
    if let error { return .failed(error) }
    if let knownDigest, knownDigest == digest.text { return .unchanged }
    guard let reader = reader ?? makeReaderNow?() else { return .failed(.notAFeed(reason: "no answer")) }
    do throws(FeedBodyError) {
      if !spool.isEmpty {
        let bytes = spool
        spool = []
        try reader.add(bytes)
      }
      return .feed(try reader.finish())
    } catch { return .failed(error) }
  }
}

/// The sink for bodies that are kept whole.
/// `@unchecked`: used by the client's thread until the request completes, by the waiting task afterwards.
final class BytesBody: HTTPSink, @unchecked Sendable {
  private(set) var bytes: [UInt8] = []

  func begin(_ head: HTTPHead, from url: WebAddress) -> Bool {
    bytes = []
    return true
  }

  func receive(_ body: UnsafeRawBufferPointer) -> Bool {
    bytes.append(contentsOf: body)
    return true
  }
}
