import Model

/// Where nothing can be written, what the listener wants to change is refused here and nowhere else, before anything is said
/// or done: `update` takes back every input whose effects would change the library.
extension State {
  /// Why nothing that the listener changes can be kept; nil: it can.
  var writeRefusal: String? { refusal ?? unwritable }

  /// Folds an action. Of an input that would change a library that cannot be changed, nothing is left but the reason. A box
  /// or a line that it closed stays closed.
  mutating func refusingWrites(
    of action: Action, _ take: (inout State) -> [Effect]
  ) -> [Effect] {
    guard let reason = writeRefusal, action.isOfListener else { return take(&self) }
    let before = self
    let effects = take(&self)
    guard effects.contains(where: \.changesLibrary) else { return effects }
    let (boxes, requests) = (overlays.count, remoteRequests)
    self = before
    overlays.removeLast(max(0, overlays.count - boxes))
    (remoteRequests, pendingKeys, count) = (requests, [], nil)
    say(.error, reason)
    return []
  }

  /// From now on this one plays and writes: the other Earshot has ended.
  /// - Parameters:
  ///   - row: the episode that was heard last, which stands ready.
  ///   - settings: how its podcast is heard.
  ///   - preferences: with the speed, volume and sound that the other one has set.
  ///   - jumps: the places that were left there, as they are stored.
  public mutating func becomePlayer(
    offering row: EpisodeRow?, heard settings: PlaybackSettings, preferences: Preferences, jumps: String?
  ) -> [Effect] {
    // That this one only reads need not be read any more.
    if message?.text == refusal { isMessageSeen = true }
    refusal = nil
    player.setVolume(preferences.volume)
    _ = player.setSpeed(preferences.speed)
    sound = preferences.sound
    if let jumps { remember(jumps: jumps) }
    if let row { offer(row, heard: settings) }
    say(.success, "The other Earshot has ended: this one plays and keeps your place now")
    return [.player(.setSound(sound))] + invalidate()
  }

  /// Why a command that does nothing but change the library cannot be used: it opens no prompt and asks no question that
  /// would lead nowhere.
  func writeRefusal(of name: CommandName) -> String? { name.changesLibrary ? writeRefusal : nil }
}

extension Action {
  /// The listener did it, here or by a media key; the rest happens by itself.
  fileprivate var isOfListener: Bool {
    switch self {
    case .input, .flood, .remote: true
    default: false
    }
  }
}

extension Effect {
  /// Whether the listener's library is another one afterwards. What the player notes by itself (places, what was heard,
  /// settings of this machine) is kept in memory until it can be written, and is not refused.
  var changesLibrary: Bool {
    switch self {
    case .write(let write): write.changesLibrary
    case .network(let task): task.changesLibrary
    case .file(.importLibrary): true
    case .ask, .cancel, .player, .file, .terminal: false
    }
  }
}

extension Write {
  fileprivate var changesLibrary: Bool {
    switch self {
    case .setPlayerStatus, .dequeue, .savePosition, .jump, .record, .recordExcerpt, .recordSaving, .saveSetting: false
    case .setStatus, .markAllPlayed, .unsubscribe, .setTags, .movePodcast, .subscribe, .undo, .redo, .undoAgreed,
      .enqueue, .moveInQueue, .makePlaylist, .renamePlaylist, .deletePlaylist, .addToPlaylist, .removeFromPlaylist,
      .moveInPlaylist, .addClip, .updateClip, .deleteClip, .saveSmartPlaylist, .changePlayback, .setAutomaticDownload,
      .setCatalogueRule, .setKeptDownloads:
      true
    }
  }
}

extension NetworkTask {
  fileprivate var changesLibrary: Bool {
    switch self {
    case .add, .subscribe, .refresh, .download, .pauseDownloads, .dropDownloads: true
    case .sync(let wish): wish != .status
    case .visit, .discover, .transcript, .chapters, .compareTranscripts, .cover: false
    }
  }
}

extension CommandName {
  /// Commands that are of no use without a change of the library.
  fileprivate var changesLibrary: Bool {
    switch self {
    case .add, .subscribe, .refresh, .refreshAll, .played, .allPlayed, .delete, .unsubscribe, .tags, .importLibrary,
      .undo,
      .redo, .addToPlaylist, .newPlaylist, .smartPlaylist, .rename, .download, .dropDownload, .pauseDownloads,
      .autoDownload, .keepDownloads, .queueLast, .queueNext, .moveDown, .moveUp, .clipStart, .clipEnd, .editClip,
      .syncNow:
      true
    default: false
    }
  }
}
