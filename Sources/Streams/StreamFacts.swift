import Foundation
import HTTP

/// What is held of one enclosure, and of which version of the file. Lies beside the bytes as JSON, so that the next run
/// knows.
struct StreamFacts: Codable, Equatable {
  /// Where the bytes came from; without a password.
  var url: String
  var etag: String?
  var lastModified: String?
  var contentType: String?
  /// Bytes of the whole file.
  var total: Int64
  /// The file with the bytes, each at its own place. Another version of the enclosure gets another file: somebody may
  /// still be reading this one.
  var file: String
  /// Pairs: the first byte that is held, and the one behind the last.
  var held: [[Int64]] = []

  var validator: StrongValidator { StrongValidator(etag: etag, lastModified: lastModified) }

  var ranges: RangeSet<Int64> {
    get {
      RangeSet(
        held.compactMap { pair in
          guard pair.count == 2, pair[0] >= 0, pair[0] < pair[1], pair[1] <= total else { return nil }
          return pair[0]..<pair[1]
        })
    }
    set { held = newValue.ranges.map { [$0.lowerBound, $0.upperBound] } }
  }

  /// Whether an answer is about the same version of the file.
  func meets(_ head: HTTPHead, total: Int64?) -> Bool {
    guard total == self.total else { return false }
    // A part need not repeat the validators (RFC 9110 §15.3.7): the server has compared them.
    if head.status == 206, head["ETag"] == nil, head["Last-Modified"] == nil { return true }
    if let etag { return StrongValidator(head).etag == etag }
    if let lastModified { return head["Last-Modified"] == lastModified }
    // Nothing was proved, so this is of the same run: FFmpeg joins such parts, too.
    return true
  }
}
