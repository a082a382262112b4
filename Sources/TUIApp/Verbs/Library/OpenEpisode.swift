import Desktop
import Foundation
import Model
import Store

/// The episode that a running player has open. Only that player may change its place and status: it would write its own over
/// whatever a verb has written.
extension VerbContext {
  struct IsOpen: Error, CustomStringConvertible {
    var title: String
    var pid: Int32

    var description: String {
      "“\(title)” is open in the player (process \(pid)): change it there, or stop it with “earshot ctl stop” first"
    }
  }

  /// Throws `IsOpen` when the change is about an episode that a player has open.
  func refuseOpenEpisode(of changed: (EpisodeRow) throws -> Bool) throws {
    let client = ControlClient(ControlDirectory(state: configuration.directories.state))
    for player in client.players() where [.playing, .paused, .loading].contains(player.status) {
      guard let number = player.episode, let row = try library.episodeRows([EpisodeID(Int64(number))]).first,
        try changed(row)
      else { continue }
      throw IsOpen(title: row.title, pid: player.pid)
    }
  }
}
