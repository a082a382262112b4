import Model

/// The playlist to add items to.
public struct PlaylistPicker: PickerPurpose {
  let items: [Playlist.Item]

  public enum Choice: Equatable, Sendable {
    case existing(PlaylistID, title: String)
    case new
  }

  public var title: String { "Add to" }

  public func text(_ choice: Choice, _ state: State) -> String {
    switch choice {
    case .existing(_, let title): title
    case .new: "New playlist…"
    }
  }

  public func choose(_ choice: Choice, _ state: inout State) -> [Effect] {
    switch choice {
    case .existing(let id, let title): state.add(items, to: id, title)
    case .new: state.open(Prompt(NewPlaylistPrompt(items: items)))
    }
  }

  public var hints: [(CommandName, String)] { [(.open, "add"), (.back, "close")] }
}

extension State {
  /// Opens the picker, once the playlists are known.
  mutating func openPlaylistPicker(_ items: [Playlist.Item]) {
    let own = library.playlists.filter { !$0.isSmart }
    let choices = own.map { PlaylistPicker.Choice.existing($0.id, title: $0.title) } + [.new]
    _ = open(
      Picker(PlaylistPicker(items: items), choices, selected: own.firstIndex { $0.title == library.lastPlaylist } ?? 0))
  }
}
