import Foundation
import Model
import Session
import TerminalKit

/// Applies one action to the state. It passes the action on to the screens, the overlays and the player. Besides, only
/// `reconcile` before each frame and `State.becomePlayer` change the state.
/// - Parameter now: when the action happened.
public func update(_ state: inout State, _ action: Action, now: Date) -> [Effect] {
  state.now = now
  state.recordInput(action)
  return state.refusingWrites(of: action) { $0.apply(action) } + state.finishAction()
}

extension State {
  /// Handles the keys that waited for the action, and what every action may have changed.
  mutating func finishAction() -> [Effect] {
    let effects = releaseHeldKeys()
    removeOutdatedMessage()
    reconcileStep()
    return effects + reconcileUpcoming() + reconcileJumps()
  }

  fileprivate mutating func apply(_ action: Action) -> [Effect] {
    switch action {
    case .input(.key(let key)): return handle(key)
    case .input(.typed(let text)): return type(text)
    case .flood(let event): return handle(flood: event)
    case .input(.paste(let text)): return paste(text)
    case .input(.mouse(let event)): return handle(event)
    case .input(.resize(let size)): resize(to: size.withinScreen)
    case .player(let event): return handle(event)
    case .answer(let request, let answer): return receive(request, answer)
    case .noAnswer(let request, let error): receive(request, error)
    case .library(let event): return receive(event)
    case .refresh(let request, let report): return receive(request, report)
    case .refreshedAutomatically(let new, let isOffline):
      return refreshedAutomatically(new: new, isOffline: isOffline)
    case .added(let request, let result): return added(request, result)
    case .arriving(let request, let podcast): awaited.receive(podcast, request)
    case .imported(let result): return imported(result)
    case .fileNames(let names, let head): return receive(fileNames: names, head: head)
    case .discover(let request, let report): return receive(request, report)
    case .visited(let request, let result): return visited(request, result)
    case .ambiguous(let request, let matches): return receive(request, matches)
    case .theme(let theme): show(theme)
    case .message(let message): showMessage(message)
    case .linkNotOpened(let address):
      showMessage(.warning, "No program here opens links; copied instead: \(Sanitize.line(address))")
      return [.terminal(.copy(address))]
    case .cover(let request, let answer): covers.receive(request, answer)
    case .coversOutdated: covers.forget()
    case .download(let report): return receive(report)
    case .ruled(let report): return log(report)
    case .sync(let report): return receive(report)
    case .transcribing(let report): return receive(report)
    case .video(let report): return receive(report)
    case .remote(let command): return handle(remote: command)
    case .exactPosition(let generation, let seconds, let seek):
      player.receiveExactPosition(seconds, seek: seek, generation: generation)
    case .terminate: return quit()
    case .noteEdited(let draft, let result): return noteEdited(draft, result)
    case .suspend: return suspend()
    case .resumed: return updateSession { $0.resumeAfterSuspend(now: $1) } + [.terminal(.redraw)]
    case .becamePlayer: return [.terminal(.becomePlayer)]
    }
    return []
  }

  fileprivate mutating func recordInput(_ action: Action) {
    switch action {
    case .input(.key), .input(.typed), .input(.paste), .input(.mouse), .flood:
      keys.hasBegun = true
      messages.markRead()
    default: break
    }
  }

  /// Input that came faster than anyone types. A text field takes it. Anywhere else it is dropped, because pasted text
  /// would run commands.
  private mutating func handle(flood event: InputEvent) -> [Effect] {
    if isTyping { return apply(.input(event)) }
    let text = "Too many keys arrived at once: the rest was ignored"
    if message?.text != text { showMessage(.warning, text) }
    return []
  }

  mutating func handle(_ key: Key) -> [Effect] {
    if mustHold(key) {
      hold(key)
      return []
    }
    return handleNow(key)
  }

  /// Handles a key that need not wait for anything.
  mutating func handleNow(_ key: Key) -> [Effect] {
    pendingSelection.dropEpisodes()
    if !overlays.isEmpty {
      keys.pending = []
      if let top = overlays.last?.content, !top.takesAllKeys, let name = overlayCommand(key),
        Self.escapes.contains(name)
      {
        return perform(name)
      }
      return handleOverlay(key)
    }
    if keys.pending.isEmpty, countDigit(key) { return [] }
    let key = preferences.counts ? key.withoutAltOnDigit : key
    keys.pending.append(key)
    switch keymap.match(keys.pending, in: context) {
    case .command(let name):
      keys.pending = []
      messages.clear()
      return performCounted(name)
    case .prefix:
      return []
    case .none:
      let unbound = keys.pending
      let typed = unbound.map(\.description).joined()
      keys.clear()
      messages.clear()
      if key.base != .escape {
        let fault = keymap.isBound(unbound) ? "does nothing here" : "is not bound"
        showMessage(.info, "\(typed) \(fault). \(keymap.press(.help)) to see the keys.")
      }
      return []
    }
  }

  mutating func showPosition() -> [Effect] {
    return tell(.info, PlayerText.position(player))
  }

  mutating func setVolume(_ argument: String?) -> [Effect] {
    number(argument, of: .volume, in: RemoteCommand.volumes).map { setVolume($0) } ?? []
  }

  mutating func setSpeed(_ argument: String?) -> [Effect] {
    number(argument, of: .speed, in: RemoteCommand.speeds).map { setSpeed($0) } ?? []
  }

  mutating func seek(_ argument: String?) -> [Effect] {
    guard let argument else { return askForArgument(of: .seek) }
    guard let target = TimeArgument(argument) else {
      return tell(.error, "“\(argument)” is not a time: write 93, 1:33, +30 or -10")
    }
    switch target {
    case .absolute(let second): return seek(to: second, as: .jump)
    case .relative(let delta): return seek(by: delta)
    }
  }

  /// Parses the number after a command. Shows a message if it is not a number or out of range. Opens the command line
  /// if there is no argument.
  /// - Returns: nil if there is no valid number.
  private mutating func number(_ argument: String?, of name: CommandName, in range: ClosedRange<Double>) -> Double? {
    guard let argument else {
      _ = askForArgument(of: name)
      return nil
    }
    guard let number = Double(argument), number.isFinite else {
      showMessage(.error, "“\(argument)” is not a number")
      return nil
    }
    // “+10” looks like a step, as in `:seek +10`.
    guard range.contains(number), !argument.hasPrefix("+") else {
      let (minimum, maximum) = (range.lowerBound.shortText, range.upperBound.shortText)
      showMessage(.error, "“\(argument)” is not a \(name): write a number from \(minimum) to \(maximum)")
      return nil
    }
    return number
  }
}
