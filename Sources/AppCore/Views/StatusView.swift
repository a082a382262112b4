import Model
import TerminalKit

/// The line above the player: the last message, else a running refresh, else the hints.
struct StatusView {
  let state: State

  func draw(into frame: inout Frame, _ rect: Rect) {
    frame.fill(rect, style: state.theme[.status])
    var end = rect.maxX
    for note in notes(rect) {
      end -= note.width + 1
      let style = state.theme[note.role].over(state.theme[.status])
      frame.put(note.text, x: max(rect.x, end), y: rect.y, style: style)
      end -= 1
    }
    if let box = coveringBox(rect) { end = min(end, box.x) }
    let room = end - rect.x - 1
    guard room > 0 else { return }
    switch content {
    case .message(let message): draw(message, into: &frame, rect, room: room)
    case .match(let match): draw(match, into: &frame, x: rect.x + 1, y: rect.y, room: room)
    case .problem(let problem):
      let style = state.theme[.warning].over(state.theme[.status])
      frame.put(problem, x: rect.x + 1, y: rect.y, width: room, style: style)
    case .hints:
      let keyStyle = state.theme[.key].over(state.theme[.status])
      for area in hintAreas(rect) { area.draw(into: &frame, key: keyStyle, word: state.theme[.status]) }
    }
  }

  /// What the line shows on the left.
  private enum Content {
    case message(Message), match(SearchMatch), problem(String), hints
  }

  private var content: Content {
    if let message = state.message { return .message(message) }
    guard state.overlays.isEmpty else { return .hints }
    if let match = state.selectedMatch, match.time != nil || !match.snippet.isEmpty { return .match(match) }
    return state.selectedDownloadProblem.map(Content.problem) ?? .hints
  }

  /// The box of an overlay that covers a part of the line.
  private func coveringBox(_ rect: Rect) -> Rect? {
    state.overlays.last?.content.hintBox(state).flatMap { $0.intersection(rect).isEmpty ? nil : $0 }
  }

  /// The areas of the hints; none if the line shows something else.
  func hintAreas(_ rect: Rect) -> [HintArea] {
    guard case .hints = content else { return [] }
    // The box shows the same hints.
    guard coveringBox(rect) == nil else { return [] }
    let room = notes(rect).reduce(rect.width - 1) { $0 - $1.width - 2 }
    return HintArea.row(hints, x: rect.x + 1, y: rect.y, room: room, gap: 2)
  }

  /// A text on the right: what runs, or keys of an incomplete command.
  private struct Note {
    var text: String
    var role: Role
    var width: Int { Clusters.width(text) }
  }

  /// The texts on the right, the rightmost first.
  private func notes(_ rect: Rect) -> [Note] {
    var notes: [Note] = []
    if let refresh = state.refresh {
      let bar = rect.width >= 70 ? " " + self.bar(refresh) : ""
      let files = refresh.reading.map { "\($0.files) of \($0.total) files read" }
      notes.append(Note(text: files ?? "refreshing \(refresh.done)/\(refresh.total)\(bar)", role: .progress))
    }
    if let asked = state.awaited.additions.last {
      let server = ShownAddress(asked.address).server ?? ""
      let text = Clusters.shortened(
        "asking \(Sanitize.line(server))", columns: max(6, rect.width / 3),
        ellipsis: state.glyphs.ellipsis)
      notes.append(Note(text: text, role: .progress))
    } else if state.refresh == nil, state.downloads.running > 0 {
      let glyphs = state.glyphs
      let share = state.downloads.fraction.map { "\(glyphs.separator)\(Int($0 * 100)) %" } ?? ""
      notes.append(Note(text: "\(glyphs.download)\(state.downloads.running)\(share)", role: .progress))
    }
    if let text = state.transcribing.text { notes.append(Note(text: text, role: .progress)) }
    if let typed = pending { notes.append(Note(text: typed, role: .key)) }
    return notes
  }

  /// Draws what a search found in the selected episode, and from where Enter plays it.
  private func draw(_ match: SearchMatch, into frame: inout Frame, x: Int, y: Int, room: Int) {
    var shift = 0
    if let time = match.time, let key = state.keymap.key(.open) {
      shift = frame.put(key, x: x, y: y, width: room, style: state.theme[.key].over(state.theme[.status])) + 1
      let text = "from \(TimeText.clock(time))"
      shift += frame.put(text, x: x + shift, y: y, width: max(0, room - shift), style: state.theme[.status]) + 2
    }
    frame.put(
      Sanitize.line(match.snippet), x: x + shift, y: y, width: max(0, room - shift), style: state.theme[.status])
  }

  /// Draws a message. A long one takes several rows upwards, until the next key.
  private func draw(_ message: Message, into frame: inout Frame, _ rect: Rect, room: Int) {
    let more = state.messages.unread > 0 ? " (\(state.messages.unread) more: :log)" : ""
    let text = message.kind.sign + Sanitize.line(message.text) + more
    let style = state.theme[message.kind.role(plain: .status)].over(state.theme[.status])
    guard Clusters.width(text) > room else {
      frame.put(text, x: rect.x + 1, y: rect.y, width: room, style: style)
      return
    }
    let whole = TextFlow.wrap(text, width: max(1, room))
    var lines = Array(whole.prefix(min(Self.lineLimit, rect.y)))
    if whole.count > lines.count, let last = lines.popLast() {
      let note = state.glyphs.ellipsis + " (:log)"
      lines.append(Clusters.shortened(last, columns: max(0, room - Clusters.width(note)), ellipsis: "") + note)
    }
    for (index, line) in lines.enumerated() {
      let y = rect.y - lines.count + 1 + index
      let width = y == rect.y ? room + 1 : rect.width
      frame.fill(Rect(x: rect.x, y: y, width: width, height: 1), style: state.theme[.status])
      frame.put(line, x: rect.x + 1, y: y, width: room, style: style)
    }
  }

  /// The maximum number of rows of a message.
  private static let lineLimit = 4

  /// The typed keys of an incomplete command.
  private var pending: String? {
    let keys = state.keys.pending.map(\.description).joined()
    let text = (state.keys.count.map(String.init) ?? "") + keys
    return text.isEmpty ? nil : text
  }

  private func bar(_ refresh: RefreshState) -> String {
    let fraction = refresh.total > 0 ? Double(refresh.done) / Double(refresh.total) : 0
    return "[" + ProgressBar(width: 12, fraction: fraction, glyphs: state.glyphs.bar).text + "]"
  }

  /// The hints of the topmost overlay, else of the focused pane.
  private var hints: [Hint] {
    if let top = state.overlays.last?.content { return top.hints(state) }
    return state.hints.compactMap { Hint($0, $1, state.keymap) }
  }
}

extension State {
  /// The hints of the focused pane. A player that cannot play or write offers no such commands.
  var hints: [(CommandName, String)] {
    let all = focusedPane.kind.hints(self)
    guard access.refusal != nil else { return all }
    return all.filter { name, word in name == .open ? !word.hasPrefix("play") : Self.readingKeys.contains(name) }
  }

  private static let readingKeys: Set<CommandName> = [
    .details, .help, .search, .searchNext, .find, .discover, .charts, .back, .quitScreen, .command, .openLink,
    .copyLink,
    .podcasts, .new, .queue, .downloads, .playlists, .history, .sortPodcasts, .down, .up, .pageDown, .pageUp,
    .nextPane, .chapters, .transcript, .share, .statistics, .nowPlaying,
  ]
}
