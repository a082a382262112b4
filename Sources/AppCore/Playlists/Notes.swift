import Foundation
import Model
import TerminalKit

/// What a note is about.
public enum NoteOwner: Equatable, Sendable {
  case clip(Clip)
  case episode(EpisodeID)
  /// The bookmark at this second, which was just set. The library may not have it yet.
  case newBookmark(EpisodeID, at: Double)
}

/// A note that is written in a prompt or an editor.
public struct NoteDraft: Equatable, Sendable {
  var owner: NoteOwner
  /// The stored note.
  var before: String
  /// Texts that could not be stored before. What fails while this note is written is not among them.
  var unstored: [String] = []

  /// What the prompt or the editor begins with.
  public var text: String { ([before] + unstored).filter { !$0.isEmpty }.joined(separator: "\n") }
}

/// Asks for a note of one line.
public struct NotePrompt: PromptPurpose {
  var draft: NoteDraft

  public var label: String {
    switch draft.owner {
    case .clip(let clip) where !clip.isBookmark: "Note about the clip: "
    case .clip, .newBookmark: "Note about the bookmark: "
    case .episode: "Note about the episode: "
    }
  }

  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    state.forgetUnstored(of: draft)
    return text == draft.before ? [] : state.save(note: text, of: draft.owner)
  }
}

/// The listener's notes.
extension State {
  /// Seconds in which a note is about the last bookmark.
  private static let bookmarkInterval = 60.0

  /// What a note would be about now: the selected clip, the bookmark that was just set, or the episode.
  private var noteOwner: NoteOwner? {
    if let clip = selectedEntry?.clip { return .clip(clip) }
    return noteOwnerElsewhere ?? (episodeToRead ?? selectedEpisode).map { .episode($0) }
  }

  /// What a note would be about now, if that is not selected: the bookmark that was just set, or the episode that plays
  /// where no episode is selected.
  var noteOwnerElsewhere: NoteOwner? {
    guard selectedEntry?.clip == nil else { return nil }
    if let last = marks.lastBookmark, now.timeIntervalSince(last.time) < Self.bookmarkInterval,
      last.place.episode == player.episode?.id
    {
      return .newBookmark(last.place.episode, at: last.place.seconds)
    }
    return (episodeToRead ?? selectedEpisode) == nil ? player.episode.map { .episode($0.id) } : nil
  }

  var nothingToNote: String? { noteOwner == nil ? "Choose an episode or a clip first" : nil }

  /// `:note TEXT`, or asks for the text.
  mutating func note(_ text: String?) -> [Effect] {
    guard let text, let owner = noteOwner else { return openNote(usesEditor: false) }
    return save(note: text, of: owner)
  }

  /// `:edit-note`: writes the note in the listener's editor.
  mutating func editNote() -> [Effect] { openNote(usesEditor: true) }

  private mutating func openNote(usesEditor: Bool) -> [Effect] {
    switch noteOwner {
    case .clip(let clip)?: return openNote(clip.note ?? "", of: .clip(clip), usesEditor: usesEditor)
    case .episode(let id)?: return [ask(NoteQuestion(episode: id, usesEditor: usesEditor))]
    case .newBookmark(let episode, let second)?:
      // A second note about it begins with the first.
      let known = marks.loaded.clips.last { $0.isBookmark && $0.episode == episode && $0.startTime == second }
      let owner = known.map { NoteOwner.clip($0) } ?? .newBookmark(episode, at: second)
      return openNote(known?.note ?? "", of: owner, usesEditor: usesEditor)
    case nil: return []
    }
  }

  /// A note with several lines does not fit in a prompt.
  fileprivate mutating func openNote(_ before: String, of owner: NoteOwner, usesEditor: Bool = false) -> [Effect] {
    let draft = NoteDraft(owner: owner, before: before, unstored: marks.unstoredNotes)
    guard !usesEditor, !draft.text.contains("\n") else { return [.terminal(.edit(draft))] }
    return open(Prompt(NotePrompt(draft: draft), draft.text))
  }

  /// The listener has decided about the unstored texts of this note. Those that were added since stay.
  fileprivate mutating func forgetUnstored(of draft: NoteDraft) {
    marks.unstoredNotes.removeFirst(min(draft.unstored.count, marks.unstoredNotes.count))
  }

