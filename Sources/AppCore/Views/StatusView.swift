import Model
import TerminalKit

/// The line above the player: the last message, else a running refresh, else the hints.
struct StatusView {
  let state: State

  func draw(into frame: inout Frame, _ rect: Rect) {
    let theme = state.theme
    frame.fill(rect, style: theme[.status])
    var end = rect.maxX
    if let refresh = state.refresh {
      let text = "refreshing \(refresh.done)/\(refresh.total)"
      let bar = rect.width >= 70 ? " " + self.bar(refresh) : ""
      let width = Clusters.width(text + bar)
      end -= width + 1
      frame.put(text + bar, x: max(rect.x, end), y: rect.y, style: theme[.progress].over(theme[.status]))
      end -= 1
    }
    if let asked = state.awaited.additions.last {
      let address = ShownAddress(asked.address).description
      let host = address.split(separator: "/").dropFirst(address.contains("://") ? 1 : 0).first ?? ""
      let text = Clusters.fit("asking \(Sanitize.line(String(host)))", columns: max(6, rect.width / 3), ellipsis: "…")
      end -= text.width + 1
      frame.put(
        text.clusters.map(\.text).joined(), x: max(rect.x, end), y: rect.y, style: theme[.progress].over(theme[.status])
      )
      end -= 1
    } else if state.refresh == nil, state.downloads.running > 0 {
      let glyphs = Glyphs(ascii: state.preferences.ascii)
      let share = state.downloads.fraction.map { "\(glyphs.separator)\(Int($0 * 100)) %" } ?? ""
      let text = "\(glyphs.download)\(state.downloads.running)\(share)"
      end -= Clusters.width(text) + 1
      frame.put(text, x: max(rect.x, end), y: rect.y, style: theme[.progress].over(theme[.status]))
      end -= 1
    }
    if let typed = pending {
      end -= Clusters.width(typed) + 1
      frame.put(typed, x: max(rect.x, end), y: rect.y, style: theme[.key].over(theme[.status]))
      end -= 1
    }
    let room = end - rect.x - 1
    guard room > 0 else { return }
    if let message = state.message {
      draw(message, into: &frame, rect, room: room)
    } else if !state.overlays.isEmpty {
      drawHints(into: &frame, x: rect.x + 1, y: rect.y, room: room)
    } else if let place = state.selectedPlace, place.time != nil || !place.snippet.isEmpty {
      draw(place, into: &frame, x: rect.x + 1, y: rect.y, room: room)
    } else if let problem = state.selectedDownloadProblem {
      let style = theme[.warning].over(theme[.status])
      frame.put(problem, x: rect.x + 1, y: rect.y, width: room, style: style)
    } else {
      drawHints(into: &frame, x: rect.x + 1, y: rect.y, room: room)
    }
  }

  /// Draws what a search found in the selected episode, and from where Enter plays it.
  private func draw(_ place: SearchPlace, into frame: inout Frame, x: Int, y: Int, room: Int) {
    var shift = 0
    if let time = place.time, let key = state.keymap.key(.open) {
      shift = frame.put(key, x: x, y: y, width: room, style: state.theme[.key].over(state.theme[.status])) + 1
      let text = "from \(TimeText.clock(time))"
      shift += frame.put(text, x: x + shift, y: y, width: max(0, room - shift), style: state.theme[.status]) + 2
    }
    frame.put(
      Sanitize.line(place.snippet), x: x + shift, y: y, width: max(0, room - shift), style: state.theme[.status],
      ellipsis: Glyphs(ascii: state.preferences.ascii).ellipsis)
  }

  /// Draws a message. A long one takes several rows upwards, until the next key.
  private func draw(_ message: Message, into frame: inout Frame, _ rect: Rect, room: Int) {
    let more = state.unread > 0 ? " (\(state.unread) more: :log)" : ""
    let text = message.kind.sign + Sanitize.line(message.text) + more
    let style = style(message.kind)
    guard Clusters.width(text) > room else {
      frame.put(text, x: rect.x + 1, y: rect.y, width: room, style: style)
      return
    }
    let lines = TextFlow.wrap(text, width: max(1, room)).prefix(min(Self.lineLimit, rect.y))
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
    let keys = state.pendingKeys.map(\.description).joined()
    let text = (state.count.map(String.init) ?? "") + keys
    return text.isEmpty ? nil : text
  }

  private func style(_ kind: Message.Kind) -> Style {
    let role: Role =
      switch kind {
      case .note: .status
      case .success: .success
      case .warning: .warning
      case .error: .error
      }
    return state.theme[role].over(state.theme[.status])
  }

  private func bar(_ refresh: RefreshState) -> String {
    let fraction = refresh.total > 0 ? Double(refresh.done) / Double(refresh.total) : 0
    let glyphs: ProgressBar.Glyphs = state.preferences.ascii ? .ascii : .blocks
    return "[" + ProgressBar(width: 12, fraction: fraction, glyphs: glyphs).text + "]"
  }

  /// The hints of the topmost overlay, else of the focused pane.
  private var hints: [Hint] {
    if let top = state.overlays.last?.content { return top.hints(state) }
    return state.hints.compactMap { Hint($0, $1, state.keymap) }
  }

  /// Draws as many hints as fit, most important first.
  private func drawHints(into frame: inout Frame, x: Int, y: Int, room: Int) {
    let keyStyle = state.theme[.key].over(state.theme[.status])
    let textStyle = state.theme[.status]
    var x = x
    let end = x + room
    for hint in hints {
      let width = Clusters.width(hint.key) + 1 + Clusters.width(hint.word)
      guard x + width <= end else { continue }
      x += frame.put(hint.key, x: x, y: y, style: keyStyle) + 1
      x += frame.put(hint.word, x: x, y: y, style: textStyle) + 2
    }
  }
}

extension State {
  /// The hints of the focused pane. A player that cannot play or write offers no such commands.
  var hints: [(CommandName, String)] {
    let all = focusedPane.kind.hints(self)
    guard refusal != nil else { return all }
    return all.filter { name, word in name == .open ? !word.hasPrefix("play") : Self.readingKeys.contains(name) }
  }

  private static let readingKeys: Set<CommandName> = [
    .details, .help, .search, .searchNext, .find, .discover, .charts, .back, .quitScreen, .command, .openLink,
    .copyLink,
    .podcasts, .new, .queue, .downloads, .playlists, .history, .sortPodcasts, .down, .up, .pageDown, .pageUp,
    .nextPane, .chapters, .transcript, .share, .statistics, .nowPlaying,
  ]
}
