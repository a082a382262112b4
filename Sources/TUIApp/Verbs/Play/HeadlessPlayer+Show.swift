import AppCore
import FeedKit
import Model

/// How the show of an episode is heard: what is passed over.
extension HeadlessPlayer {
  /// Chapters that were found in the file. Those of an episode are brought together with what its feed says.
  func found(_ chapters: [Chapter]) -> [Chapter]? {
    guard item.target.detail != nil else { return ChapterMerge.fileChapters(chapters) }
    desk.found(now.generation, chapters)
    return nil
  }

  /// The title of the chapter that is heard.
  var chapterTitle: String? {
    chapters.last { $0.start <= now.position + PlayerState.chapterTolerance }?.title
  }

  /// Playing has gone on from `before`: where the words of the show lead from here, over chapters that are not wanted.
  func placeAfterSkips(from before: Double) -> Double? {
    ChapterSkip.after(chapters, from: before, to: now.position, duration: now.duration) {
      item.show.skips($0)
    }?
    .target
  }
}
