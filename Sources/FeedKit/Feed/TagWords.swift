/// The tags in a title that are words of it, not markup: `Why <b> is not <strong>`.
///
/// Such a tag has no attributes and no partner, and stands alone like a word. `<br>` never has a partner. It is a word
/// only beside another one: `Using <p> and <br>`.
struct TagWords {
  /// Offsets in UTF-8.
  private var starts: Set<Int> = []

  init() {}

  init(_ title: String) {
    let title = Array(title.utf8)
    var open: [(name: ArraySlice<UInt8>, start: Int, isWord: Bool)] = []
    var (single, breaks): (Set<Int>, Set<Int>) = ([], [])
    for tag in Self.tags(in: title) {
      if tag.isEnd {
        if let partner = open.lastIndex(where: { $0.name == tag.name }) {
          for lost in open[(partner + 1)...] where lost.isWord { single.insert(lost.start) }
          open.removeSubrange(partner...)
        } else if tag.isWord {
          single.insert(tag.start)
        }
      } else if tag.name.elementsEqual("br".utf8) {
        if tag.isWord { breaks.insert(tag.start) }
      } else {
        open.append((tag.name, tag.start, tag.isWord))
      }
    }
    for tag in open where tag.isWord { single.insert(tag.start) }
    starts = single.isEmpty ? [] : single.union(breaks)
  }

  func contains(_ offset: Int) -> Bool { starts.contains(offset) }

  private struct Tag {
    /// In lower case.
    var name: ArraySlice<UInt8>
    var start: Int
    var isEnd: Bool
    /// It has no attributes, and nothing touches it but punctuation.
    var isWord: Bool
  }

  private static func tags(in title: [UInt8]) -> [Tag] {
    var found: [Tag] = []
    var at = 0
    // A title has few tags. Hostile ones are all markup.
    while found.count < 64, let start = title[at...].firstIndex(of: UInt8(ascii: "<")) {
      at = start + 1
      let isEnd = title[at...].first == UInt8(ascii: "/")
      let name = title[(isEnd ? at + 1 : at)...].prefix { isLetterOrDigit($0) }
      // Each further search for an end finds a tag, or is the last one.
      guard let first = name.first, first > UInt8(ascii: "9") else { continue }
      guard let close = title[name.endIndex...].firstIndex(of: UInt8(ascii: ">")) else { break }
      let isWord =
        name.endIndex == close && !touches(title[..<start].suffix(3).reversed())
        && !touches(title[(close + 1)...].prefix(3))
      let lower = name.map { ByteScan.lower($0) }
      found.append(Tag(name: lower[...], start: start, isEnd: isEnd, isWord: isWord))
      at = close + 1
    }
    return found
  }

  /// Whether a letter, a digit or another tag is beside the tag. The quotation marks of other languages do not count:
  /// U+2000 to U+206F, U+00AB and U+00BB.
  private static func touches(_ side: some Collection<UInt8>) -> Bool {
    guard let nearest = side.first else { return false }
    guard nearest >= 0x80 else {
      return isLetterOrDigit(nearest) || nearest == UInt8(ascii: "<") || nearest == UInt8(ascii: ">")
    }
    let isGeneral = side.contains(0xE2) && (side.contains(0x80) || side.contains(0x81))
    let isAngle = side.contains(0xC2) && (side.contains(0xAB) || side.contains(0xBB))
    return !isGeneral && !isAngle
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    let lower = ByteScan.lower(byte)
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
      || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