  mutating func save(note text: String, of owner: NoteOwner) -> [Effect] {
    write(.writeNote(owner, text), text.allSatisfy(\.isWhitespace) ? "Deleted the note" : "Saved the note")
  }

  /// Keeps the text of a note that could not be stored, because the disk is full or the episode is gone.
  mutating func keepUnstored(note text: String, _ error: ReportedError) {
    marks.unstoredNotes.append(text)
    showMessage(.error, "The note is not stored (press \(keymap.hint(.note)) to get its text back): \(error.text)")
  }

  /// The listener's editor has ended.
  mutating func noteEdited(_ draft: NoteDraft, _ result: Result<String, ReportedError>) -> [Effect] {
    switch result {
    case .success(let text):
      let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
      // An editor that is left without a change has not accepted the unstored texts, which may be about something else.
      guard text != draft.text.trimmingCharacters(in: .whitespacesAndNewlines) else {
        let rest = draft.unstored.isEmpty ? "" : ". \(keymap.press(.note)) to get the text that is not stored."
        return tell(.info, "The note is unchanged\(rest)")
      }
      forgetUnstored(of: draft)
      guard text != draft.before.trimmingCharacters(in: .whitespacesAndNewlines) else {
        return tell(.info, "The note is unchanged")
      }
      return save(note: text, of: draft.owner)
    case .failure(let error):
      return tell(.error, error.text)
    }
  }

  mutating func showNotes() -> [Effect] { [ask(NotesQuestion())] }
}

/// Asks for the note of an episode, to change it.
private struct NoteQuestion: LibraryQuestion {
  var episode: EpisodeID
  var usesEditor: Bool

  func read(_ library: any LibraryReader) throws -> String? { try library.marks(of: episode).episodeNote ?? "" }

  func receive(_ note: String, _ state: inout State) -> [Effect] {
    state.openNote(note, of: .episode(episode), usesEditor: usesEditor)
  }
}

/// Asks for all notes, for their page.
private struct NotesQuestion: LibraryQuestion {
  func read(_ library: any LibraryReader) throws -> [NotedEpisode]? { try library.notedEpisodes() }

  func receive(_ episodes: [NotedEpisode], _ state: inout State) -> [Effect] {
    let notes = episodes.flatMap { episode in
      episode.marks.filter { $0.note != nil || $0.isBookmark }.map { NotesPicker.Entry(row: episode.row, clip: $0) }
    }
    guard !notes.isEmpty else {
      return state.tell(
        .info,
        "No notes yet. \(state.keymap.press(.note)) to write one, or \(state.keymap.hint(.bookmark)) to set a bookmark."
      )
    }
    state.library.remember(notes.map(\.row))
    return state.open(Picker(NotesPicker(), notes))
  }
}

/// The page of all notes and bookmarks. A choice plays from there.
struct NotesPicker: PickerPurpose {
  struct Entry: Equatable, Sendable {
    var row: EpisodeRow
    var clip: Clip
  }

  var title: String { "Notes and bookmarks" }

  func text(_ entry: Entry, _ state: State) -> String {
    let glyphs = state.glyphs
    let words = [entry.clip.title, entry.clip.note].compactMap { $0 }.map { Sanitize.line($0) }
    let time = entry.clip.kind == .note ? "" : entry.clip.times(glyphs.range) + "  "
    let source = [entry.row.title, entry.row.podcastTitle].filter { !$0.isEmpty }.map { Sanitize.line($0) }
    return time + (words + source).joined(separator: glyphs.separator)
  }

  func choose(_ entry: Entry, _ state: inout State) -> [Effect] {
    entry.clip.kind == .note ? state.playChosen(entry.row.id) : state.play(entry.clip)
  }

  func handle(_ name: CommandName, _ entry: Entry, _ state: inout State) -> OverlayOutcome? {
    guard name == .note else { return nil }
    // An episode may have a note of each device. They are read and replaced together.
    return .close(
      entry.clip.kind == .note
        ? [state.ask(NoteQuestion(episode: entry.row.id, usesEditor: false))]
        : state.openNote(entry.clip.note ?? "", of: .clip(entry.clip)))
  }

  func remove(_ entry: Entry, _ state: inout State) -> [Effect]? {
    state.write(.deleteClips([entry.clip.id]), "Deleted it", .info)
  }

  var hints: [(CommandName, String)] {
    [(.open, "play from there"), (.back, "close"), (.note, "write"), (.delete, "delete")]
  }
}
