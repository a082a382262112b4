import Foundation
import Model
import Playback
import Store
import Synchronization

/// Keeps how each show is heard, and tells the player. Called from the runner's queues.
package final class SoundService: Sendable {
  private let library: Library
  private let player: Player
  private let state: Mutex<State>

  private struct State {
    /// How shows sound that have no settings of their own.
    var general: SoundShape
    /// What is loaded.
    var podcast: PodcastID?
    var show = ShowSettings()
  }

  package init(library: Library, player: Player, general: SoundShape) {
    self.library = library
    self.player = player
    state = Mutex(State(general: general))
  }

  package func settings(of podcast: PodcastID) throws(StoreError) -> ShowSettings {
    try library.settings(of: podcast).show ?? ShowSettings()
  }

  /// The same for an episode that is about to be played: music at its own speed (podcast:medium), unless the listener says
  /// otherwise.
  package func heard(_ podcast: PodcastID) throws(StoreError) -> ShowSettings { try library.heard(podcast) }

  /// An episode of this show is about to be played: how it will sound.
  package func begin(_ podcast: PodcastID, _ show: ShowSettings) -> SoundShape {
    state.withLock { state in
      (state.podcast, state.show) = (podcast, show)
      return show.shape(over: state.general)
    }
  }

  /// How an episode of the show would sound.
  package func shape(_ show: ShowSettings) -> SoundShape { state.withLock { show.shape(over: $0.general) } }

  package func setGeneral(_ shape: SoundShape) {
    player.setSound(
      state.withLock { state in
        state.general = shape
        return state.show.shape(over: shape)
      })
  }

  package func change(_ podcast: PodcastID, _ change: ShowSettings.Change) throws(StoreError) {
    let show = try library.update(settingsOf: podcast) { settings in
      var show = settings.show ?? ShowSettings()
      show.apply(change)
      settings.show = show == ShowSettings() ? nil : show
      return show
    }
    let shape: SoundShape? = state.withLock { state in
      guard state.podcast == podcast else { return nil }
      state.show = show
      return show.shape(over: state.general)
    }
    if let shape { player.setSound(shape) }
  }
}

extension Library {
  /// How an episode of the podcast is heard: music at its own speed (podcast:medium), unless the listener says otherwise.
  package func heard(_ podcast: PodcastID) throws(StoreError) -> ShowSettings {
    var show = try settings(of: podcast).show ?? ShowSettings()
    if show.speed == nil, try medium(of: podcast)?.lowercased().hasPrefix("music") == true { show.speed = 1 }
    return show
  }
}
