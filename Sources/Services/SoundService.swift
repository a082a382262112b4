import Foundation
import Model
import Playback
import Store
import Synchronization

/// Stores the sound settings of podcasts, and sets them in the player. Called on the queues of `EffectRunner`.
package final class SoundService: Sendable {
  private let library: Library
  private let player: Player
  private let state: Mutex<State>

  private struct State {
    /// The sound of podcasts without their own settings.
    var general: SoundShape
    /// The podcast of the loaded episode.
    var podcast: PodcastID?
    var playback = PlaybackSettings()
  }

  package init(library: Library, player: Player, general: SoundShape) {
    self.library = library
    self.player = player
    state = Mutex(State(general: general))
  }

  /// Records that an episode of this podcast is about to be loaded.
  /// - Returns: how it will sound.
  package func begin(_ podcast: PodcastID, _ playback: PlaybackSettings) -> SoundShape {
    state.withLock { state in
      (state.podcast, state.playback) = (podcast, playback)
      return playback.shape(over: state.general)
    }
  }

  /// How an episode of the podcast would sound.
  package func shape(_ playback: PlaybackSettings) -> SoundShape { state.withLock { playback.shape(over: $0.general) } }

  package func setGeneral(_ shape: SoundShape) {
    player.setSound(
      state.withLock { state in
        state.general = shape
        return state.playback.shape(over: shape)
      })
  }

  package func change(_ podcast: PodcastID, _ change: PlaybackSettings.Change) throws(StoreError) {
    try library.change(.playback(change), of: podcast)
    try reload(podcast)
  }

  /// Reads the settings again after a change, or after an undo restored them.
  /// - Returns: the settings with which an episode will play.
  @discardableResult
  package func reload(_ podcast: PodcastID) throws(StoreError) -> PlaybackSettings {
    let playback = try library.effectiveSettings(of: podcast)
    let shape: SoundShape? = state.withLock { state in
      guard state.podcast == podcast else { return nil }
      state.playback = playback
      return playback.shape(over: state.general)
    }
    if let shape { player.setSound(shape) }
    return playback
  }
}

extension Library {
  /// The settings with which an episode plays. Music (podcast:medium) plays at normal speed unless the podcast has a
  /// setting.
  package func effectiveSettings(of podcast: PodcastID) throws(StoreError) -> PlaybackSettings {
    var playback = try settings(of: podcast).playback ?? PlaybackSettings()
    if playback.speed == nil, try medium(of: podcast)?.lowercased().hasPrefix("music") == true { playback.speed = 1 }
    return playback
  }
}
