import Model

/// Converts descriptions of podcasts and episodes to a document for display, or to a line for searching.
public enum HTMLDocument {
  /// The maximum number of bytes of a description that are read. The longest real ones have about 200 KB.
  static let maxBytes = 8_000_000

  /// Parses a description in any form found in feeds (plain text, HTML, HTML escaped twice).
  ///
  /// A `<br>`, or a line break in plain text, becomes "\n" inside a span. Relative addresses are resolved against
  /// `baseURL`. Never fails: what cannot be parsed as HTML is read as text.
  public static func parse(_ html: String, baseURL: String? = nil) -> Document {
    var bytes = Array(html.utf8.prefix(maxBytes))
    // Feeds escape their HTML at most twice.
    for _ in 0..<2 {
      guard DescriptionForm.of(bytes) == .escapedHTML else { break }
      bytes = Array(HTMLEntities.decoded(String(decoding: bytes, as: UTF8.self)).utf8)
    }
    let form = DescriptionForm.of(bytes)
    var builder = DocumentBuilder(baseURL: baseURL, keepsLines: form != .html)
    guard form != .plain, form != .escapedHTML else {
      builder.text(bytes)
      return builder.finish()
    }
    let guarded = HTMLGuard.guarded(withoutEscapes(bytes))
    let read = guarded.withUnsafeBufferPointer { buffer in
      HTMLTokens.read(buffer) { token in
        switch token {
        case .start(let name, let attributes): builder.start(name, attributes)
        case .end(let name): builder.end(name)
        case .text(let bytes): builder.text(bytes)
        }
        return !builder.isFull
      }
    }
    // Nested too deeply for libxml2. The rest is added as text, so that nothing is lost.
    if read < guarded.count, !builder.isFull {
      builder.leaveAll()
      // libxml2 stops inside the last start tag, before its ">".
      let rest = guarded[read...].drop { $0 != UInt8(ascii: ">") }.dropFirst()
      builder.text(Array(PlainText.line(rest).utf8))
    }
    return builder.finish()
  }

  /// Removes escape sequences, because libxml2 drops the ESC character and would leave the rest as text.
  private static func withoutEscapes(_ bytes: [UInt8]) -> [UInt8] {
    let isSuspect = bytes.indices.contains { index in
      if bytes[index] == 0x1B { return true }
      guard bytes[index] == UInt8(ascii: "&"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "#") else {
        return false
      }
      return HTMLEntities.reference(in: bytes[index...].prefix(8))?.0.value == 0x1B
    }
    guard isSuspect else { return bytes }
    let text = String(decoding: bytes, as: UTF8.self).replacing(/&#(?:27|[xX]1[bB]);/, with: "\u{1B}")
    return Array(CleanText.scrubbed(text).utf8)
  }

  /// The text on one line, without markup, for the search index and for lists. Processes hundreds of megabytes per
  /// second.
  public static func plainText(_ html: String) -> String {
    var html = html
    return html.withUTF8 { PlainText.line($0) }
  }
}
