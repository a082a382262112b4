/// The charsets that were common for a language before UTF-8, as browsers in that language assume (HTML Standard,
/// 13.2.3.2) and as its mail and Unix systems used.
enum CharsetFamily {
  private static let byLanguage: [String: [String]] = [
    "ja": ["shift_jis", "euc-jp"], "ko": ["euc-kr"],
    "zh": ["gb18030", "big5"], "zh-tw": ["big5", "gb18030"], "zh-hk": ["big5", "gb18030"],
    "zh-mo": ["big5", "gb18030"], "zh-hant": ["big5", "gb18030"],
    "ru": ["windows-1251", "koi8-r", "iso-8859-5"], "uk": ["windows-1251", "koi8-u"], "be": ["windows-1251"],
    "bg": ["windows-1251"], "mk": ["windows-1251"], "sr": ["windows-1251", "windows-1250"],
    "el": ["windows-1253"], "he": ["windows-1255"], "iw": ["windows-1255"], "ar": ["windows-1256"],
    "fa": ["windows-1256"], "th": ["windows-874"],
    "pl": ["windows-1250", "iso-8859-2"], "cs": ["windows-1250", "iso-8859-2"], "sk": ["windows-1250", "iso-8859-2"],
    "hu": ["windows-1250", "iso-8859-2"], "sl": ["windows-1250", "iso-8859-2"], "hr": ["windows-1250", "iso-8859-2"],
    "bs": ["windows-1250", "iso-8859-2"], "ro": ["windows-1250", "iso-8859-2"],
    "tr": ["windows-1254"], "az": ["windows-1254"], "vi": ["windows-1258"],
    "lt": ["windows-1257"], "lv": ["windows-1257"], "et": ["windows-1257"],
  ]

  /// Charsets returned by `CharsetDetector` for alphabets other than Latin.
  private static let foreign: Set<String> = [
    "shift-jis", "euc-jp", "euc-kr", "uhc", "johab", "gb18030", "big5", "euc-tw", "hz-gb-2312",
    "windows-1251", "koi8-r", "koi8-u", "iso-8859-5", "mac-cyrillic", "ibm855", "ibm866",
    "windows-1253", "iso-8859-7", "windows-1255", "iso-8859-8", "windows-1256", "iso-8859-6",
    "windows-874", "tis-620", "iso-8859-11",
  ]

  /// The charsets of a language tag (BCP 47), most likely first. Empty for languages of Windows-1252 and unknown
  /// ones.
  static func charsets(of language: String) -> [CharsetLabel] {
    let tag = language.lowercased().replacing("_", with: "-")
    let primary = String(tag.prefix { $0 != "-" })
    return (byLanguage[tag] ?? byLanguage[primary] ?? []).map(CharsetLabel.init)
  }

  static func isForeign(_ charset: CharsetLabel) -> Bool { foreign.contains(charset.label) }
}
