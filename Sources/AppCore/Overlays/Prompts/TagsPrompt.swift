import Foundation
import Model

/// Asks for the tags of a podcast, an episode or a clip, separated by commas. Tab completes tags of podcasts.
public struct TagsPrompt: PromptPurpose {
  var owner: TagOwner
  /// The owner's title.
  var title: String
  /// The tags that it had when the prompt was opened.
  var now: [String]

  public var label: String {
    switch owner {
    case .podcast: "Tags: "
    case .episode: "Tags of the episode: "
    case .clip: "Tags of the clip: "
    }
  }

  public func completions(of head: String, _ state: State) -> [String] {
    state.tagCompletions(of: head)
  }

  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    let tags = State.tags(in: text)
    return Set(tags) == Set(now) ? [] : state.setTags(tags, of: owner, title: title, before: now)
  }
}

/// Asks for tags of several episodes or clips. Each keeps its other tags.
public struct SharedTagsPrompt: PromptPurpose {
  var items: [Playlist.Item]
  public var label: String { "Add tags to \(items.count) (-tag removes one): " }
  public func completions(of head: String, _ state: State) -> [String] { state.tagCompletions(of: head) }
  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    text.isEmpty ? [] : state.changeTags(text, of: items)
  }
}

extension State {
  /// The tags of podcasts that complete the last tag of a text.
  func tagCompletions(of head: String) -> [String] {
    let start = head.lastIndex(of: ",").map { head.index(after: $0) } ?? head.startIndex
    let before = head[..<start]
    let word = head[start...].drop { $0 == " " }
    let given = Set(Self.tags(in: String(before)))
    let known = Self.inTagOrder(Set(library.podcasts.flatMap(\.tags)).subtracting(given))
    return known.filter { $0.hasPrefix(word) }.map { before.isEmpty ? $0 : "\(before) \($0)" }
  }

  /// Adds tags to several episodes or clips. A tag with a minus before it is removed.
  fileprivate mutating func changeTags(_ text: String, of items: [Playlist.Item]) -> [Effect] {
    let tags = Self.tags(in: text)
    let removed = tags.filter { $0.hasPrefix("-") && $0.count > 1 }.map { String($0.dropFirst()) }
    let added = tags.filter { !$0.hasPrefix("-") }
    guard !added.isEmpty || !removed.isEmpty else { return [] }
    let words = [
      added.isEmpty ? nil : "tagged \(added.joined(separator: ", "))",
      removed.isEmpty ? nil : "without the tag \(removed.joined(separator: ", "))",
    ].compactMap(\.self).joined(separator: ", ")
    _ = leaveSelection()
    return write(.changeTags(items, adding: added, removing: removed), "\(items.count) are \(words)")
  }

  /// Tags in alphabetical order, without regard to case and accents.
  static func inTagOrder(_ tags: Set<String>) -> [String] {
    tags.map { (TextFolding.fold($0), $0) }.sorted { $0 < $1 }.map(\.1)
  }

  /// `#`: sets the tags of the selected clip, episode or podcast, or asks for them.
  mutating func tagSelected(_ text: String?) -> [Effect] {
    let targets = targets
    if targets.items.count > 1 {
      return text.map { changeTags($0, of: targets.items) } ?? open(Prompt(SharedTagsPrompt(items: targets.items)))
    }
    if focusedPane == .episodes, let clip = selectedEntry?.clip {
      return tag(.clip(clip.id), title: clip.title ?? library.rows[clip.episode]?.title ?? "", now: clip.tags, text)
    }
    if let id = selectedEpisode {
      if let text { return setTags(Self.tags(in: text), of: .episode(id), title: library.rows[id]?.title ?? "") }
      return [ask(TagsQuestion(episode: id))]
    }
    guard let podcast = selectedPodcast else { return [] }
    return tag(.podcast(podcast.id), title: podcast.title, now: podcast.tags, text)
  }

  fileprivate mutating func tag(_ owner: TagOwner, title: String, now: [String], _ text: String?) -> [Effect] {
    if let text { return setTags(Self.tags(in: text), of: owner, title: title) }
    return open(Prompt(TagsPrompt(owner: owner, title: title, now: now), now.joined(separator: ", ")))
  }

  /// - Parameter before: the tags that the listener has changed to these. Others that it got meanwhile stay. Nil: these
  ///   replace all.
  fileprivate mutating func setTags(
    _ tags: [String], of owner: TagOwner, title: String, before: [String]? = nil
  ) -> [Effect] {
    let done = "“\(title)” " + (tags.isEmpty ? "has no tags" : "is tagged \(tags.joined(separator: ", "))")
    guard let before else { return write(.setTags(tags, owner), done) }
    let (added, removed) = (tags.filter { !before.contains($0) }, before.filter { !tags.contains($0) })
    return write(.editTags(owner, adding: added, removing: removed), done)
  }

  /// The tags in a text, without duplicates.
  static func tags(in text: String) -> [String] {
    text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }.uniqued()
  }
}

/// Asks for the tags of an episode, which the listener wants to change.
private struct TagsQuestion: LibraryQuestion {
  var episode: EpisodeID

  func read(_ library: any LibraryReader) throws -> EpisodeDetail? { try library.episode(episode) }

  func receive(_ detail: EpisodeDetail, _ state: inout State) -> [Effect] {
    state.tag(.episode(detail.id), title: detail.row.title, now: detail.tags, nil)
  }
}
