import Foundation
import Model
import TerminalKit

/// Chapters that are passed over: by the words of the show, or because they were chosen in the list.
extension State {
  /// Whether the chapter is to be passed over.
  func isSkipped(_ chapter: Chapter) -> Bool {
    if let chosen = player.chosenSkips[chapter.start] { return chosen }
    guard let words = player.currentShow.skippedWords, let title = chapter.title else { return false }
    let folded = SearchText.fold(title)
    return words.contains { !$0.isEmpty && folded.contains(SearchText.fold($0)) }
  }

  /// Playing has gone on from `before` into a chapter: whether it leads over that one, and where to. Nobody is led away
  /// from a chapter that was sought out.
  mutating func skipChapter(from before: Double) -> [Effect] {
    guard let first = player.chapterIndex, player.chapters[first].start > before + PlayerState.chapterTolerance,
      isSkipped(player.chapters[first])
    else { return [] }
    return skip(from: first)
  }

  /// Leads over the chapter and those right after it that are skipped too.
  private mutating func skip(from first: Int) -> [Effect] {
    let next = player.chapters[first...].firstIndex { !isSkipped($0) }
    let skipped = player.chapters[first..<(next ?? player.chapters.count)]
    let title = skipped.count == 1 ? "“\(skipped[first].title ?? "Untitled")”" : "\(skipped.count) chapters"
    guard let target = next.map({ player.chapters[$0].start }) ?? player.duration else { return [] }
    say(.note, "Skipped \(title)")
    return seek(to: target)
  }

  mutating func toggleSkip(_ index: Int) {
    guard player.chapters.indices.contains(index) else { return }
    let chapter = player.chapters[index]
    player.chosenSkips[chapter.start] = !isSkipped(chapter)
  }

  /// The rows of the list.
  var chapterItems: [String] {
    player.chapters.map { chapter in
      let mark = isSkipped(chapter) ? "  (skipped)" : ""
      return "\(TimeText.clock(chapter.start))  \(chapter.title ?? "Untitled")\(mark)"
    }
  }

  mutating func openChapters() -> [Effect] {
    if listening != nil { return listen(.chapters) }
    guard !player.chapters.isEmpty else {
      say(.note, player.isActive ? "This episode has no chapters" : "Nothing is playing")
      return []
    }
    overlays.append(
      .picker(Picker(.chapters, title: "Chapters", items: chapterItems, selected: player.chapterIndex ?? 0)))
    return []
  }
}
