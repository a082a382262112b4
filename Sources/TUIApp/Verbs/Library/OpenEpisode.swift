import Desktop
import Foundation
import Model
import Store

/// The episode that a running player has loaded. Only that player may change its position and status, because it would
/// overwrite the changes of a command.
extension VerbContext {
  /// Throws if the change concerns an episode that a player has loaded.
  func refuseOpenEpisode(of changed: (EpisodeRow) throws -> Bool) throws {
    let client = ControlClient(ControlDirectory(state: configuration.directories.state))
    let players = client.players()
    for player in players where [.playing, .paused, .loading].contains(player.status) {
      guard let number = player.episode, let row = try library.episodeRows([EpisodeID(Int64(number))]).first,
        try changed(row)
      else { continue }
      throw ExitStatus.unavailable.error(
        saying:
          "“\(row.title)” is open in the player (process \(player.pid)): change it there, or stop it with “earshot ctl stop” first"
      )
    }
    // A player that is too busy to answer still records what it plays. One that ^Z has suspended has paused before, and
    // its episode is stored as paused.
    guard let silent = client.silentPlayer(besides: players),
      let number = try library.setting(Setting.lastPlayed.rawValue).flatMap({ Int64($0) }),
      let row = try library.episodeRows([EpisodeID(number)]).first, row.status == .playing, try changed(row)
    else { return }
    throw ExitStatus.unavailable.error(
      saying:
        "“\(row.title)” may be open in the player, which does not answer (process \(silent)): continue or end it, then try again"
    )
  }
}
