import Model

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
    guard let entered = chapterIndex, chapters[entered].start > (isFirst ? -1 : before) + Self.chapterTolerance,
      isSkipped(chapters[entered])
    else { return [] }
    // The skipped chapters right after it are skipped, too.
    let next = chapters[entered...].firstIndex { !isSkipped($0) }
    // Nil if the end of the last skipped chapter is unknown.
    guard let target = next.map({ chapters[$0].start }) ?? duration else { return [] }
    // If the chapters leave nothing to hear, the listener who plays it wants to hear it all the same.
    guard !isFirst || chapters.contains(where: { !isSkipped($0) && $0.start >= target }) else { return [] }
    let skipped = Array(chapters[entered..<(next ?? chapters.count)])
    // No message when the sleep timer pauses at this moment: it has its own message.
    let message: [SessionEffect] = sound?.requestedPause == true ? [] : [.message(.skipped(skipped))]
    addSavedTime(.chapter, target - position)
    return message + skip(to: target)
  }

  /// Seeks over what is skipped. The next report is compared with the position before it.
  mutating func skip(to target: Double) -> [SessionEffect] {
    let start = position
    let effects = seek(to: target, as: .automatic)
    change { $0.skippedFrom = $0.skippedFrom ?? start }
    return effects
  }
}
