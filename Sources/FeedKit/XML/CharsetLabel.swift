/// The name of a charset as servers and declarations write it, and its converter.
///
/// Like the WHATWG Encoding Standard, a label may stand for a superset: ISO-8859-1 is read as Windows-1252, because
/// such texts contain its quotes and dashes; GB2312 is read as GBK, and so on. Other labels go to iconv unchanged.
struct CharsetLabel: Equatable {
  /// Lower case, with `_` and blanks replaced by `-`.
  let label: String

  init(_ label: String) {
    let plain = String(label.lowercased().map { $0 == "_" || $0 == " " ? "-" : $0 }.filter { $0 != "\"" && $0 != "'" })
    // `ISO_8859-2:1987`: the year of the standard is part of the registered name, but converters do not know it.
    let year = plain.hasPrefix("iso-8859-") ? plain.suffix(5) : ""
    let isYear = year.first == ":" || year.first == "-"
    self.label = isYear && year.dropFirst().allSatisfy(\.isNumber) ? String(plain.dropLast(5)) : plain
  }

  var isUTF8: Bool { ["utf-8", "utf8", "unicode-1-1-utf-8", "x-utf-8", "utf-8-sig"].contains(label) }

  /// Two or four bytes per character. Such a document is recognised by its NUL bytes.
  var isWide: Bool {
    ["utf-16", "utf16", "utf-32", "utf32", "ucs-2", "ucs-4", "unicode", "iso-10646"].contains { label.hasPrefix($0) }
  }

  var isWindows1252: Bool { Self.latin1.contains(label) }

  /// Plain ASCII. If the text has other bytes, the label says nothing.
  var isASCII: Bool { Self.ascii.contains(label) }

  /// Whether both labels have the same converter.
  func isSame(as other: CharsetLabel?) -> Bool {
    guard let other else { return false }
    return label == other.label || iconvNames.first == other.iconvNames.first
  }

  /// The names to try with iconv, best first. glibc and GNU libiconv spell some differently.
  var iconvNames: [String] {
    var names = (Self.relatedNames[label] ?? []) + [label.uppercased()]
    let digits = label.drop { !$0.isNumber }
    let stem = label.filter { $0.isLetter }
    if !digits.isEmpty, digits.allSatisfy(\.isNumber) {
      if stem == "windows" || stem == "cp" || stem.isEmpty { names.append("CP\(digits)") }
      if ["cp", "ibm", "csibm", "", "ebcdic"].contains(stem) { names += ["IBM\(digits)", "CP\(digits)"] }
    }
    if label.hasPrefix("x-") { names += CharsetLabel(String(label.dropFirst(2))).iconvNames }
    if label.hasPrefix("mac") { names.append("MAC-" + label.dropFirst(3).drop { $0 == "-" }.uppercased()) }
    names.append(label.filter { $0 != "-" }.uppercased())
    names.append(label.uppercased().replacing("-", with: "_"))
    return names
  }

  private static let latin1: Set<String> = [
    "iso-8859-1", "iso8859-1", "iso88591", "latin1", "latin-1", "l1", "cp819", "ibm819", "us-ascii", "ascii",
    "ansi-x3.4-1968", "iso-646.irv:1991", "windows-1252", "cp1252", "x-cp1252", "iso-8859-1:1987", "windows1252",
  ]

  private static let ascii: Set<String> = ["us-ascii", "ascii", "ansi-x3.4-1968", "iso-646.irv:1991"]

