import Model

extension ChapterMerge {
  /// Normalizes chapters that libmpv reports from a media file (`chapter-list`). In MP3 files, starts are shifted by
  /// the encoder's delay (−0.025, 4.975…), so they are rounded to 0.1 s and never negative. What starts clearly before
  /// the beginning is left out.
  public static func fileChapters(_ chapters: [Chapter]) -> [Chapter] {
    ChapterTimes.completed(
      chapters.filter { $0.start > -maximumDelay && $0.start <= MediaTime.maximum }.map { chapter in
        var chapter = chapter
        chapter.start = rounded(chapter.start)
        chapter.end = chapter.end.flatMap { $0.isFinite ? rounded($0) : nil }
        chapter.title = chapter.title.map(CleanText.line).flatMap { $0.isEmpty || isInternalID($0) ? nil : $0 }
        return chapter
      })
  }

  /// Seconds by which an encoder may delay the sound.
  private static let maximumDelay = 0.5

  /// Whether a title is the id that taggers give to a chapter frame, such as `chp0`. FFmpeg uses it as the title of a
  /// chapter that has none, and the tag, which would tell (`ID3Chapters`), cannot always be read.
  private static func isInternalID(_ title: String) -> Bool {
    title.utf8.count <= 12 && title.lowercased().wholeMatch(of: /ch(?:p|ap|apter)?[_-]?[0-9]+/) != nil
  }

  private static func rounded(_ seconds: Double) -> Double { max(0, (seconds * 10).rounded() / 10) }
}
