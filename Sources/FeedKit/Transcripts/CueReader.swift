import Model

/// Parses SRT and WebVTT (W3C TR webvtt1), which are often mixed up: a line with `-->` starts a cue, and its text
/// continues to a blank line or the next cue.
enum CueReader {
  static func lines(_ text: String) -> [Transcript.Line] {
    var cues: [Cue] = []
    var times: (start: Double, end: Double?)?
    var body: [Substring] = []
    var skipsBlock = false
    var isAfterBlank = false

    func endCue() {
      guard let cue = times else { return }
      times = nil
      cues.append(Cue(start: cue.start, end: cue.end, rows: body))
      body = []
    }

    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      guard cues.count < TranscriptReader.lineLimit else { break }
      let isBlank = line.utf8.allSatisfy(Self.isBlank)
      if let found = timing(line) {
        // If a cue follows without a blank line, its number was read as the last line of the previous one.
        if times != nil, let last = body.last, isNumber(last) {
          body.removeLast()
        }
        endCue()
        times = found
        skipsBlock = false
        isAfterBlank = false
      } else if isBlank {
        // Some writers put a blank line between the times and the text.
        if !body.isEmpty { endCue() }
        skipsBlock = false
        isAfterBlank = true
      } else if times != nil, !(isAfterBlank && body.isEmpty && startsBlock(line)) {
        if body.count < 64 { body.append(line) }
      } else if !skipsBlock, startsBlock(line) {
        endCue()
        skipsBlock = true
      }
    }
    endCue()
    return lines(of: cues)
  }

  private struct Cue {
    var start: Double
    var end: Double?
    /// With markup.
    var rows: [Substring]
  }

  private static func lines(of cues: [Cue]) -> [Transcript.Line] {
    var result: [Transcript.Line] = []
    /// The current speaker in SRT. In WebVTT, a voice applies to its cue only.
    var turn: String?
    let texts = cues.map { $0.rows.map { plain($0.utf8) } }
    let unrolled = RollingCaptions.unrolled(texts)
    for (index, cue) in cues.enumerated() {
      // A cue that repeats nothing keeps its markup, which names the speakers.
      let text =
        unrolled[index] == texts[index] ? cue.rows.joined(separator: " ") : unrolled[index].joined(separator: " ")
      let isPlain = unrolled[index] != texts[index]
      for (speaker, text) in isPlain ? (text.isEmpty ? [] : [(nil, text)]) : voices(text) {
        let (named, spoken) = speaker == nil ? TranscriptLines.speakerAndText(text) : (nil, text)
        if let named { turn = named }
        if speaker != nil { turn = nil }
        result.append(Transcript.Line(start: cue.start, end: cue.end, speaker: speaker ?? named ?? turn, text: spoken))
      }
    }
    return result
  }

  /// Whether the line begins a block of WebVTT that is not a cue.
  private static func startsBlock(_ line: Substring) -> Bool {
    ["NOTE", "STYLE", "REGION", "WEBVTT"].contains(line.prefix { $0 != " " && $0 != "\t" })
  }

  /// Whether the line may be the number of a cue in SRT.
  static func isNumber(_ line: some StringProtocol) -> Bool {
    !line.isEmpty && line.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// `[HH:]MM:SS.mmm --> [HH:]MM:SS.mmm settings`, also with a comma instead of the point.
  static func timing(_ line: Substring) -> (start: Double, end: Double?)? {
    guard line.utf8.count <= 400, let arrow = line.firstRange(of: "-->") else { return nil }
    guard let start = NormalPlayTime.parse(line[..<arrow.lowerBound].utf8) else { return nil }
    let rest = line[arrow.upperBound...].split(whereSeparator: { $0 == " " || $0 == "\t" })
    let end = rest.first.flatMap { NormalPlayTime.parse($0.utf8) }
    return (start, end.flatMap { $0 >= start ? $0 : nil })
  }

  /// The texts of a cue with their speakers. A voice (`<v Name>`, `<v.loud Name>`) applies until the next one.
  private static func voices(_ cue: String) -> [(speaker: String?, text: String)] {
    var result: [(speaker: String?, text: String)] = []
    var speaker: String?
    var rest = Array(cue.utf8)[...]
    func add(_ part: ArraySlice<UInt8>) {
      let text = plain(part)
      if !text.isEmpty { result.append((speaker, text)) }
    }
    while let voice = voice(in: rest) {
      add(rest[..<voice.range.lowerBound])
      speaker = voice.name
      rest = rest[voice.range.upperBound...]
    }
    add(rest)
    return result
  }

  /// The first voice tag, with its name if it has one. The end is only searched for a tag that is one, so that all of
  /// a cue is read once.
  private static func voice(in text: ArraySlice<UInt8>) -> (name: String?, range: Range<Int>)? {
    var at = text.startIndex
    while let open = text[at...].firstIndex(of: UInt8(ascii: "<")) {
      at = open + 1
      let inside = text[at...].dropFirst()
      guard text[at...].first == UInt8(ascii: "v"), let first = inside.first,
        isBlank(first) || first == UInt8(ascii: ".")
      else { continue }
      guard let close = inside.firstIndex(of: UInt8(ascii: ">")) else { return nil }
      let name = String(decoding: inside[..<close].drop { !isBlank($0) }, as: UTF8.self)
      return (CleanText.line(HTMLEntities.decoded(name)).nonEmpty, open..<close + 1)
    }
    return nil
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// The text without tags. "{\an8}" positions a subtitle, and "<00:00:01.000>" times a word.
  private static func plain(_ text: some Sequence<UInt8>) -> String {
    HTMLDocument.plainText(String(decoding: withoutMarks(Array(text)), as: UTF8.self))
  }

  /// Without times of words and positions of subtitles. Bytes, because a regular expression takes a minute for the
  /// megabytes of "{\" that a server may send.
  private static func withoutMarks(_ text: [UInt8]) -> [UInt8] {
    guard text.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "{") }) else { return text }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      if let end = endOfMark(text, at: index) {
        index = end
      } else {
        result.append(text[index])
        index += 1
      }
    }
    return result
  }

  /// The end of "<00:00:01.000>" or "{\an8}", of at most 40 bytes. Nil: neither begins here.
  private static func endOfMark(_ text: [UInt8], at start: Int) -> Int? {
    let rest = text[(start + 1)...].prefix(41)
    guard let first = rest.first else { return nil }
    switch text[start] {
    case UInt8(ascii: "<") where (0x30...0x39).contains(first):
      guard let end = rest.firstIndex(where: { !(0x30...0x3A).contains($0) && $0 != UInt8(ascii: ".") }),
        text[end] == UInt8(ascii: ">")
      else { return nil }
      return end + 1
    case UInt8(ascii: "{") where first == UInt8(ascii: "\\"):
      return rest.firstIndex(of: UInt8(ascii: "}")).map { $0 + 1 }
    default: return nil
    }
  }
}
