/// The words in dates: months in the languages of feeds, time zones, and AM/PM.
enum FeedDateWords {
  typealias Word = UnsafeBufferPointer<UInt8>

  /// 1…12. English months by their first three letters (`Sept`, `January`), other languages by the whole word.
  static func month(_ word: Word) -> Int? {
    guard word.count >= 3 else { return nil }
    let key = UInt32(word[0] | 0x20) << 16 | UInt32(word[1] | 0x20) << 8 | UInt32(word[2] | 0x20)
    if word[0] < 0x80, word[1] < 0x80, word[2] < 0x80, let month = english[key] { return month }
    return others[String(decoding: word, as: UTF8.self).lowercased()]
  }

  /// True for PM, false for AM, nil for any other word.
  static func isAfternoon(_ word: Word) -> Bool? {
    guard word.count == 2 || word.count == 6 else { return nil }
    switch String(decoding: word, as: UTF8.self).lowercased() {
    case "am", "오전", "上午", "午前": return false
    case "pm", "오후", "下午", "午後": return true
    default: return nil
    }
  }

  /// Seconds east of Greenwich.
  static func zone(_ word: Word) -> Int? {
    guard word.count <= 5 else { return nil }
    return zones[String(decoding: word, as: UTF8.self).lowercased()].map { Int($0 * 3600) }
  }

  private static func key(_ text: StaticString) -> UInt32 {
    UInt32(text.utf8Start[0]) << 16 | UInt32(text.utf8Start[1]) << 8 | UInt32(text.utf8Start[2])
  }

  private static let english: [UInt32: Int] = [
    key("jan"): 1, key("feb"): 2, key("mar"): 3, key("apr"): 4, key("may"): 5, key("jun"): 6, key("jul"): 7,
    key("aug"): 8, key("sep"): 9, key("oct"): 10, key("nov"): 11, key("dec"): 12,
  ]

  /// One row per language with the twelve months in order. Variants are separated by `|`.
  private static let languages: [[String]] = [
    // German, Dutch, Scandinavian
    [
      "januar|januari|jänner|jän", "februar|februari", "märz|mär|maart|mrt|mars", "april", "mai|mei|maj", "juni",
      "juli", "august|augustus|augusti", "september", "oktober|okt", "november", "dezember|dez|desember|des",
    ],
    // French
    [
      "janvier|janv", "février|févr|fév|fevr", "mars", "avril|avr", "mai", "juin", "juillet|juil", "août|aout|aoû",
      "septembre", "octobre", "novembre", "décembre|déc",
    ],
    // Spanish, Catalan
    [
      "enero|ene|gener|gen", "febrero", "marzo|març", "abril|abr", "mayo|maig", "junio|juny", "julio|juliol",
      "agosto|ago|agost", "septiembre|setiembre|set", "octubre", "noviembre", "diciembre|dic",
    ],
    // Portuguese
    [
      "janeiro", "fevereiro|fev", "março", "abril", "maio|mai", "junho", "julho", "agosto", "setembro", "outubro|out",
      "novembro", "dezembro",
    ],
    // Italian
    [
      "gennaio", "febbraio", "marzo", "aprile", "maggio|mag", "giugno|giu", "luglio|lug", "agosto", "settembre",
      "ottobre|ott", "novembre", "dicembre",
    ],
    // Polish, Czech
    [
      "stycznia|sty|ledna|leden", "lutego|lut|února|únor", "marca|března|březen", "kwietnia|kwi|dubna|duben",
      "maja|května|květen", "czerwca|cze|června|červen", "lipca|lip|července|červenec", "sierpnia|sie|srpna|srpen",
      "września|wrz|září", "października|paź|října|říjen", "listopada|lis|listopad", "grudnia|gru|prosince|prosinec",
    ],
    // Russian
    [
      "января|янв|январь", "февраля|фев|февр|февраль", "марта|мар|март", "апреля|апр|апрель", "мая|май",
      "июня|июн|июнь", "июля|июл|июль", "августа|авг|август", "сентября|сен|сент|сентябрь", "октября|окт|октябрь",
      "ноября|ноя|ноябрь", "декабря|дек|декабрь",
    ],
    // Greek
    [
      "ιαν|ιανουαρίου", "φεβ|φεβρουαρίου", "μάώ|μαώ|μαρ|μάρ|μαρτίου", "απρ|απριλίου", "μάι|μαϊ|μαι|μαΐ|μαΐου|μαίου",
      "ιούν|ιον|ιουν|ιουνίου", "ιούλ|ιολ|ιουλ|ιουλίου", "αύγ|αυγ|αυγούστου", "σεπ|σεπτεμβρίου", "οκτ|οκτωβρίου",
      "νοέ|νοε|νοεμ|νοεμβρίου", "δεκ|δεκεμβρίου",
    ],
    // Hungarian
    [
      "január", "február|februári", "március|márc|máricius", "április|ápr|április", "május|máj|máujus", "június|jún",
      "július|júl", "augusztus", "szeptember|szept", "október", "november", "december",
    ],
    // Turkish
    [
      "ocak|oca", "şubat|şub", "mart", "nisan|nis", "mayıs", "haziran|haz", "temmuz|tem", "ağustos|ağu", "eylül|eyl",
      "ekim|eki", "kasım|kas", "aralık|ara",
    ],
  ]

  private static let others: [String: Int] = {
    var table: [String: Int] = [:]
    for language in languages {
      for (index, names) in language.enumerated() {
        for name in names.split(separator: "|") where table[String(name)] == nil { table[String(name)] = index + 1 }
      }
    }
    return table
  }()

  /// Hours. If an abbreviation has several meanings, the one used in feeds: CST and similar are American, IST is
  /// India's, BST is British summer time. Military letters except Z were defined with the wrong sign (RFC 1123
  /// §5.2.14) and are ignored.
  private static let zones: [String: Double] = [
    "z": 0, "ut": 0, "utc": 0, "gmt": 0, "wet": 0,
    "nst": -3.5, "ndt": -2.5, "ast": -4, "adt": -3, "at": -4, "est": -5, "edt": -4, "et": -5, "cst": -6, "cdt": -5,
    "ct": -6, "mst": -7, "mdt": -6, "mt": -7, "pst": -8, "pdt": -7, "pt": -8, "akst": -9, "akdt": -8, "hst": -10,
    "brt": -3, "brst": -2, "art": -3, "clt": -4, "clst": -3,
    "bst": 1, "west": 1, "cet": 1, "cest": 2, "met": 1, "mest": 2, "mez": 1, "mesz": 2, "eet": 2, "eest": 3, "sast": 2,
    "msk": 3, "msd": 4, "trt": 3, "gst": 4, "pkt": 5, "ist": 5.5, "npt": 5.75, "ict": 7, "wib": 7, "hkt": 8, "sgt": 8,
    "myt": 8, "pht": 8, "awst": 8, "jst": 9, "kst": 9, "acst": 9.5, "acdt": 10.5, "aest": 10, "aedt": 11, "nzst": 12,
    "nzdt": 13,
  ]
}
