import Foundation
import Model

/// What the ID3v2 tag of a media file says about its chapters and FFmpeg does not: their ends, links and linked
/// pictures, which ones have no title, and which ones its table of contents leaves out (ID3v2 Chapter Frame Addendum
/// 1.0: CHAP and CTOC). FFmpeg names a chapter without a title by its internal id (`id3v2.c`).
public struct ID3Chapters: Equatable, Sendable {
  struct Entry: Equatable, Sendable {
    var id: String
    /// Seconds.
    var start: Double
    /// Nil if it is not after the start.
    var end: Double?
    var hasTitle = false
    /// http or https.
    var url: String?
    var image: String?
    var isListed = true
  }

  private(set) var entries: [Entry] = []

  /// Bytes. Frames that are longer, which are pictures, are passed over without reading them.
  private static let frameLimit = 1 << 20
  private static let (frameCount, chapterLimit) = (4096, 10_000)
  /// Seconds by which the starts of FFmpeg and of the tag may differ. FFmpeg moves them by the encoder's delay.
  private static let tolerance = 0.5

  /// Reads the tag at the start of a file. Nil if there is none, if it has no chapters, or if it cannot be read.
  /// - Parameter read: bytes of the file, from an offset on; fewer than asked for at the end of what is known.
  public init?(read: (_ offset: Int, _ count: Int) -> [UInt8]) {
    let head = read(0, 10)
    guard head.count == 10, head.starts(with: Array("ID3".utf8)), head[3] == 3 || head[3] == 4 else { return nil }
    let isVersion4 = head[3] == 4
    let isUnsynchronized = head[5] & 0x80 != 0
    let size = Self.syncsafe(head[6...])
    var read = read
    var (offset, end) = (10, 10 + size)
    if isUnsynchronized, !isVersion4 {
      guard size <= Self.frameLimit else { return nil }
      let tag = Self.synchronized(read(10, size))
      (offset, end) = (0, tag.count)
      read = { offset, count in Array(tag.dropFirst(offset).prefix(count)) }
    }
    if head[5] & 0x40 != 0 {
      let extended = read(offset, 4)
      guard extended.count == 4 else { return nil }
      offset += isVersion4 ? Self.syncsafe(extended[...]) : 4 + Self.number(extended[...])
    }
    var contents: [Contents] = []
    for _ in 0..<Self.frameCount where offset + 10 <= end && entries.count < Self.chapterLimit {
      let head = read(offset, 10)
      guard head.count == 10, head[0] != 0 else { break }
      let size = isVersion4 ? Self.syncsafe(head[4...7]) : Self.number(head[4...7])
      let name = String(decoding: head[..<4], as: UTF8.self)
      if name == "CHAP" || name == "CTOC", size <= Self.frameLimit, offset + 10 + size <= end {
        var body = read(offset + 10, size)
        guard body.count == size else { return nil }
        if isVersion4, head[9] & 0x01 != 0 { body.removeFirst(min(4, body.count)) }
        if isVersion4, isUnsynchronized || head[9] & 0x02 != 0 { body = Self.synchronized(body) }
        if name == "CHAP" {
          if let entry = Self.chapter(body, isVersion4: isVersion4) { entries.append(entry) }
        } else if let list = Contents(body) {
          contents.append(list)
        }
      }
      offset += 10 + size
    }
    guard !entries.isEmpty else { return nil }
    leaveOut(contents)
  }

  /// The chapters that FFmpeg has found in the file, with what it has not read, without internal ids as titles, and
  /// without those that the table of contents leaves out.
  public func corrected(_ chapters: [Chapter]) -> [Chapter] {
    let entries = entries.sorted { $0.start < $1.start }
    return chapters.enumerated().compactMap { index, chapter in
      let isSameList = entries.count == chapters.count
      let near = entries.filter { abs($0.start - chapter.start) <= Self.tolerance }
      guard let entry = isSameList ? entries[index] : near.first(where: { $0.id == chapter.title }) ?? near.first
      else { return chapter }
      guard entry.isListed else { return nil }
      var chapter = chapter
      if !entry.hasTitle, chapter.title == entry.id { chapter.title = nil }
      // The starts are rounded to tenths, so the ends are, too.
      chapter.end = entry.end.map { (($0 + chapter.start - entry.start) * 10).rounded() / 10 } ?? chapter.end
      (chapter.url, chapter.image) = (entry.url ?? chapter.url, entry.image ?? chapter.image)
      return chapter
    }
  }

