import Foundation
import Model

/// The result of an import.
public struct ImportCounts: Equatable, Sendable {
  public var added: Int
  public var known: Int
  /// How many addresses are not feeds.
  public var refused: Int
  /// Other results as texts, such as "3 played".
  public var more: [String]
  /// Something could not be read or adopted.
  public var isDoubtful: Bool
  public init(added: Int, known: Int, refused: Int, more: [String] = [], isDoubtful: Bool = false) {
    self.added = added
    self.known = known
    self.refused = refused
    self.more = more
    self.isDoubtful = isDoubtful
  }
}

/// Import and export of files: subscriptions and clips.
extension State {
  mutating func importLibrary(_ file: String?) -> [Effect] {
    guard let file else { return open(Prompt(FilePrompt(.importLibrary))) }
    showMessage(.info, "Reading \(file)…")
    return [.file(.importLibrary(file))]
  }

  mutating func imported(_ result: Result<ImportCounts, ReportedError>) -> [Effect] {
    switch result {
    case .failure(let error):
      return tell(.error, error.text)
    case .success(let counts):
      var parts = ["\(Counted.text(counts.added, "podcast")) added"]
      if counts.known > 0 { parts.append("\(counts.known) known") }
      if counts.refused > 0 { parts.append("\(counts.refused) refused: not the address of a feed") }
      parts += counts.more
      let refresh = counts.added > 0 ? "; their episodes are being fetched" : ""
      let kind: Message.Kind = counts.refused > 0 || counts.isDoubtful ? .warning : .success
      showMessage(kind, parts.joined(separator: ", ") + refresh)
      return invalidate() + (counts.added > 0 ? startRefresh(nil) : [])
    }
  }

  mutating func exportSubscriptions(_ file: String?) -> [Effect] {
    guard let file else { return open(Prompt(FilePrompt(.exportSubscriptions), offered: "~/subscriptions.opml")) }
    guard !Self.isSound(file) else {
      return tell(
        .warning, "This writes the subscriptions as text. Type :\(CommandName.exportClip) to write a clip as sound.")
    }
    return [.file(.exportSubscriptions(file))]
  }

  /// Whether the name is that of a sound file, as the listener writes it for a clip.
  private static func isSound(_ file: String) -> Bool {
    ["mp3", "m4a", "ogg", "opus", "flac", "wav", "aac", "mka"].contains {
      file.lowercased().hasSuffix(".\($0)")
    }
  }

  mutating func exportClip(_ file: String?) -> [Effect] {
    guard let clip = selectedEntry?.clip, !clip.isBookmark else { return [] }
    guard let file else {
      let name = clip.title ?? library.rows[clip.episode]?.title ?? "clip"
      return open(Prompt(FilePrompt(.exportClip(clip)), offered: "~/\(Self.fileName(name)).mp3"))
    }
    return export(clip, to: file)
  }

  fileprivate mutating func export(_ clip: Clip, to file: String) -> [Effect] {
    showMessage(.info, "Writing \(file)…")
    return [.file(.exportClip(clip, to: file))]
  }

  /// The title as a file name that is valid on every file system.
  private static func fileName(_ title: String) -> String {
    let kept = title.unicodeScalars.prefix(60).map { scalar in
      CharacterSet.alphanumerics.contains(scalar) || "-_.".unicodeScalars.contains(scalar) ? Character(scalar) : " "
    }
    var words = String(kept).split(separator: " ").joined(separator: "-")
    // A sentence as a title has its full stop.
    while words.hasSuffix(".") { words.removeLast() }
    return words.isEmpty || words.hasPrefix(".") ? "clip" : words
  }

  // MARK: Sharing as text

  /// `Y`: copies the selected clip or episode as text with a link.
  mutating func share() -> [Effect] {
    guard let id = selectedEpisode else { return [] }
    return [ask(ShareQuestion(episode: id, clip: selectedEntry?.clip))]
  }
}

/// Asks for an episode, to copy it or its clip as text.
private struct ShareQuestion: LibraryQuestion {
  var episode: EpisodeID
  var clip: Clip?
  var destination: AnswerDestination { .later }

  func read(_ library: any LibraryReader) throws -> EpisodeDetail? { try library.episode(episode) }

  func receive(_ detail: EpisodeDetail, _ state: inout State) -> [Effect] {
    let lines = clip?.sharedLines(of: detail) ?? detail.sharedLines
    // One line, because a line end in a text that is pasted into a shell runs it.
    let text = lines.joined(separator: " · ")
    state.showMessage(.success, "Copied as text: \(text)")
    return [.terminal(.copy(text))]
  }
}

/// Asks for the name of a file to read or write.
public struct FilePrompt: PromptPurpose {
  enum Purpose: Equatable, Sendable {
    case importLibrary, exportSubscriptions
    case exportClip(Clip)
  }

  let purpose: Purpose
  init(_ purpose: Purpose) { self.purpose = purpose }

  public var label: String {
    switch purpose {
    case .importLibrary: "Import from the file: "
    case .exportSubscriptions: "Write the podcasts to: "
    case .exportClip: "Write the clip to: "
    }
  }

  public func fileHead(of head: String) -> String? { head }

  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    guard !text.isEmpty else { return [] }
    switch purpose {
    case .importLibrary: return state.importLibrary(text)
    case .exportSubscriptions: return state.exportSubscriptions(text)
    case .exportClip(let clip): return state.export(clip, to: text)
    }
  }
}
