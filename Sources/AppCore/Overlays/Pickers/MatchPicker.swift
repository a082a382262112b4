import Model
import TerminalKit

/// Podcasts that a shared link may mean, each with how certain that is.
public struct MatchPicker: PickerPurpose {
  public enum Purpose: Equatable, Sendable { case visit, subscribe }

  public var purpose: Purpose
  public var matches: LinkMatches

  public var title: String { "Which podcast does the \(matches.site) link mean?" }

  public func text(_ podcast: FoundPodcast, _ state: State) -> String {
    let author = podcast.author.map { ", \($0)" } ?? ""
    return Sanitize.line("\(podcast.certainty ?? ""): \(podcast.title)\(author)")
  }

  public func choose(_ podcast: FoundPodcast, _ state: inout State) -> [Effect] {
    switch purpose {
    case .visit: state.visit(VisitRequest(address: podcast.feedURL, podcast: podcast, episode: matches.episode))
    case .subscribe:
      [
        .network(
          .subscribe(
            state.awaited.begin(.podcast(podcast.feedURL ?? podcast.title)), podcast, episode: matches.episode))
      ]
    }
  }

  public var hints: [(CommandName, String)] { [(.open, "this one"), (.back, "none")] }
}
