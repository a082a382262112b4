import Model

extension ChapterMerge {
  /// Normalizes chapters that libmpv reports from a media file (`chapter-list`). In MP3 files, starts are shifted by
  /// the encoder's delay (−0.025, 4.975…), so they are rounded to 0.1 s and never negative.
  public static func fileChapters(_ chapters: [Chapter]) -> [Chapter] {
    ChapterTimes.completed(
      chapters.filter { $0.start.isFinite && abs($0.start) <= NormalPlayTime.maximum }.map { chapter in
        var chapter = chapter
        chapter.start = rounded(chapter.start)
        chapter.end = chapter.end.flatMap { $0.isFinite ? rounded($0) : nil }
        chapter.title = chapter.title.map(CleanText.line).flatMap { $0.isEmpty ? nil : $0 }
        return chapter
      })
  }

  private static func rounded(_ seconds: Double) -> Double { max(0, (seconds * 10).rounded() / 10) }
}
