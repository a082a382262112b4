#if canImport(MediaPlayer)
  import Foundation
  import MediaPlayer
  import Model

  /// Now Playing and media keys on macOS, the counterpart of `MediaPlayerBus`.
  final class NowPlayingCenter: Sendable {
    init(onCommand: @escaping @Sendable (RemoteCommand) -> Void) {
      let center = MPRemoteCommandCenter.shared()
      func on(_ command: MPRemoteCommand, _ action: RemoteCommand) {
        _ = command.addTarget { _ in
          onCommand(action)
          return .success
        }
      }
      on(center.playCommand, .play)
      on(center.pauseCommand, .pause)
      on(center.togglePlayPauseCommand, .toggle)
      on(center.stopCommand, .stop)
      on(center.nextTrackCommand, .next)
      on(center.previousTrackCommand, .previous)
      _ = center.changePlaybackPositionCommand.addTarget { event in
        guard let event = event as? MPChangePlaybackPositionCommandEvent else { return .commandFailed }
        onCommand(.seek(to: event.positionTime))
        return .success
      }
    }

    func update(_ now: NowPlaying) {
      var info: [String: Any] = [:]
      info[MPMediaItemPropertyTitle] = now.title
      info[MPMediaItemPropertyArtist] = now.podcast
      info[MPMediaItemPropertyPlaybackDuration] = now.duration
      info[MPNowPlayingInfoPropertyElapsedPlaybackTime] = now.position
      info[MPNowPlayingInfoPropertyPlaybackRate] = now.status == .playing ? now.speed : 0
      let center = MPNowPlayingInfoCenter.default()
      center.nowPlayingInfo = now.title == nil ? nil : info
      center.playbackState =
        switch now.status {
        case .playing, .loading: .playing
        case .paused: .paused
        case .stopped: .stopped
        }
    }
  }
#endif
