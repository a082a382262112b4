import Foundation
import HTTP

/// Metadata of a cached enclosure: which version of the file, and which bytes of it. Stored as JSON beside the bytes,
/// for the next run.
struct StreamMetadata: Codable, Equatable {
  /// The address of the enclosure, without a password.
  var url: String
  var etag: String?
  var lastModified: String?
  var contentType: String?
  /// Bytes of the whole file.
  var total: Int64
  /// The name of the file with the bytes, each at its original offset. Another version of the enclosure gets another
  /// file, because this one may still be read.
  var file: String
  /// Pairs of offsets: the first cached byte, and one past the last.
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

  /// Whether a response is for the same version of the file.
  func matches(_ head: HTTPHead, total: Int64?) -> Bool {
    guard total == self.total else { return false }
    // A partial response need not repeat the validators (RFC 9110 §15.3.7), because the server has compared them.
    if head.status == 206, head["ETag"] == nil, head["Last-Modified"] == nil { return true }
    if let etag { return StrongValidator(head).etag == etag }
    if let lastModified { return head["Last-Modified"] == lastModified }
    // There are no validators to compare, so the copy is from this run. FFmpeg joins such parts too.
    return true
  }
}
