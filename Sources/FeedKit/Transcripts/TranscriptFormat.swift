import Model

/// The formats of podcast:transcript, best first (AntennaPod's order, then formats without exact times).
enum TranscriptFormat: Int, CaseIterable {
  case json, webVTT, subRip, html, plain

  /// By media type. Several are used for SRT.
  private static let types: [String: TranscriptFormat] = [
    "application/json": .json, "text/json": .json, "text/vtt": .webVTT, "application/vtt": .webVTT,
    "application/x-subrip": .subRip, "application/srt": .subRip, "text/srt": .subRip, "application/srr": .subRip,
    "text/x-subrip": .subRip, "text/html": .html, "application/xhtml+xml": .html, "text/plain": .plain,
    "text/markdown": .plain,
  ]

  private static let extensions: [String: TranscriptFormat] = [
    "json": .json, "vtt": .webVTT, "srt": .subRip, "html": .html, "htm": .html, "txt": .plain, "md": .plain,
  ]

  /// The format of a media type, with or without parameters.
  static func ofType(_ type: String?) -> TranscriptFormat? {
    guard let essence = type?.split(separator: ";").first else { return nil }
    return types[CleanText.line(String(essence)).lowercased()]
  }

  /// The format of a file extension in an address.
  static func ofAddress(_ address: String?) -> TranscriptFormat? {
    address.flatMap { extensions[$0.addressExtension] }
  }

  /// The format detected from the beginning of the text.
  static func sniffed(_ text: Substring) -> TranscriptFormat? {
    let head = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    if head.hasPrefix("WEBVTT") { return .webVTT }
    if head.hasPrefix("{") || isList(head) { return .json }
    if head.hasPrefix("<") { return .html }
    // "1\n00:00:01,000 --> …", also without the number.
    let lines = head.split(maxSplits: 3, omittingEmptySubsequences: true, whereSeparator: \.isNewline).prefix(2)
    return lines.contains { $0.prefix(120).contains("-->") } ? .subRip : nil
  }

  /// A JSON list of objects, or an empty one. Plain text may begin with a bracket too: `[Music]`, `[ ] to do`.
  private static func isList(_ text: Substring) -> Bool {
    guard text.hasPrefix("[") else { return false }
    let inside = text.dropFirst().drop(while: \.isWhitespace)
    return inside.hasPrefix("{") || inside.hasPrefix("]") && inside.dropFirst().allSatisfy(\.isWhitespace)
  }
}
