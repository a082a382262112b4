import Foundation
import Model
import TerminalKit

/// Chapters that playing leads over.
public struct ChapterSkip: Equatable, Sendable {
  /// At least one.
  public var chapters: [Chapter]
  /// Where it goes on, in seconds.
  public var target: Double

  /// Playing has gone on from `before` to `position`: whether a chapter has begun that is not wanted, and where it and
  /// those right after it that are not wanted either end. Nil without such, and when the end is not known.
  public static func after(
    _ chapters: [Chapter], from before: Double, to position: Double, duration: Double?, isSkipped: (Chapter) -> Bool
  ) -> ChapterSkip? {
    guard let first = chapters.lastIndex(where: { $0.start <= position + PlayerState.chapterTolerance }),
      chapters[first].start > before + PlayerState.chapterTolerance, isSkipped(chapters[first])
    else { return nil }
    let next = chapters[first...].firstIndex { !isSkipped($0) }
    guard let target = next.map({ chapters[$0].start }) ?? duration else { return nil }
    return ChapterSkip(chapters: Array(chapters[first..<(next ?? chapters.count)]), target: target)
  }
}

extension ShowSettings {
  /// Whether the words of the show say that the chapter is not wanted.
  public func skips(_ chapter: Chapter) -> Bool {
    guard let skippedWords, let title = chapter.title else { return false }
    let folded = SearchText.fold(title)
    return skippedWords.contains { !$0.isEmpty && folded.contains(SearchText.fold($0)) }
  }
}

/// Chapters that are passed over: by the words of the show, or because they were chosen in the list.
extension State {
  /// Whether the chapter is to be passed over.
  func isSkipped(_ chapter: Chapter) -> Bool {
    if let chosen = player.chosenSkips[chapter.start] { return chosen }
    return player.currentShow.skips(chapter)
  }

  /// Playing has gone on from `before` into a chapter: whether it leads over that one, and where to. Nobody is led away
  /// from a chapter that was sought out.
  mutating func skipChapter(from before: Double) -> [Effect] {
    guard
      let skip = ChapterSkip.after(
        player.chapters, from: before, to: player.position, duration: player.duration, isSkipped: { isSkipped($0) })
    else { return [] }
    let title =
      skip.chapters.count == 1 ? "“\(skip.chapters[0].title ?? "Untitled")”" : "\(skip.chapters.count) chapters"
    // The sleep timer has just said good night.
    if player.wantedPause != true { say(.note, "Skipped \(title)") }
    return seek(to: skip.target)
  }

  mutating func toggleSkip(_ chapter: Chapter) { player.chosenSkips[chapter.start] = !isSkipped(chapter) }

  mutating func openChapters() -> [Effect] {
    if listening != nil { return listen(.chapters) }
    return open(Picker(ChapterPicker(), player.chapters, selected: player.chapterIndex ?? 0))
  }
}
