import Foundation

/// Counts the attributes `xmlUrl` in the bytes of a file, besides those in comments. If the reader has seen fewer, the
/// file is damaged: a quotation mark is missing, or the document ends early.
enum OPMLAddresses {
  static func count(in data: Data) -> Int {
    data.withUnsafeBytes { bytes in
      let bytes = bytes.bindMemory(to: UInt8.self)
      guard var at = bytes.baseAddress else { return 0 }
      let end = at + bytes.count
      var (count, commentEnd, commentsEnd) = (0, at, true)
      while at < end {
        switch ByteScan.lower(at.pointee) {
        case UInt8(ascii: "x") where at >= commentEnd && ByteScan.has("xmlurl", at, end, ignoringCase: true):
          at += 6
          let sign = ByteScan.blanks(at, end)
          if sign < end, sign.pointee == UInt8(ascii: "=") { count += 1 }
        case UInt8(ascii: "<") where commentsEnd && at >= commentEnd && ByteScan.has("<!--", at, end):
          at += 4
          // A comment without an end is none, and no later one has an end.
          if let close = ByteScan.endOfComment(at, end) { commentEnd = close } else { commentsEnd = false }
        default: at += 1
        }
      }
      return count
    }
  }
}
