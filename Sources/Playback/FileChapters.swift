import Model

/// Reads the chapters that mpv found in a file: the property `chapter-list`, an array of maps with `title` and
/// `time`.
enum FileChapters {
  /// Sorted by start, in seconds rounded to tenths, never negative. In an mp3, all starts are shifted by the
  /// encoder's delay (-0.025, 4.975, … at 44.1 kHz, more at lower rates). If the first start is negative, it is the
  /// shift, and all starts are corrected by it. What starts before that is left out.
  /// - Parameter tags: the property `metadata`, with the links of Vorbis comments.
  static func read(_ list: MpvValue, tags: MpvValue = .none) -> [Chapter] {
    let possible = -0.5..<1_000_000
    let first = list.elements.compactMap { $0["time"].number }.filter(possible.contains).min() ?? 0
    let delay = max(0, -first)
    let links = links(tags, of: list.elements.count)
    return list.elements.enumerated().compactMap { index, entry -> Chapter? in
      guard let time = entry["time"].number, possible.contains(time) else { return nil }
      let start = (max(0, time + delay) * 10).rounded() / 10
      return Chapter(start: start, title: entry["title"].text, url: links[index])
    }
    .sorted { $0.start < $1.start }
  }

  /// The links (`CHAPTER001URL`) by the indices of their chapters in mpv's list. mpv does not report the numbers of the
  /// chapters, so the links must show whether these begin with 0 or 1.
  private static func links(_ tags: MpvValue, of count: Int) -> [Int: String] {
    guard case .map(let entries) = tags else { return [:] }
    let links = entries.compactMap { entry -> (number: Int, url: String)? in
      guard let match = entry.key.wholeMatch(of: /(?i)chapter(\d{3})url/), let number = Int(match.1),
        let url = entry.value.text
      else { return nil }
      return (number, url)
    }
    let numbers = Set(links.map(\.number))
    guard numbers.contains(0) != numbers.contains(count) else { return [:] }
    return Dictionary(links.map { ($0.number - (numbers.contains(0) ? 0 : 1), $0.url) }, uniquingKeysWith: { $1 })
  }
}
