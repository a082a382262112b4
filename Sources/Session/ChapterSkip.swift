import Foundation
import Model

/// Chapters that playing leads over.
struct ChapterSkip: Equatable {
  /// At least one.
  var chapters: [Chapter]
  /// Where it goes on, in seconds.
  var target: Double

  /// Playing has gone on from `before` to `position`: whether a chapter has begun that is not wanted, and where it and
  /// those right after it that are not wanted either end. Nil without such, and when the end is not known.
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
  /// Whether the words of the podcast say that the chapter is not wanted.
  public func skips(_ chapter: Chapter) -> Bool {
    guard let skippedWords, let title = chapter.title else { return false }
    let folded = Self.fold(title)
    return skippedWords.contains { !$0.isEmpty && folded.contains(Self.fold($0)) }
  }

  /// Without case, accents and width.
  private static func fold(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }
}

/// Chapters that are passed over: by the words of the podcast, or because they were chosen in the list.
extension ListeningSession {
  public func isSkipped(_ chapter: Chapter) -> Bool { chosenSkips[chapter.start] ?? playbackSettings.skips(chapter) }

  public mutating func toggleSkip(_ chapter: Chapter) { chosenSkips[chapter.start] = !isSkipped(chapter) }

  /// Playing has gone on from `before` into a chapter: whether it leads over that one, and where to. Nobody is led away
  /// from a chapter that was sought out.
  mutating func skipChapter(from before: Double) -> [SessionEffect] {
    let skip = ChapterSkip.after(
      chapters, from: before, to: position, duration: duration, tolerance: Self.chapterTolerance,
      isSkipped: { isSkipped($0) })
    guard let skip else { return [] }
    // The sleep timer has just said good night.
    let remark: [SessionEffect] = sound?.wantedPause == true ? [] : [.say(.skipped(skip.chapters))]
    spare(.chapter, skip.target - position)
    let effects = remark + seek(to: skip.target)
    sayNothingOfSeek()
    return effects
  }
}
