import Model

/// Reads the chapters that mpv found in a file: the property `chapter-list`, an array of maps with `title` and
/// `time`.
enum FileChapters {
  /// Sorted by start, in seconds rounded to tenths, never negative. In an mp3, all starts are shifted by the
  /// encoder's delay (-0.025, 4.975, … at 44.1 kHz, more at lower rates). If the first start is negative, it is the
  /// shift, and all starts are corrected by it. What starts before that is left out.
  static func read(_ list: MpvValue) -> [Chapter] {
    let first = list.elements.compactMap { $0["time"].number }.min() ?? 0
    let delay = (-0.5..<0).contains(first) ? -first : 0
    return list.elements.compactMap { entry in
      guard let time = entry["time"].number, (-0.5..<1_000_000).contains(time) else { return nil }
      return Chapter(start: (max(0, time + delay) * 10).rounded() / 10, title: entry["title"].text)
    }
    .sorted { $0.start < $1.start }
  }
}
