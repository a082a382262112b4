import Model
import TerminalKit

/// Asks for the title of a new playlist. `items`: what to add to it.
public struct NewPlaylistPrompt: PromptPurpose {
  var items: [Playlist.Item] = []
  public var label: String { "New playlist: " }
  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    text.isEmpty ? [] : state.newPlaylist(text, adding: items)
  }
}

/// Asks for a new title of a playlist or a clip.
public struct RenamePrompt: PromptPurpose {
  var subject: RenameSubject
  /// The title as it is.
  var before: String
  public var label: String {
    switch subject {
    case .playlist: "Rename to: "
    case .clip: "Title of the clip: "
    }
  }
  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    text == before ? [] : state.rename(subject, text)
  }
}

/// What gets a new title.
public enum RenameSubject: Equatable, Sendable {
  case playlist(PlaylistID)
  case clip(Clip)
}

/// Asks for the title of a new clip, which may be empty.
public struct ClipPrompt: PromptPurpose {
  /// The start of the clip.
  var mark: EpisodePlace
  /// The end of the clip, in seconds.
  var end: Double
  public var label: String { "Clip \(TimeText.clock(mark.seconds))–\(TimeText.clock(end)), title: " }
  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    state.saveClip(mark, end: end, title: text)
  }
}

/// Asks for the title of a new smart playlist.
public struct SmartTitlePrompt: PromptPurpose {
  /// The filter that is asked for next.
  var filter = ""
  public var label: String { "Smart playlist, title: " }
  public func finish(_ text: String, _ prompt: Prompt<Self>, _ state: inout State) -> [Effect] {
    text.isEmpty ? [] : state.smartPlaylist(text, filter: filter)
  }
}
