import Model

/// Making transcripts: the commands, and the reports of the service.
extension State {
  var cannotTranscribe: String? {
    guard preferences.canTranscribe else {
      return "No program makes transcripts yet: name one in the table [transcribe] of the configuration"
    }
    return targets.isEmpty ? noEpisode ?? "Choose an episode first" : nil
  }

  var nothingTranscribes: String? { transcribing.work == nil ? "No transcript is being made" : nil }

  /// Makes the transcripts of the targets. For the episode that is being worked on, it cancels that.
  mutating func transcribeSelected() -> [Effect] {
    let targets = targets
    if let id = targets.single, id == transcribing.work?.item.episode { return cancelTranscribing() }
    if let id = targets.single, library.rows[id]?.hasMedia == false {
      return tell(.warning, "\(words(targets)) has no sound")
    }
    showMessage(
      .info, "A transcript of \(words(targets)) will be made. \(keymap.press(.transcribing)) to see the list.")
    moveOn(from: targets)
    return [.write(.transcribe(targets.episodes))]
  }

  mutating func cancelTranscribing() -> [Effect] {
    guard let work = transcribing.work else { return [] }
    return [.write(.cancelTranscribing([work.item.episode]))]
  }

  mutating func receive(_ report: TranscribingReport) -> [Effect] {
    transcribing.receive(report)
    switch report {
    case .working, .resting: return []
    case .lines(let id, let lines):
      if transcript.episode == id { transcript.receivePartial(lines) }
      return []
    case .finished(let item, let made, let replaced):
      let hint = listeningEpisode == item.episode ? " \(keymap.press(.transcript)) to read it." : ""
      showUnrequestedMessage(.success, "The transcript of “\(item.title)” is made.\(hint)")
      var effects = invalidate()
      if transcript.episode == item.episode, transcript.isReplaceable { effects.append(loadTranscript(item.episode)) }
      guard let replaced, player.episode?.id == item.episode else { return effects }
      // If the file has changed, they show where its sound has moved to.
      return effects
        + updateSession { player, _ in player.receive(made, before: replaced, generation: player.generation) }
    case .failed(let item, let reason):
      if transcript.episode == item.episode { transcript.dropPartial() }
      showMessage(.error, "No transcript of “\(item.title)”: \(reason)")
      return invalidate()
    case .cancelled(let item):
      if transcript.episode == item.episode { transcript.dropPartial() }
      showMessage(.info, "The transcript of “\(item.title)” was cancelled")
      return invalidate()
    }
  }

  /// Why an episode has no transcript, and what makes one.
  func words(forMissingTranscript reason: String) -> String {
    guard preferences.canTranscribe, let id = listeningEpisode else { return reason }
    if transcribing.work?.item.episode == id { return "The transcript is being made." }
    return "\(reason)\(reason.hasSuffix(".") ? "" : ".") \(keymap.press(.transcribe)) to make one."
  }

  /// Says once for each transcript that it belongs to another copy of the episode than the one that plays.
  mutating func reportOtherCopy() {
    guard transcript.episode == player.episode?.id, player.isActive,
      let length = transcript.takeOtherCopy(than: player.duration)
    else { return }
    let copy = "The transcript was made from another copy of the episode, \(TimeText.clock(length)) long"
    showMessage(.info, copy + ": its times may differ")
  }
}

/// The list of transcripts to make.
struct TranscribingQuestion: LibraryQuestion {
  func read(_ library: any LibraryReader) throws -> [TranscribingItem]? { try library.transcribingList() }

  func receive(_ items: [TranscribingItem], _ state: inout State) -> [Effect] {
    guard !items.isEmpty else {
      return state.tell(
        .info, "No transcripts to make. \(state.keymap.press(.transcribe)) on an episode to add one.")
    }
    return state.open(Picker(TranscribingPicker(), items))
  }
}

/// The transcripts to make. Choosing one that has failed tries it again, and any other one is taken from the list.
public struct TranscribingPicker: PickerPurpose {
  public var title: String { "Transcripts to make" }

  public func text(_ item: TranscribingItem, _ state: State) -> String {
    let work = state.transcribing
    let status =
      if work.work?.item.episode == item.episode { work.text ?? "" } else if let failure = item.failure {
        "failed: \(failure)"
      } else { work.rest.map { "waits: \($0)" } ?? "waits" }
    return "\(item.title) (\(item.podcastTitle)): \(status)"
  }

  public func choose(_ item: TranscribingItem, _ state: inout State) -> [Effect] {
    item.failure == nil ? cancel(item, &state) : [.write(.transcribe([item.episode]))]
  }

  public func remove(_ item: TranscribingItem, _ state: inout State) -> [Effect]? { cancel(item, &state) }

  private func cancel(_ item: TranscribingItem, _ state: inout State) -> [Effect] {
    if state.transcribing.work?.item.episode != item.episode {
      state.showMessage(.info, "Removed “\(item.title)” from the list")
    }
    return [.write(.cancelTranscribing([item.episode]))]
  }

  public var hints: [(CommandName, String)] {
    [(.open, "cancel, or try again"), (.back, "close"), (.delete, "remove")]
  }
}
