import CLibXML2

/// HTML's named and numeric character references (HTML Standard 13.5). The names are libxml2's table of HTML 4, and
/// those of HTML 5 that editors write: punctuation, and letters of central and eastern European languages.
enum HTMLEntities {
  /// The longest reference, without `&` and `;`.
  static let maxLength = 32

  /// The character of a reference such as `amp`, `#8217` or `#x2019`.
  static func scalar(_ name: some Collection<UInt8>) -> Unicode.Scalar? {
    guard let first = name.first else { return nil }
    return first == UInt8(ascii: "#") ? numeric(name.dropFirst()) : named(name)
  }

  /// Resolves all references that end in `;`, once. Unknown ones stay unchanged.
  static func decoded(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.contains(UInt8(ascii: "&")) else { return text }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "&"), let (scalar, length) = reference(in: bytes[index...]) {
        result.append(contentsOf: UTF8.encode(scalar) ?? .init())
        index += length
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The reference at the start of the bytes, and its length including `&` and `;`.
  static func reference(in bytes: some Collection<UInt8>) -> (Unicode.Scalar, length: Int)? {
    var length = 0
    for byte in bytes.dropFirst().prefix(maxLength + 1) {
      if byte == UInt8(ascii: ";") {
        return scalar(bytes.dropFirst().prefix(length)).map { ($0, length + 2) }
      }
      guard isNameByte(byte) || (length == 0 && byte == UInt8(ascii: "#")) else { return nil }
      length += 1
    }
    return nil
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }

  /// HTML Standard 13.2.5.80: 128…159 mean Windows-1252. Invalid code points become U+FFFD.
  private static func numeric(_ digits: some Collection<UInt8>) -> Unicode.Scalar? {
    guard let value = number(digits) else { return nil }
    if (0x80...0x9F).contains(value) {
      return Unicode.Scalar(Windows1252.printable(UInt8(truncatingIfNeeded: value)))
    }
    return value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  /// The code point of `8217` or `x2019`, at most 0x11_0000. Nil if it is not a number.
  static func number(_ digits: some Collection<UInt8>) -> UInt32? {
    let isHex = digits.first == UInt8(ascii: "x") || digits.first == UInt8(ascii: "X")
    let body = isHex ? digits.dropFirst() : digits.dropFirst(0)
    guard !body.isEmpty else { return nil }
    var value: UInt32 = 0
    for byte in body {
      let digit: UInt32
      switch byte {
      case 0x30...0x39: digit = UInt32(byte) - 0x30
      case 0x41...0x46 where isHex: digit = UInt32(byte) - 0x37
      case 0x61...0x66 where isHex: digit = UInt32(byte) - 0x57
      default: return nil
      }
      value = min(value * (isHex ? 16 : 10) + digit, 0x11_0000)
    }
    return value
  }

  /// The character of an HTML name.
  static func named(_ name: some Collection<UInt8>) -> Unicode.Scalar? {
    guard let key = ByteScan.packed(name) else { return nil }
    return table[key]
  }

  private static let table: [UInt64: Unicode.Scalar] = {
    var table: [UInt64: Unicode.Scalar] = [:]
    // libxml2's table can only be searched by code point. Its last entry is &diams;, U+2666.
    for value in UInt32(34)...0x2666 {
      guard let entry = htmlEntityValueLookup(value), let name = entry.pointee.name, let scalar = Unicode.Scalar(value),
        let key = ByteScan.packed(String(cString: name).utf8)
      else { continue }
      table[key] = scalar
    }
    for (name, scalar) in html5 { if let key = ByteScan.packed(name.utf8) { table[key] = scalar } }
    for (accent, letters, accented) in latin {
      for (letter, scalar) in zip(letters, accented.unicodeScalars) {
        if let key = ByteScan.packed("\(letter)\(accent)".utf8) { table[key] = scalar }
      }
    }
    return table
  }()

  /// The names of Latin Extended-A: a letter and its accent (`&ccaron;`), then the resulting letters.
  private static let latin: [(accent: String, letters: String, accented: String)] = [
    ("acute", "CcLlNnRrSsZz", "ĆćĹĺŃńŔŕŚśŹź"), ("breve", "AaGgUu", "ĂăĞğŬŭ"),
    ("circ", "CcGgHhJjSsWwYy", "ĈĉĜĝĤĥĴĵŜŝŴŵŶŷ"),
    ("caron", "CcDdEeLlNnRrTtZz", "ČčĎďĚěĽľŇňŘřŤťŽž"), ("cedil", "GKkLlNnRrSsTt", "ĢĶķĻļŅņŖŗŞşŢţ"),
    ("dblac", "OoUu", "ŐőŰű"),
    ("dot", "CcEeGgIZz", "ĊċĖėĠġİŻż"), ("macr", "AaEeIiOoUu", "ĀāĒēĪīŌōŪū"), ("ogon", "AaEeIiUu", "ĄąĘęĮįŲų"),
    ("ring", "Uu", "Ůů"), ("strok", "DdHhLlTt", "ĐđĦħŁłŦŧ"), ("tilde", "IiUu", "ĨĩŨũ"),
  ]

  private static let html5: [(String, Unicode.Scalar)] = [
    ("apos", "'"), ("NewLine", "\n"), ("Tab", "\t"), ("excl", "!"), ("num", "#"), ("dollar", "$"), ("percnt", "%"),
    ("lpar", "("), ("rpar", ")"), ("ast", "*"), ("plus", "+"), ("comma", ","), ("period", "."), ("sol", "/"),
    ("colon", ":"), ("semi", ";"), ("equals", "="), ("quest", "?"), ("commat", "@"), ("lsqb", "["), ("bsol", "\\"),
    ("rsqb", "]"), ("lowbar", "_"), ("grave", "`"), ("lbrace", "{"), ("vert", "|"), ("rbrace", "}"), ("hyphen", "‐"),
    ("dash", "‐"), ("check", "✓"), ("cross", "✗"), ("star", "☆"), ("starf", "★"), ("phone", "☎"), ("AMP", "&"),
    ("LT", "<"), ("GT", ">"), ("QUOT", "\""), ("COPY", "©"), ("REG", "®"), ("imath", "ı"), ("inodot", "ı"),
    ("midast", "*"),
    ("lbrack", "["), ("rbrack", "]"), ("lcub", "{"), ("rcub", "}"), ("verbar", "|"), ("Hat", "^"), ("UnderBar", "_"),
  ]
}
