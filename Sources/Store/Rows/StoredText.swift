import Foundation
import Model

extension String {
  /// Without ASCII white space at both ends.
  var trimmed: String {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = utf8.firstIndex(where: { !isSpace($0) }), let last = utf8.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(self[first...last])
  }

  /// Without NUL, because GRDB passes C strings to SQLite, which end there. Uses `memchr`, because all texts of feeds
  /// pass through here.
  var withoutNUL: String {
    var text = self
    let hasNUL = text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return false }
      return memchr(start, 0, bytes.count) != nil
    }
    return hasNUL ? String(decoding: text.utf8.filter { $0 != 0 }, as: UTF8.self) : self
  }

  /// For comparing titles. Stored keys have this form, so a change of `TextFolding` needs a migration.
  var folded: String { TextFolding.fold(self) }
}
