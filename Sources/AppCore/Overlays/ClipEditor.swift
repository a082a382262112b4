import Model
import TerminalKit

/// Moves both ends of a clip while it plays: by seconds, or to the current position. Enter saves.
public struct ClipEditor: Overlay {
  let clip: Clip
  /// The start of the clip, in seconds.
  private(set) var start: Double
  private(set) var end: Double
  /// The keys move the end, not the start.
  private(set) var movesEnd = false

  /// The minimum length of a clip, in seconds. Also how much plays before the end when the end is moved.
  private static let minimumLength = 0.5
  private static let leadIn = 3.0
  /// The length that a bookmark is offered, in seconds.
  private static let firstLength = 30.0

  init(_ clip: Clip, _ state: State) {
    self.clip = clip
    (start, end) = (clip.startTime, clip.endTime ?? clip.startTime + Self.firstLength)
    movesEnd = clip.isBookmark
    // A bookmark near the end of the episode.
    if clip.isBookmark, let length = length(state) { end = max(start + Self.minimumLength, min(end, length)) }
  }

  public mutating func handle(_ key: Key, _ state: inout State) -> OverlayOutcome {
    switch state.overlayCommand(key) {
    case .nextPane, .previousPane, .down, .up: movesEnd.toggle()
    case .seekBack: return move(by: -1, &state)
    case .seekForward: return move(by: 1, &state)
    case .seekBackLong: return move(by: -10, &state)
    case .seekForwardLong: return move(by: 10, &state)
    case .clipStart: return set(isEnd: false, to: state.player.position, &state)
    case .clipEnd: return set(isEnd: true, to: state.player.position, &state)
    case .pause:
      return .stay(isPlaying(state) && state.player.phase == .playing ? state.togglePause() : playPart(&state))
    case .open: return save(&state)
    case .skipThis: return skip(&state)
    case .back, .quitScreen:
      state.showMessage(.info, "The clip is unchanged")
      return .close()
    default: break
    }
    return .stay()
  }

  /// A click on an end chooses it, and the wheel moves it. A click outside does not close the editor, so that no change
  /// is lost.
  public mutating func handle(_ event: MouseEvent, _ state: inout State) -> OverlayOutcome {
    let content = layout(in: state).content
    guard content.contains(event.at) else { return .stay() }
    switch event.kind {
    case .press, .doubleClick:
      let line = event.at.y - content.y - 1
      if line == 0 || line == 1 { movesEnd = line == 1 }
    case .wheelUp: return move(by: 1, &state)
    case .wheelDown: return move(by: -1, &state)
    case .release, .drag: break
    }
    return .stay()
  }

  private mutating func move(by seconds: Double, _ state: inout State) -> OverlayOutcome {
    guard moveEnd(isEnd: movesEnd, at: (movesEnd ? end : start) + seconds, state) else { return .stay() }
    return .stay(playPart(&state))
  }

  /// Sets an end to the current position.
  private mutating func set(isEnd: Bool, to second: Double, _ state: inout State) -> OverlayOutcome {
    guard isPlaying(state) else {
      state.showMessage(.info, "The clip's episode does not play. \(state.keymap.press(.pause)) to play the clip.")
      return .stay()
    }
    movesEnd = isEnd
    if !moveEnd(isEnd: isEnd, at: second, state) { state.showMessage(.warning, "A clip ends after its start") }
    return .stay()
  }

  /// Sets an end.
  /// - Returns: false if that would be beyond the other end or outside the episode.
  private mutating func moveEnd(isEnd: Bool, at second: Double, _ state: State) -> Bool {
    let second = min(max(0, second), length(state) ?? .greatestFiniteMagnitude)
    guard isEnd ? second >= start + Self.minimumLength : second <= end - Self.minimumLength else { return false }
    if isEnd { end = second } else { start = second }
    return true
  }

  /// The length of the episode in seconds; nil if it is unknown.
  private func length(_ state: State) -> Double? {
    isPlaying(state) ? state.player.duration : state.library.rows[clip.episode]?.duration
  }

  private func isPlaying(_ state: State) -> Bool { state.player.isActive && state.player.episode?.id == clip.episode }

