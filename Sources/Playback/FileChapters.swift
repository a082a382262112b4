import Model

/// The chapters that mpv found in a file: `chapter-list`, an array of maps with `title` and `time`.
enum FileChapters {
  /// Sorted, not negative, at tenths of a second: in an mp3 every start is shifted by the encoder's delay
  /// (-0.025, 4.975, …).
  static func read(_ list: MpvValue) -> [Chapter] {
    list.elements.compactMap { entry in
      guard let time = entry["time"].number, time < 1_000_000 else { return nil }
      return Chapter(start: (max(0, time) * 10).rounded() / 10, title: entry["title"].text)
    }
    .sorted { $0.start < $1.start }
  }
}
