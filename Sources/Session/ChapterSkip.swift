import Model

/// A run of chapters that playback skips.
struct ChapterSkip: Equatable {
  /// Never empty.
  var chapters: [Chapter]
  /// The position where playback continues, in seconds.
  var target: Double

  /// The skip to make when playback has moved from `before` to `position`, all in seconds.
  /// - Returns: the chapter that began between the two positions and the skipped chapters right after it. Nil if that
  ///   chapter is not skipped, if no chapter began, or if the end of the last skipped chapter is unknown.
  static func after(
    _ chapters: [Chapter], from before: Double, to position: Double, duration: Double?, tolerance: Double,
    isSkipped: (Chapter) -> Bool
  ) -> ChapterSkip? {
    guard let first = chapters.lastIndex(where: { $0.start <= position + tolerance }),
      chapters[first].start > before + tolerance, isSkipped(chapters[first])
    else { return nil }
    let next = chapters[first...].firstIndex { !isSkipped($0) }
    guard let target = next.map({ chapters[$0].start }) ?? duration else { return nil }
    return ChapterSkip(chapters: Array(chapters[first..<(next ?? chapters.count)]), target: target)
  }
}

extension PlaybackSettings {
  /// Whether the chapter's title contains one of the podcast's skip words.
  public func skips(_ chapter: Chapter) -> Bool {
    guard let skippedWords, let title = chapter.title else { return false }
    let folded = TextFolding.fold(title)
    return skippedWords.contains { !$0.isEmpty && folded.contains(TextFolding.fold($0)) }
  }

}

/// Skipped chapters: by the podcast's skip words, or because the listener chose them in the list of chapters.
extension ListeningSession {
  public func isSkipped(_ chapter: Chapter) -> Bool { chosenSkips[chapter.start] ?? playbackSettings.skips(chapter) }

  public mutating func toggleSkip(_ chapter: Chapter) { chosenSkips[chapter.start] = !isSkipped(chapter) }

  /// Skips the chapter that playback has just entered, if it is to be skipped. A chapter that the listener jumped to is
  /// played.
  /// - Parameter before: the position before this step, in seconds.
  mutating func skipChapter(from before: Double) -> [SessionEffect] {
    let isFirst = sound?.isFirstChapterOpen == true && !chapters.isEmpty
    if isFirst { change { $0.isFirstChapterOpen = false } }
    let skip = ChapterSkip.after(
      chapters, from: isFirst ? -1 : before, to: position, duration: duration, tolerance: Self.chapterTolerance,
      isSkipped: { isSkipped($0) })
    // If the chapters leave nothing to hear, the listener who plays it wants to hear it all the same.
    guard let skip, !isFirst || chapters.contains(where: { !isSkipped($0) && $0.start >= skip.target }) else {
      return []
    }
    // No message when the sleep timer pauses at this moment: it has its own message.
    let message: [SessionEffect] = sound?.requestedPause == true ? [] : [.message(.skipped(skip.chapters))]
    addSavedTime(.chapter, skip.target - position)
    return message + self.skip(to: skip.target)
  }

  /// Seeks over what is skipped. The next report is compared with the position before it.
  mutating func skip(to target: Double) -> [SessionEffect] {
    let start = position
    let effects = seek(to: target, as: .automatic)
    change { $0.skippedFrom = $0.skippedFrom ?? start }
    return effects
  }
}
