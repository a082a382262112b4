/// Finds addresses in plain text: `https://…`, `http://…`, `www.…`.
enum BareAddresses {
  struct Match: Equatable {
    var range: Range<Int>
    var address: String
  }

  private static let maxLength = 2_048
  private static let openers = ["https://", "http://", "www."].map { Array($0.unicodeScalars) }

  static func find(in scalars: [Unicode.Scalar]) -> [Match] {
    var matches: [Match] = []
    var index = 0
    while index < scalars.count {
      guard let opener = opener(in: scalars, at: index) else {
        index += 1
        continue
      }
      let end = end(in: scalars, from: index + opener.count)
      guard end > index + opener.count,
        scalars[index + opener.count].properties.isAlphabetic || scalars[index + opener.count].value < 0x80
      else {
        index += opener.count
        continue
      }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars[index..<end])
      let address = opener.first == "w" ? "https://" + String(text) : String(text)
      if let address = LinkResolver(baseURL: nil).resolve(address) {
        matches.append(Match(range: index..<end, address: address))
      }
      index = end
    }
    return matches
  }

  private static func opener(in scalars: [Unicode.Scalar], at index: Int) -> [Unicode.Scalar]? {
    let first = scalars[index].value | 0x20
    guard first == 0x68 || first == 0x77 else { return nil }
    if index > 0, isLatin(scalars[index - 1]) { return nil }
    return openers.first { opener in
      index + opener.count < scalars.count
        && zip(opener, scalars[index...]).allSatisfy { $0.value == ($1.value < 0x80 ? lowered($1.value) : $1.value) }
    }
  }

  private static func lowered(_ value: UInt32) -> UInt32 { (0x41...0x5A).contains(value) ? value | 0x20 : value }

  private static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2F, 0x2E, 0x3A, 0x40: true
    default: false
    }
  }

  /// The end of an address. Chinese and Japanese texts have no blank after it: their punctuation always ends it, and
  /// their letters end it unless they follow "/" or "=" or each other ("…/wiki/播客" is an address).
  private static func end(in scalars: [Unicode.Scalar], from start: Int) -> Int {
    var end = start
    var parentheses = 0
    scan: while end < scalars.count, end - start < maxLength {
      let scalar = scalars[end]
      switch scalar {
      case "<", ">", "\"", "`", "{", "}", "|", "\\", "^", "“", "”", "‘", "’", "«", "»", "…": break scan
      case "(": parentheses += 1
      case ")":
        if parentheses == 0 { break scan }
        parentheses -= 1
      default:
        if CleanText.isSpace(scalar) || scalar.value < 0x20 { break scan }
        if CleanText.isUnspaced(scalar) {
          guard scalar.properties.isAlphabetic, end > start else { break scan }
          let before = scalars[end - 1]
          guard before == "/" || before == "=" || CleanText.isUnspaced(before) else { break scan }
        }
      }
      end += 1
    }
    // Punctuation of the surrounding sentence.
    while end > start, ".,;:!?'*_-]~".unicodeScalars.contains(scalars[end - 1]) {
      if scalars[end - 1] == "]", scalars[start..<end - 1].contains("[") { break }
      if "-_~".unicodeScalars.contains(scalars[end - 1]), end < scalars.count, !CleanText.isSpace(scalars[end]) {
        break
      }
      end -= 1
    }
    return end
  }
}
