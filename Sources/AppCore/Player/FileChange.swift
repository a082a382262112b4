import Foundation
import Model
import TerminalKit

/// A file may not be the one in which the place was written down: servers put other advertisements into every copy.
public enum FileChange {
  /// Whether the length tells of another file. Headers of the same file differ by less.
  public static func isOther(_ duration: Double, than before: Double) -> Bool {
    abs(duration - before) > max(3, before * 0.001)
  }

  /// By how many seconds the place has moved, as chapters of the same title tell: those of the file that was heard, and
  /// those of the file that is there now. Nil when they do not tell.
  public static func shift(at position: Double, from old: [Chapter], to new: [Chapter]) -> Double? {
    guard let index = old.lastIndex(where: { $0.start <= position }), let title = old[index].title, !title.isEmpty
    else { return nil }
    // A title that comes twice says nothing, unless the lists are the same but for their times.
    let isSameList = old.map(\.title) == new.map(\.title)
    if isSameList { return new[index].start - old[index].start }
    let places = new.filter { $0.title == title }
    guard places.count == 1, old.count(where: { $0.title == title }) == 1 else { return nil }
    return places[0].start - old[index].start
  }
}

extension State {
  /// The file has been opened, and is that long.
  mutating func compareFile(_ duration: Double) {
    guard let before = player.leftTotal, player.position > 30, FileChange.isOther(duration, than: before) else {
      return
    }
    player.isOtherFile = true
    let difference = TimeText.clock(abs(duration - before))
    let word = duration > before ? "longer" : "shorter"
    say(.warning, "The file is \(difference) \(word) than when you left it: the place may have moved")
  }

  /// The chapters of the file that is there now are known.
  mutating func compareChapters(_ chapters: [Chapter]) {
    guard player.isOtherFile, player.shift == nil,
      let shift = FileChange.shift(at: player.position, from: player.leftChapters, to: chapters), abs(shift) >= 2
    else { return }
    player.shift = shift
    let place = TimeText.clock(max(0, player.position + shift))
    let key = keymap.hint(.correctPlace)
    say(
      .warning, "The file has changed since you left it: by its chapters your place is \(place) now; \(key) goes there")
  }

  mutating func correctPlace() -> [Effect] {
    guard let shift = player.shift else { return [] }
    player.shift = nil
    // From here on this is the file that is known.
    player.isOtherFile = false
    player.leftTotal = player.duration
    return seek(to: player.position + shift)
  }

  /// What is known of the place in the file that plays, when it needs no correction or cannot be corrected. Nothing is
  /// claimed that the length and the chapters do not tell.
  var placeInFile: String {
    guard player.isActive, player.phase != .loading else { return "Nothing is playing" }
    guard let before = player.leftTotal else {
      return "Whether the file has changed cannot be told: its length was not known when you left it"
    }
    guard player.isOtherFile, let duration = player.duration else {
      return "The place is where it was left, as far as the file's length tells"
    }
    // The same list as before says nothing of the file: JSON that a feed names does not move with advertisements.
    if player.chapters != player.leftChapters,
      FileChange.shift(at: player.position, from: player.leftChapters, to: player.chapters) != nil
    {
      return "By the chapters the place is where it was left"
    }
    let difference = TimeText.clock(abs(duration - before))
    let (word, direction) = duration > before ? ("longer", "later") : ("shorter", "earlier")
    return """
      The file is \(difference) \(word) than when you left it, and no chapters tell where: the place may be up to \
      \(difference) \(direction)
      """
  }
}
