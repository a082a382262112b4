import Foundation

/// The kind of a file, judged by its first bytes. No audio format starts with half a kilobyte of plain text, whatever
/// its name, address or content type: MP3, MP4, Ogg, FLAC, WAVE, AAC, AIFF, Matroska, WMA and AMR all have bytes near
/// the beginning that no text contains.
package enum FileKind: Equatable {
  /// Anything that is not text, such as sound, a picture or a book.
  case binary
  /// A list of addresses of the sound instead of the sound.
  case manifest(Manifest)
  /// HTML, such as a login page that answers every request.
  case page
  case text

  package enum Manifest: String, Sendable {
    /// RFC 8216.
    case hls = "HLS"
    /// ISO/IEC 23009-1.
    case dash = "DASH"
    case smooth = "Smooth Streaming"
    case m3u = "M3U"
    case pls = "PLS"
    case xspf = "XSPF"
    case asx = "ASX"
    case smil = "SMIL"

    /// One recording in many segments, which players can join.
    var isStream: Bool { [.hls, .dash, .smooth].contains(self) }
  }

  /// How many bytes `init` needs, if the file has as many.
  static let sampleSize = 4096

  package init(_ start: some Sequence<UInt8>) {
    let bytes = Array(start.prefix(Self.sampleSize))
    self = Self.signature(Self.words(bytes)) ?? (Self.isText(bytes) ? .text : .binary)
  }

  /// The beginning in lower case, without leading whitespace and byte order mark. Invalid bytes are replaced, so a
  /// single letter in another charset does not matter.
  private static func words(_ bytes: [UInt8]) -> String {
    let text =
      utf16(bytes).map { String(decoding: $0, as: UTF16.self) } ?? String(decoding: bytes, as: UTF8.self)
    return text.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).lowercased()
  }

  private static func signature(_ words: String) -> FileKind? {
    if words.hasPrefix("#extm3u") { return .manifest(words.contains("#ext-x-") ? .hls : .m3u) }
    if words.hasPrefix("[playlist]") { return .manifest(.pls) }
    if words.hasPrefix("[reference]") { return .manifest(.asx) }
    guard let root = rootElement(words) else { return nil }
    return elements[root]
  }

  private static let elements: [String: FileKind] = [
    "html": .page, "head": .page, "body": .page, "mpd": .manifest(.dash), "smoothstreamingmedia": .manifest(.smooth),
    "playlist": .manifest(.xspf), "asx": .manifest(.asx), "smil": .manifest(.smil),
  ]

  /// The name of the first element or of the document type, after declarations and comments.
  private static func rootElement(_ words: String) -> String? {
    var rest = words[...]
    while rest.first == "<" {
      let end: String
      if rest.hasPrefix("<!--") {
        end = "-->"
      } else if rest.hasPrefix("<!doctype") {
        return name(rest.dropFirst(9).drop(while: \.isWhitespace))
      } else if rest.hasPrefix("<?") {
        end = "?>"
      } else {
        return name(rest.dropFirst())
      }
      guard let range = rest.firstRange(of: end) else { return nil }
      rest = rest[range.upperBound...].drop(while: \.isWhitespace)
    }
    return nil
  }

  private static func name(_ text: Substring) -> String? {
    let name = text.prefix { $0.isLetter || $0.isNumber || $0 == ":" }
    return name.isEmpty ? nil : String(name.split(separator: ":").last ?? name)
  }

  /// UTF-8 without control characters, or UTF-16 with mostly Latin letters.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    if utf16(bytes) != nil { return true }
    guard
      bytes.allSatisfy({ byte in
        switch byte {
        case 0x09, 0x0A, 0x0C, 0x0D: true
        case 0..<0x20, 0x7F: false
        default: true
        }
      })
    else { return false }
    // The last character may be incomplete.
    return (0..<4).contains { cut in String(validating: bytes.dropLast(cut), as: UTF8.self) != nil }
  }

  /// The code units after a byte order mark, if most of them are Latin. FF FE alone can also start an MPEG layer I
  /// frame.
  private static func utf16(_ bytes: [UInt8]) -> [UInt16]? {
    guard bytes.count >= 4, bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) else { return nil }
    let isLittle = bytes[0] == 0xFF
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
      UInt16(bytes[index]) << (isLittle ? 0 : 8) | UInt16(bytes[index + 1]) << (isLittle ? 8 : 0)
    }
    let latin = units.count { (0x20..<0x7F).contains($0) || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    return latin * 2 > units.count ? units : nil
  }
}

/// Proof that the bytes of a download were checked and that it may be marked complete. The initializers do the
/// checking.
struct CompleteFile {
  let bytes: Int64

  /// Checks the received bytes before the file is renamed. A file that is not media is emptied.
  init(_ file: PartFile) throws(DownloadError) {
    if let error = DownloadError(refusing: FileKind(file.start(FileKind.sampleSize))) {
      try file.truncate()
      throw error
    }
    bytes = file.size
  }

  /// Checks a file that already has its final name. Nil if it cannot be the download.
  init?(at path: String, bytes: Int64) {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var start = [UInt8](repeating: 0, count: FileKind.sampleSize)
    let count = pread(descriptor, &start, start.count, 0)
    guard count > 0, DownloadError(refusing: FileKind(start.prefix(count))) == nil else { return nil }
    self.bytes = bytes
  }
}

extension DownloadError {
  /// Nil for files that may be kept.
  init?(refusing kind: FileKind) {
    switch kind {
    case .binary: return nil
    case .manifest(let manifest): self = .manifest(manifest.rawValue, isStream: manifest.isStream)
    case .page: self = .notMedia("a web page")
    case .text: self = .notMedia("a text")
    }
  }
}
