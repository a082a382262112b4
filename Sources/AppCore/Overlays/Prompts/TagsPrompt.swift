import Foundation
import Model

/// A podcast, an episode or a clip, which can have tags.
public enum TagOwner: Equatable, Sendable {
  case podcast(PodcastID)
  case episode(EpisodeID)
  case clip(Clip)
}

/// Asks for the tags of a podcast, an episode or a clip, separated by commas. Tab completes tags of podcasts.
public struct TagsPrompt: PromptPurpose {
  var owner: TagOwner
  /// The owner's title.
  var title: String
  /// The tags that it has.
  var now: [String]

  public var label: String {
    switch owner {
    case .podcast: "Tags: "
    case .episode: "Tags of the episode: "
    case .clip: "Tags of the clip: "
    }
  }

  public func completions(of head: String, _ state: State) -> [String] {
    let start = head.lastIndex(of: ",").map { head.index(after: $0) } ?? head.startIndex
    let before = head[..<start]
    let word = head[start...].drop { $0 == " " }
    let given = Set(State.tags(in: String(before)))
    let known = State.inTagOrder(Set(state.podcasts.flatMap(\.tags)).subtracting(given))
    return known.filter { $0.hasPrefix(word) }.map { before.isEmpty ? $0 : "\(before) \($0)" }
  }

  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    let tags = State.tags(in: text)
    return Set(tags) == Set(now) ? [] : state.setTags(tags, of: owner, title: title)
  }
}

extension State {
  /// Tags in alphabetical order, without regard to case and accents.
  static func inTagOrder(_ tags: Set<String>) -> [String] {
    tags.map { (SearchText.fold($0), $0) }.sorted { $0 < $1 }.map(\.1)
  }

  /// `#`: sets the tags of the selected clip, episode or podcast, or asks for them.
  mutating func tagSelected(_ text: String?) -> [Effect] {
    if focusedPane == .episodes, let clip = selectedEntry?.clip {
      return tag(.clip(clip), title: clip.title ?? rows[clip.episode]?.title ?? "", now: clip.tags, text)
    }
    if let id = selectedEpisode {
      if let text { return setTags(Self.tags(in: text), of: .episode(id), title: rows[id]?.title ?? "") }
      return [ask(TagsQuestion(episode: id))]
    }
    guard let podcast = selectedPodcast else { return [] }
    return tag(.podcast(podcast.id), title: podcast.title, now: podcast.tags, text)
  }

  fileprivate mutating func tag(_ owner: TagOwner, title: String, now: [String], _ text: String?) -> [Effect] {
    if let text { return setTags(Self.tags(in: text), of: owner, title: title) }
    return open(Prompt(TagsPrompt(owner: owner, title: title, now: now), now.joined(separator: ", ")))
  }

  fileprivate mutating func setTags(_ tags: [String], of owner: TagOwner, title: String) -> [Effect] {
    let words = tags.isEmpty ? "has no tags" : "is tagged \(tags.joined(separator: ", "))"
    showMessage(.success, "“\(title)” \(words). Press \(keymap.hint(.undo)) to undo.")
    return [.write(.setTags(tags, owner))]
  }

  /// The tags in a text, without duplicates.
  static func tags(in text: String) -> [String] {
    var seen: Set<String> = []
    return text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && seen.insert($0).inserted }
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