  private static let relatedNames: [String: [String]] = [
    "iso-8859-9": ["CP1254"], "latin5": ["CP1254"], "iso8859-9": ["CP1254"],
    "iso-8859-11": ["CP874"], "tis-620": ["CP874"], "thai": ["CP874"], "iso-ir-166": ["CP874"], "tis-620-0": ["CP874"],
    "gb2312": ["GB18030"], "gbk": ["GB18030"], "gb-2312-80": ["GB18030"], "gb-2312": ["GB18030"], "x-gbk": ["GB18030"],
    "cp936": ["GB18030"], "windows-936": ["GB18030"], "chinese": ["GB18030"], "euc-cn": ["GB18030"],
    "big5": ["BIG5-HKSCS", "BIG5"], "cn-big5": ["BIG5-HKSCS", "BIG5"], "x-x-big5": ["BIG5-HKSCS", "BIG5"],
    "big5-tw": ["BIG5-HKSCS", "BIG5"], "csbig5": ["BIG5-HKSCS", "BIG5"], "ms950": ["CP950", "BIG5"],
    "hkscs": ["BIG5-HKSCS", "BIG5"], "x-mac-trad-chinese": ["BIG5-HKSCS", "BIG5"], "iso-ir-58": ["GB18030"],
    "csiso58gb231280": ["GB18030"], "eucgb2312-cn": ["GB18030"], "x-mac-simp-chinese": ["GB18030"],
    "gb18030-2000": ["GB18030"], "gb2312-80": ["GB18030"], "gb2312-1980": ["GB18030"], "ms936": ["GB18030"],
    "shift-jis": ["CP932", "SHIFT_JIS"], "sjis": ["CP932", "SHIFT_JIS"], "x-sjis": ["CP932", "SHIFT_JIS"],
    "windows-31j": ["CP932"], "ms-kanji": ["CP932"], "shiftjis": ["CP932"], "ms932": ["CP932"],
    "windows-932": ["CP932"], "mskanji": ["CP932"], "x-mac-japanese": ["CP932", "SHIFT_JIS"],
    "shift-jis-2004": ["SHIFT_JISX0213"], "shiftjis2004": ["SHIFT_JISX0213"], "sjis-2004": ["SHIFT_JISX0213"],
    "sjisx0213": ["SHIFT_JISX0213"], "euc-jis-2004": ["EUC-JISX0213"], "eucjisx0213": ["EUC-JISX0213"],
    "iso-2022-jp-1": ["ISO-2022-JP-1", "ISO-2022-JP-2"], "ms1361": ["JOHAB", "CP1361"],
    "euc-kr": ["CP949", "UHC", "EUC-KR"], "ks-c-5601-1987": ["CP949", "UHC"], "korean": ["CP949", "UHC"],
    "ksc5601": ["CP949", "UHC"], "ks-c-5601": ["CP949", "UHC"], "ks-x-1001": ["CP949", "UHC"],
    "ksx1001": ["CP949", "UHC"], "x-mac-korean": ["CP949", "UHC"],
    "ms949": ["CP949", "UHC"], "uhc": ["CP949", "UHC"], "windows-949": ["CP949", "UHC"],
    "euc-jp": ["EUC-JP-MS", "EUC-JP"], "x-euc-jp": ["EUC-JP-MS", "EUC-JP"],
    "macintosh": ["MACINTOSH", "MAC"], "macroman": ["MACINTOSH", "MAC"], "mac-roman": ["MACINTOSH", "MAC"],
    "x-mac-roman": ["MACINTOSH", "MAC"], "maclatin2": ["MAC-CENTRALEUROPE", "MACCENTRALEUROPE"],
    "mac-latin2": ["MAC-CENTRALEUROPE", "MACCENTRALEUROPE"], "maccyrillic": ["MAC-CYRILLIC", "MACCYRILLIC"],
    "mac-centeuro": ["MAC-CENTRALEUROPE", "MACCENTRALEUROPE"], "x-mac-ce": ["MAC-CENTRALEUROPE", "MACCENTRALEUROPE"],
    "ibm039": ["IBM037"],
    "maccentraleurope": ["MAC-CENTRALEUROPE"], "macgreek": ["MACGREEK"], "macturkish": ["MACTURKISH"],
    "mac-cyrillic": ["MAC-CYRILLIC", "MACCYRILLIC"], "x-mac-cyrillic": ["MAC-CYRILLIC", "MACCYRILLIC"],
    "iso-8859-8-i": ["ISO-8859-8"], "logical": ["ISO-8859-8"], "visual": ["ISO-8859-8"],
    "koi8-r": ["KOI8-R"], "koi8": ["KOI8-R"], "koi": ["KOI8-R"],
  ]
}
