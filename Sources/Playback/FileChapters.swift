import Model

/// The chapters that mpv found in a file: `chapter-list`, an array of maps with `title` and `time`.
enum FileChapters {
  /// Sorted, not negative, at tenths of a second. In an mp3 every start is shifted by the encoder's delay (-0.025,
  /// 4.975, … at 44.1 kHz, more at low rates); a negative first one tells by how much.
  static func read(_ list: MpvValue) -> [Chapter] {
    let first = list.elements.compactMap { $0["time"].number }.min() ?? 0
    let delay = (-0.5..<0).contains(first) ? -first : 0
    return list.elements.compactMap { entry in
      guard let time = entry["time"].number, time < 1_000_000 else { return nil }
      return Chapter(start: (max(0, time + delay) * 10).rounded() / 10, title: entry["title"].text)
    }
    .sorted { $0.start < $1.start }
  }
}
