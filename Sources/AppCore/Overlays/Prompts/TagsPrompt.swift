import Foundation
import Model

/// Asks for the tags of a podcast, separated by commas. Tab completes tags of other podcasts.
public struct TagsPrompt: PromptPurpose {
  var podcast: PodcastID
  /// The podcast's title.
  var title: String

  public var label: String { "Tags: " }

  public func completions(of head: String, _ state: State) -> [String] {
    let start = head.lastIndex(of: ",").map { head.index(after: $0) } ?? head.startIndex
    let before = head[..<start]
    let word = head[start...].drop { $0 == " " }
    let given = Set(State.tags(in: String(before)))
    let known = Set(state.podcasts.flatMap(\.tags)).subtracting(given).sorted()
    return known.filter { $0.hasPrefix(word) }.map { before.isEmpty ? $0 : "\(before) \($0)" }
  }

  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    state.setTags(State.tags(in: text), of: podcast, title: title)
  }
}

extension State {
  /// `#`: sets the tags of the selected podcast, or asks for them.
  mutating func tagPodcast(_ text: String?) -> [Effect] {
    guard let podcast = selectedPodcast else { return [] }
    if let text { return setTags(Self.tags(in: text), of: podcast.id, title: podcast.title) }
    return open(Prompt(TagsPrompt(podcast: podcast.id, title: podcast.title), podcast.tags.joined(separator: ", ")))
  }

  fileprivate mutating func setTags(_ tags: [String], of podcast: PodcastID, title: String) -> [Effect] {
    let words = tags.isEmpty ? "has no tags" : "is tagged \(tags.joined(separator: ", "))"
    showMessage(.success, "“\(title)” \(words): \(keymap.hint(.undo)) undoes")
    return [.write(.setTags(tags, podcast))]
  }

  /// The tags in a text, without duplicates.
  static func tags(in text: String) -> [String] {
    var seen: Set<String> = []
    return text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && seen.insert($0).inserted }
  }
}