  /// Plays the clip from its start, or the last seconds before its end, and pauses at its end.
  private func playPart(_ state: inout State) -> [Effect] {
    var heard = clip
    (heard.startTime, heard.endTime) = (movesEnd ? max(start, end - Self.leadIn) : start, end)
    return state.play(heard)
  }

  private func save(_ state: inout State) -> OverlayOutcome {
    let (newStart, newEnd) = (start == clip.startTime ? nil : start, end == clip.endTime ? nil : end)
    guard newStart != nil || newEnd != nil else {
      state.showMessage(.info, "The clip is unchanged")
      return .close()
    }
    let done = "The clip is now \(TimeText.clock(start))–\(TimeText.clock(end))"
    return .close(state.write(.changeClip(clip.id, .times(start: newStart, end: newEnd)), done))
  }

  /// Makes the clip a part that is always skipped.
  private func skip(_ state: inout State) -> OverlayOutcome {
    let done = "\(TimeText.clock(start))–\(TimeText.clock(end)) is now always skipped"
    return .close(state.write(.changeClip(clip.id, .skip(start: start, end: end)), done))
  }

  // MARK: Drawing

  private func lines(_ state: State) -> [(text: String, isChosen: Bool)] {
    let sound = isPlaying(state) ? "sound at \(TimeText.clock(state.player.position))" : "not playing"
    return [
      ("Start   \(TimeText.clock(start))", !movesEnd), ("End     \(TimeText.clock(end))", movesEnd),
      ("Length  \(TimeText.clock(TimeText.span(start, end))), \(sound)", false),
    ]
  }

  public func hints(_ state: State) -> [Hint] {
    let keymap = state.keymap
    return [
      Hint(.open, "save", keymap), Hint(.back, "cancel", keymap), Hint(.nextPane, "other end", keymap),
      Hint(.pause, "play", keymap), Hint(.skipThis, "skip this part", keymap),
    ].compactMap { $0 }
  }

  private func layout(in state: State) -> OverlayLayout {
    let width = min(state.size.width, 64)
    return .centered(width: width, height: 6 + helpLines(state, width: width).count, in: state.size)
  }

  public func hintBox(_ state: State) -> Rect? { layout(in: state).box }

  /// The explanation of the keys; none on a low screen.
  private func helpLines(_ state: State, width: Int) -> [String] {
    state.size.height < 20 ? [] : TextFlow.wrap(help(state.keymap), width: max(1, width - 4))
  }

  public func draw(_ state: State, into frame: inout Frame) {
    let theme = state.theme
    let layout = layout(in: state)
    OverlayBox(state: state, title: "Ends of the clip", hints: hints(state)).draw(layout, into: &frame)
    let content = layout.content
    let title = clip.title ?? state.library.rows[clip.episode]?.title ?? ""
    frame.put(
      Sanitize.line(title), x: content.x, y: content.y, width: content.width,
      style: theme[.overlayTitle].over(theme[.overlay]))
    for (index, line) in lines(state).enumerated() where index + 1 < content.height {
      let row = content.row(index + 1)
      let style = theme[line.isChosen ? .selection : .overlay]
      if line.isChosen { frame.fill(row, style: style) }
      frame.put(line.text, x: row.x, y: row.y, width: row.width, style: style)
    }
    for (index, line) in helpLines(state, width: layout.box.width).enumerated() where index + 4 < content.height {
      let style = theme[.dim].over(theme[.overlay])
      frame.put(line, x: content.x, y: content.y + 4 + index, width: content.width, style: style)
    }
  }

  private func help(_ keymap: Keymap) -> String {
    func keys(_ first: CommandName, _ second: CommandName) -> String { "\(keymap.hint(first)) \(keymap.hint(second))" }
    return """
      Press \(keys(.seekBack, .seekForward)) to move it by a second, \(keys(.seekBackLong, .seekForwardLong)) by ten, \
      \(keys(.clipStart, .clipEnd)) to set start or end to the current position.
      """
  }

  public func page(_ state: State, _ size: Size) -> LinearPage? {
    LinearPage(
      "Ends of the clip", text: lines(state).map { $0.isChosen ? "\($0.text), chosen" : $0.text }, from: 0, size)
  }
}

extension State {
  mutating func editClip() -> [Effect] {
    guard let clip = selectedEntry?.clip else { return [] }
    return open(ClipEditor(clip, self))
  }
}
