import Foundation
import Testing

@testable import FeedKit

@Suite struct FeedEncodingTests {
  /// The name of an encoding as documents write it, and a title with its bytes in that encoding.
  static let charsets: [(name: String, title: String, bytes: [UInt8])] = [
    ("ISO-8859-1", "é", [0xE9]), ("iso-8859-1", "“a”", [0x93, 0x61, 0x94]), ("latin1", "ÿ", [0xFF]),
    ("ISO-8859-2", "ł", [0xB3]), ("ISO-8859-5", "Жук", [0xB6, 0xE3, 0xDA]), ("ISO-8859-7", "ά", [0xDC]),
    ("ISO-8859-9", "ş", [0xFE]), ("ISO-8859-15", "€", [0xA4]), ("us-ascii", "é", [0xE9]),
    ("windows-1250", "ľ", [0xBE]), ("windows-1251", "Мир", [0xCC, 0xE8, 0xF0]), ("windows-1252", "€", [0x80]),
    ("cp1253", "ά", [0xDC]), ("windows-1254", "ğ", [0xF0]), ("windows-1255", "ש", [0xF9]),
    ("windows-1256", "ش", [0xD4]), ("windows-1257", "ž", [0xFE]), ("KOI8-R", "Мир", [0xED, 0xC9, 0xD2]),
    ("koi8-u", "ї", [0xA7]), ("GB2312", "中国", [0xD6, 0xD0, 0xB9, 0xFA]), ("gbk", "鎂", [0xE6, 0x56]),
    ("GB18030", "𠀀", [0x95, 0x32, 0x82, 0x36]), ("Big5", "中文", [0xA4, 0xA4, 0xA4, 0xE5]),
    ("Shift_JIS", "日本", [0x93, 0xFA, 0x96, 0x7B]), ("EUC-JP", "日本", [0xC6, 0xFC, 0xCB, 0xDC]),
    ("EUC-KR", "한글", [0xC7, 0xD1, 0xB1, 0xDB]), ("ks_c_5601-1987", "똠", [0x8C, 0x63]),
    ("ISO-2022-JP", "日本", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x1B, 0x28, 0x42]),
    ("gb18030-2000", "Мир", [0xA7, 0xAE, 0xA7, 0xDA, 0xA7, 0xE2]),
    ("shiftjis", "Мир", [0x84, 0x4D, 0x84, 0x79, 0x84, 0x82]),
    ("ms949", "Мир", [0xAC, 0xAE, 0xAC, 0xDA, 0xAC, 0xE2]), ("ISO_8859-2:1987", "ł", [0xB3]),
    ("mskanji", "Мир", [0x84, 0x4D, 0x84, 0x79, 0x84, 0x82]),
    ("shift_jis_2004", "Мир", [0x84, 0x4D, 0x84, 0x79, 0x84, 0x82]),
    ("iso-2022-jp-1", "日本", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x1B, 0x28, 0x42]),
    ("x-mac-korean", "Мир", [0xAC, 0xAE, 0xAC, 0xDA, 0xAC, 0xE2]), ("ms1361", "한글", [0xD0, 0x65, 0x8B, 0x69]),
    ("x-mac-simp-chinese", "中国", [0xD6, 0xD0, 0xB9, 0xFA]), ("hkscs", "中文", [0xA4, 0xA4, 0xA4, 0xE5]),
    ("tis-620-0", "ทด", [0xB7, 0xB4]), ("mac-centeuro", "ł", [0xB8]),
    ("macintosh", "é", [0x8E]), ("utf-8", "é", [0xC3, 0xA9]), ("", "é", [0xC3, 0xA9]),
  ]

  private static func document(_ declaration: String, _ title: [UInt8]) -> [UInt8] {
    Array("\(declaration)<rss version=\"2.0\"><channel><title>".utf8) + title + Array("</title></channel></rss>".utf8)
  }

  private static func declaration(_ name: String) -> String {
    name.isEmpty ? "" : "<?xml version='1.0' encoding='\(name)'?>\n"
  }

  @Test(arguments: charsets)
  func declaredCharsetIsUsed(name: String, title: String, bytes: [UInt8]) throws {
    let feed = try FeedReader.read(Self.document(Self.declaration(name), bytes))
    #expect(feed.podcast.title == title)
  }

  @Test(arguments: charsets.filter { !$0.name.isEmpty })
  func charsetOfHTTPOverridesTheDeclaration(name: String, title: String, bytes: [UInt8]) throws {
    let type = "text/xml; charset=\"\(name)\""
    let feed = try FeedReader.read(Self.document(Self.declaration("iso-8859-3"), bytes), contentType: type)
    #expect(feed.podcast.title == title)
  }

  @Test(arguments: [true, false])
  func utf16IsRecognized(hasMark: Bool) throws {
    let text = "<?xml version='1.0' encoding='utf-16'?><rss><channel><title>Žluťoučký 🐎</title></channel></rss>"
    for encoding in [String.Encoding.utf16BigEndian, .utf16LittleEndian, .utf32BigEndian, .utf32LittleEndian] {
      let data = try #require(((hasMark ? "\u{FEFF}" : "") + text).data(using: encoding))
      for pieces in [1, 3, 4096] {
        let feed = try FeedSample.read(data, pieces: pieces)
        #expect(feed.podcast.title == "Žluťoučký 🐎")
        #expect(!feed.podcast.damaged)
      }
    }
  }

  /// The quotes of a declaration differ between the code pages of EBCDIC.
  @Test(arguments: ["ibm037", "ibm039", "cp1026"])
  func ebcdicIsRecognized(name: String) throws {
    let text = "<?xml version=\"1.0\" encoding=\"\(name)\"?><rss><channel><title>A1</title></channel></rss>"
    let charset = name == "cp1026" ? "IBM1026" : "IBM037"
    let bytes = try #require(Self.encoded(text, charset))
    #expect(try FeedReader.read(bytes).podcast.title == "A1")
  }

  /// The bytes of an ASCII text in a single-byte charset, from the converter of the opposite direction.
  private static func encoded(_ text: String, _ charset: String) -> [UInt8]? {
    guard let converter = CharsetConverter(label: charset) else { return nil }
    var byCharacter: [[UInt8]: UInt8] = [:]
    for byte in UInt8.min...UInt8.max {
      var out = ByteBuffer(capacity: 8)
      _ = [byte].withUnsafeBufferPointer { converter.convert($0, final: true, into: &out) }
      byCharacter[Array(out.bytes)] = byte
    }
    let bytes = text.utf8.compactMap { byCharacter[[$0]] }
    return bytes.count == text.utf8.count ? bytes : nil
  }

  /// Declared encoding, bytes, intended title, and whether the feed counts as damaged.
  static let lies: [(declared: String, bytes: [UInt8], title: String, damaged: Bool)] = [
    ("utf-8", [0x63, 0x61, 0x66, 0xE9], "café", true),
    ("utf-8", [0x93, 0x61, 0x94, 0x20, 0xE9, 0x74, 0xE9], "“a” été", true),
    ("us-ascii", Array("café".utf8), "café", false),
    ("iso-8859-1", Array("naïve café".utf8), "naïve café", false),
    ("windows-1252", Array("€".utf8), "€", false),
    ("utf-16", Array("café".utf8), "café", false),
    ("no-such-charset", Array("café".utf8), "café", true),
    // One invalid byte does not turn a UTF-8 text into Windows-1252.
    ("utf-8", Array("žluťoučký kůň ".utf8) + [0x92], "žluťoučký kůň ’", true),
    // «…doué», where Latin-1's é» happens to be valid UTF-8. Decoding it as UTF-8 would be wrong twice.
    ("", [0xAB, 0xA0, 0x64, 0x6F, 0x75, 0xE9, 0xA0, 0xBB, 0x20, 0xE9, 0x74, 0xE9], "«\u{A0}doué\u{A0}» été", true),
    // A C1 control in UTF-8 is a Windows-1252 byte that was converted as Latin-1.
    ("utf-8", [0x69, 0x74, 0xC2, 0x92, 0x73], "it’s", true),
  ]

  @Test(arguments: lies)
  func wrongDeclarationIsOverridden(declared: String, bytes: [UInt8], title: String, damaged: Bool) throws {
    for pieces in [1, 7, 4096] {
      let document = Data(Self.document(Self.declaration(declared), bytes))
      let feed = try FeedSample.read(document, pieces: pieces)
      #expect(feed.podcast.title == title)
      #expect(feed.podcast.damaged == damaged)
    }
  }

  @Test func declarationWinsAgainstAServerThatSaysUTF8() throws {
    let document = Self.document(Self.declaration("windows-1251"), [0xCC, 0xE8, 0xF0])
    #expect(try FeedReader.read(document, contentType: "text/xml; charset=utf-8").podcast.title == "Мир")
  }

  @Test func byteOrderMarkOverridesEveryDeclaration() throws {
    let document = [0xEF, 0xBB, 0xBF] + Self.document(Self.declaration("koi8-r"), Array("é".utf8))
    #expect(try FeedReader.read(document, contentType: "text/xml; charset=big5").podcast.title == "é")
  }

  @Test func whiteSpaceAndJunkBeforeTheDeclaration() throws {
    for junk in ["\n\n  ", "\u{FEFF}\n", "Notice: undefined index\n", "<br />\n<b>Warning</b>: x in <b>y.php</b>\n"] {
      let document = Self.document(junk + Self.declaration("iso-8859-2"), [0xB3])
      #expect(try FeedReader.read(document).podcast.title == "ł" || junk.hasPrefix("\u{FEFF}"))
    }
  }
}