  // MARK: Table of contents

  private struct Contents {
    var id: String
    var isTop: Bool
    var children: [String]

    init?(_ body: [UInt8]) {
      guard let end = body.firstIndex(of: 0), body.count >= end + 3 else { return nil }
      id = String(decoding: body[..<end], as: UTF8.self)
      isTop = body[end + 1] & 0x02 != 0
      children = []
      var rest = body[(end + 3)...]
      for _ in 0..<body[end + 2] {
        guard let end = rest.firstIndex(of: 0) else { break }
        children.append(String(decoding: rest[..<end], as: UTF8.self))
        rest = rest[(end + 1)...]
      }
    }
  }

  /// Records the chapters that no table of contents lists. A table that lists none of the chapters is ignored.
  private mutating func leaveOut(_ contents: [Contents]) {
    let tops = contents.filter(\.isTop)
    var waiting = (tops.isEmpty ? contents : tops).flatMap(\.children)
    var listed: Set<String> = []
    while let id = waiting.popLast() {
      guard listed.insert(id).inserted else { continue }
      waiting += contents.filter { $0.id == id }.flatMap(\.children)
    }
    guard entries.contains(where: { listed.contains($0.id) }) else { return }
    for index in entries.indices { entries[index].isListed = listed.contains(entries[index].id) }
  }

  // MARK: Frames

  private static func chapter(_ body: [UInt8], isVersion4: Bool) -> Entry? {
    guard let end = body.firstIndex(of: 0), body.count >= end + 17 else { return nil }
    let times = [1, 5].map { Double(number(body[(end + $0)...])) / 1000 }
    var entry = Entry(
      id: String(decoding: body[..<end], as: UTF8.self), start: times[0], end: times[1] > times[0] ? times[1] : nil)
    var rest = body[(end + 17)...]
    while rest.count >= 10 {
      let head = rest.prefix(10)
      let sizes = head.dropFirst(4).prefix(4)
      let size = isVersion4 ? syncsafe(sizes) : number(sizes)
      rest = rest.dropFirst(10)
      let encoding = rest.first ?? 0
      let content = rest.prefix(size).dropFirst()
      switch String(decoding: head.prefix(4), as: UTF8.self) {
      case "TIT2":
        // An empty text may be a byte order mark and zeros.
        if content.contains(where: { ![0x00, 0xFE, 0xFF].contains($0) }) { entry.hasTitle = true }
      case "WXXX": entry.url = entry.url ?? address(afterText(content, encoding))
      case "APIC":
        // The type `-->` means that the picture is an address.
        guard content.starts(with: Array("-->\0".utf8)) else { break }
        entry.image = entry.image ?? address(afterText(content.dropFirst(5), encoding))
      default: break
      }
      rest = rest.dropFirst(size)
    }
    return entry
  }

  /// What follows a text with this encoding (0 and 3: one byte for a character, 1 and 2: two). It ends with a zero.
  private static func afterText(_ bytes: ArraySlice<UInt8>, _ encoding: UInt8) -> ArraySlice<UInt8> {
    let width = encoding == 1 || encoding == 2 ? 2 : 1
    var rest = bytes
    while rest.count >= width {
      let isEnd = rest.prefix(width).allSatisfy { $0 == 0 }
      rest = rest.dropFirst(width)
      if isEnd { return rest }
    }
    return []
  }

  /// An address is in Latin-1. Some taggers write UTF-8.
  private static func address(_ bytes: ArraySlice<UInt8>) -> String? {
    let bytes = bytes.prefix { $0 != 0 }
    return ChaptersJSON.address(String(bytes: bytes, encoding: .utf8) ?? String(bytes: bytes, encoding: .isoLatin1))
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) } }

  private static func syncsafe(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.prefix(4).reduce(0) { $0 << 7 | Int($1 & 0x7F) }
  }

  /// Removes the zeros that unsynchronisation has inserted after 0xFF.
  private static func synchronized(_ bytes: [UInt8]) -> [UInt8] {
    zip(bytes, [0] + bytes).compactMap { byte, before in byte == 0 && before == 0xFF ? nil : byte }
  }
}
