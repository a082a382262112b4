import Foundation
import HTTP
import Model

/// The sink of a feed request. It parses the document as it arrives, or buffers it until it is known to be new.
///
/// The bytes are buffered and hashed. `feed` parses them on the caller's thread, so that the client's thread can
/// serve other requests. If the digest is that of the last body, nothing is parsed: hashing costs a hundredth of
/// parsing and storing. A body is parsed as it arrives if the caller wants a preview of a new feed, or if the body is
/// larger than the buffer.
///
/// `@unchecked`: used by the client's thread until the request completes, and afterwards by the waiting task.
final class FeedBody: HTTPSink, @unchecked Sendable {
  private let known: FeedValidators
  /// The digest of the last body, if that came from the same address. At another one, relative addresses in the same
  /// document mean other files (RFC 3986, section 5.1).
  private var knownDigest: String?
  private let spoolLimit: Int
  private let onEpisodes: EpisodePreview?
  private var digest = BodyDigest()
  /// The buffered bytes in pieces, so that appending never copies what came before, and each piece is freed once it is
  /// parsed.
  private var spool: [[UInt8]] = []
  private var spooled = 0
  private static let pieceSize = 64 << 10
  private var makeReader: (() -> FeedReader)?
  private var reader: FeedReader?
  private var error: FeedReadError?

  init(known: FeedValidators, spoolLimit: Int, onEpisodes: EpisodePreview?) {
    self.known = known
    self.spoolLimit = spoolLimit
    self.onEpisodes = onEpisodes
  }

  func begin(_ head: HTTPHead, from url: WebAddress) -> Bool {
    digest = BodyDigest()
    (spool, spooled) = ([], 0)
    reader = nil
    error = nil
    // Some servers redirect to an address with a new token in its query each time.
    let isSameAddress = known.url.map { $0.prefix { $0 != "?" } == url.text.prefix { $0 != "?" } } ?? true
    knownDigest = isSameAddress ? known.bodyDigest : nil
    // Relative addresses refer to the final address of the document.
    makeReader = { [onEpisodes] in
      FeedReader(feedURL: url.text, contentType: head.contentType, onEpisodes: onEpisodes)
    }
    if knownDigest == nil, onEpisodes != nil { reader = makeReader?() }
    return true
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    digest.add(bytes)
    if reader == nil {
      if spool.isEmpty || spool[spool.count - 1].count + bytes.count > Self.pieceSize {
        spool.append([])
        spool[spool.count - 1].reserveCapacity(max(Self.pieceSize, bytes.count))
      }
      spool[spool.count - 1] += bytes
      spooled += bytes.count
      return spooled <= spoolLimit || readSpool()
    }
    do { try reader?.feed(bytes) } catch { self.error = error }
    return error == nil
  }

  /// Starts parsing the buffered bytes. False if they are not a feed.
  private func readSpool() -> Bool {
    reader = makeReader?()
    spool.reverse()
    do { while let piece = spool.popLast() { try reader?.feed(piece) } } catch { self.error = error }
    spool = []
    return error == nil
  }

  var digestText: String { digest.text }

  /// The feed. Nil if its body is the last one. Call it once, after the request has completed.
  func feed() throws(FeedReadError) -> Feed? {
    if let knownDigest, knownDigest == digest.text { return nil }
    if reader == nil { _ = readSpool() }
    if let error { throw error }
    guard let reader else { throw .empty }
    return try reader.finish()
  }
}
