import Foundation
import Model
import TerminalKit

/// The listener's clips, bookmarks and skipped parts in the loaded episode, as the library has them.
struct EpisodeMarks: Equatable, Sendable {
  var episode: EpisodeID?
  var clips: [Clip] = []
  var query = QueryState()

  /// The starts of the bookmarks in seconds, in order.
  var bookmarks: [Double] { clips.filter(\.isBookmark).map(\.startTime).sorted() }
}

/// What the listener marks while something plays.
struct Marks: Equatable, Sendable {
  /// Those of the loaded episode, as the library has them.
  var loaded = EpisodeMarks()
  /// The start of a clip that has no end yet.
  var clip: EpisodePlace?
  /// When a bookmark was last set. A note that is written soon after is about it.
  var lastBookmark: LastBookmark?
  /// The texts of notes that could not be stored, in this order. The next note that is written begins with them.
  var unstoredNotes: [String] = []
}

/// A bookmark that was set just now. A note that follows soon is about it.
struct LastBookmark: Equatable, Sendable {
  var place: EpisodePlace
  var time: Date
}

/// Asks for the marks of the loaded episode.
private struct MarksQuestion: LibraryQuestion {
  var episode: EpisodeID
  var destination: AnswerDestination { .later }

  func read(_ library: any LibraryReader) throws -> [Clip]? { try library.marks(of: episode) }

  func receive(_ clips: [Clip], _ state: inout State) -> [Effect] {
    guard state.marks.loaded.episode == episode else { return [] }
    state.marks.loaded.clips = clips
    state.player.receive(skipped: clips.skippedRanges)
    return []
  }
}

/// Bookmarks and skipped parts.
extension State {
  /// Asks for the marks of the episode that was loaded, and again when they may have changed.
  mutating func reconcileMarks() -> [Effect] {
    let episode = player.isActive ? player.episode?.id : nil
    if marks.loaded.episode != episode { marks.loaded = EpisodeMarks(episode: episode) }
    guard let episode, marks.loaded.query.isStale else { return [] }
    marks.loaded.query.asked()
    return [ask(MarksQuestion(episode: episode))]
  }

  /// Seconds between the moment that is worth a bookmark and the key.
  static let reaction = 2.0

  /// `B`: marks what was just heard.
  mutating func bookmark(_ title: String?) -> [Effect] {
    guard noBookmark == nil, let place = player.placeJustHeard(before: Self.reaction) else { return [] }
    let second = place.seconds
    marks.lastBookmark = LastBookmark(place: place, time: now)
    showMessage(
      .success, "Bookmark at \(TimeText.clock(second)). \(keymap.press(.note)) to write a note.")
    return [.write(.addClip(place.episode, from: second, to: nil, title: title))]
  }

  /// Goes to the next or the previous bookmark of the loaded episode.
  mutating func seekBookmark(_ step: Int) -> [Effect] {
    let bookmarks = marks.loaded.bookmarks
    let target =
      step > 0
      ? bookmarks.first { $0 > player.position + 0.5 } : bookmarks.last { $0 < player.position - Self.reaction }
    guard let target else {
      let side = step > 0 ? "after" : "before"
      let text = bookmarks.isEmpty ? "This episode has no bookmarks" : "There is no bookmark \(side) this position"
      return tell(.info, text + ". \(keymap.press(.bookmark)) to set one.")
    }
    return seek(to: target, as: .jump)
  }

  /// The bookmark that `)` can give an end: the last one before the position.
  var openBookmark: Clip? { marks.loaded.clips.last { $0.isBookmark && $0.startTime < player.position } }

  mutating func endBookmark(_ bookmark: Clip) -> [Effect] {
    var clip = bookmark
    clip.endTime = player.position
    return write(
      .changeClip(clip.id, .times(start: nil, end: player.position)), "The bookmark is now the clip \(clip.times())")
  }

  /// `:skip-this`: marks the part from the start of the clip to here. It is skipped from now on.
  mutating func skipThis() -> [Effect] {
    guard let mark = startedClip, canEnd(mark) else { return [] }
    marks.clip = nil
    return write(
      .addClip(mark.episode, kind: .skip, from: mark.seconds, to: player.position),
      "\(TimeText.clock(mark.seconds))–\(TimeText.clock(player.position)) is now always skipped")
  }
}
