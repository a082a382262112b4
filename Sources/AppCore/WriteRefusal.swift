import Model

/// Whether this process may play, and whether it can write the library.
public struct Access: Equatable, Sendable {
  /// Why this process must not play and write, because another Earshot does. Nil if it may.
  public internal(set) var refusal: String?
  /// Why the library cannot be written now, although this process may play; nil if it can be.
  public internal(set) var readOnlyReason: String?
}

/// Refuses changes while the library cannot be written. No other code does so: `update` reverts every
/// input whose effects would change the library.
extension State {
  /// Why the library cannot be changed now; nil if it can.
  var writeRefusal: String? { access.refusal ?? access.readOnlyReason }

  public mutating func refuseWrites(_ refusal: String?, readOnly: String?) {
    access = Access(refusal: refusal, readOnlyReason: readOnly)
    if let refusal { showMessage(.warning, refusal, while: .refusal(refusal)) }
  }

  /// Calls `apply`. If the action would change a read-only library, State is restored and the reason is shown. An
  /// overlay that the action closed stays closed.
  mutating func refusingWrites(
    of action: Action, _ apply: (inout State) -> [Effect]
  ) -> [Effect] {
    guard let reason = writeRefusal, action.isByListener else { return apply(&self) }
    let before = self
    let effects = apply(&self)
    guard effects.contains(where: \.changesLibrary) else { return effects }
    let (boxes, requests) = (overlays.count, remoteRequests)
    self = before
    overlays.removeLast(max(0, overlays.count - boxes))
    remoteRequests = requests
    keys.clear()
    return tell(.error, reason, while: .refusal(reason))
  }

  /// Makes this player the one that plays and writes, after the other Earshot has ended.
  /// - Parameters:
  ///   - row: the episode that was heard last, which is offered.
  ///   - settings: the playback settings of its podcast.
  ///   - preferences: with the speed, volume and sound of the other player.
  ///   - jumps: the stored list of jumps.
  public mutating func becomePlayer(
    offering row: EpisodeRow?, heard settings: PlaybackSettings, preferences: Preferences, jumps: String?
  ) -> [Effect] {
    access.refusal = nil
    player.setVolume(preferences.volume)
    _ = player.setSpeed(preferences.speed)
    sound = preferences.sound
    if let jumps { remember(jumps: jumps) }
    if let row { offer(row, with: settings) }
    showMessage(.success, "The other Earshot has ended. This one plays and saves your position now.")
    return [.player(.setSound(sound))] + invalidate()
  }

  /// Why a command that only changes the library cannot be used. It then opens no prompt and asks no question.
  func writeRefusal(of name: CommandName) -> String? { Command.row(name).writes ? writeRefusal : nil }
}

extension Action {
  /// Whether the listener caused it, here or with a media key.
  fileprivate var isByListener: Bool {
    switch self {
    case .input, .flood, .remote: true
    default: false
    }
  }
}

extension Effect {
  /// Whether the effect changes the listener's library. Notes of the player and settings of this machine are kept in
  /// memory until they can be written, so they are not refused.
  var changesLibrary: Bool {
    switch self {
    case .write: true
    case .network(let task): task.changesLibrary
    case .file(.importLibrary): true
    case .ask, .cancel, .note, .setting, .player, .file, .terminal: false
    }
  }
}

extension NetworkTask {
  fileprivate var changesLibrary: Bool {
    switch self {
    case .add, .subscribe, .refresh, .download, .pauseDownloads, .dropDownloads: true
    case .sync(let command): command != .status
    case .visit, .discover, .transcript, .chapters, .compareTranscripts, .cover: false
    }
  }
}
