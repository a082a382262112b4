import Model

extension ChapterMerge {
  /// Cleans the titles and links of chapters that the player reports from a media file, and adds the ends. The player
  /// has corrected the starts.
  public static func fileChapters(_ chapters: [Chapter]) -> [Chapter] {
    ChapterTimes.completed(
      chapters.map { chapter in
        var chapter = chapter
        chapter.title = chapter.title.map(CleanText.line).flatMap { $0.isEmpty || isInternalID($0) ? nil : $0 }
        chapter.url = ChaptersJSON.address(chapter.url)
        return chapter
      })
  }

  /// Whether a title is the id that taggers give to a chapter frame, such as `chp0`. FFmpeg uses it as the title of a
  /// chapter that has none, and the tag, which would tell (`ID3Chapters`), cannot always be read.
  private static func isInternalID(_ title: String) -> Bool {
    title.utf8.count <= 12 && title.lowercased().wholeMatch(of: /ch(?:p|ap|apter)?[_-]?[0-9]+/) != nil
  }
}
