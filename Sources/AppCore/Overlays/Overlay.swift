import Model
import TerminalKit

/// What lies over the screen and takes the keys: a value on `state.overlays`, never a nested loop.
public enum Overlay: Equatable, Sendable {
  case prompt(Prompt)
  case confirm(Confirm)
  case picker(Picker)
  case help(HelpOverlay)
  case log(LogOverlay)
}

/// A yes-or-no question.
public struct Confirm: Equatable, Sendable {
  public var question: String
  public var yes: [Effect]
  /// What the status line says after yes.
  public var done: String
}

/// A list to choose one of.
public struct Picker: Equatable, Sendable {
  public enum Purpose: Equatable, Sendable {
    case chapters, sleep, theme, show, device
    /// What each item leads to.
    case link([LinkTarget])
    /// What is added to the playlist that is chosen.
    case playlist(Playlist.Item)
  }
  public var purpose: Purpose
  public var title: String
  public var items: [String]
  public var list: ListState
  /// Digits typed so far, where items have numbers.
  var number = 0
  /// The theme to go back to when none is chosen.
  var themeBefore: Theme?
  public init(_ purpose: Purpose, title: String, items: [String], selected: Int) {
    self.purpose = purpose
    self.title = title
    self.items = items
    list = ListState(count: items.count)
    list.moveTo(selected)
  }
}

/// What the sleep timer offers.
enum SleepChoice {
  static let table: [(title: String, timer: PlayerState.SleepTimer?)] = [
    ("15 minutes", .seconds(15 * 60)), ("30 minutes", .seconds(30 * 60)), ("45 minutes", .seconds(45 * 60)),
    ("60 minutes", .seconds(60 * 60)), ("End of this chapter", .endOfChapter),
    ("End of this episode", .endOfEpisode), ("After 2 episodes", .episodes(2)), ("After 3 episodes", .episodes(3)),
    ("Off", nil),
  ]
}

/// Messages so far, the newest first.
public struct LogOverlay: Equatable, Sendable {
  public var top = 0
  public init() {}
}

extension State {
  /// The topmost overlay gets every key.
  mutating func handleOverlay(_ key: Key) -> [Effect] {
    switch overlays.last {
    case .prompt(let prompt): return handle(prompt, key)
    case .confirm(let confirm): return handle(confirm, key)
    case .picker(let picker): return handle(picker, key)
    case .help(let help): handle(help, key)
    case .log(let log): handle(log, key)
    case nil: break
    }
    return []
  }

  mutating func replaceTop(_ overlay: Overlay) { overlays[overlays.count - 1] = overlay }

  /// What a key means in a list that lies over the screen: the user's own keys for moving count here too.
  func overlayCommand(_ key: Key) -> CommandName? {
    if case .command(let name) = keymap.match([key], in: .everywhere) { return name }
    return nil
  }

  /// Asks before something that is hard to get over is done.
  mutating func ask(_ question: String, yes: [Effect], done: String) -> [Effect] {
    overlays.append(.confirm(Confirm(question: question, yes: yes, done: done)))
    return []
  }

  private mutating func handle(_ confirm: Confirm, _ key: Key) -> [Effect] {
    let isYes = key == Key("y") || key == Key("Y")
    let isNo = [Key("n"), Key("N"), Key(.escape), Key("q"), Key("c", .control)].contains(key)
    guard isYes || isNo else { return [] }
    return answer(confirm, isYes)
  }

  mutating func answer(_ confirm: Confirm, _ isYes: Bool) -> [Effect] {
    overlays.removeLast()
    say(.note, isYes ? confirm.done : "Nothing was changed")
    return isYes ? confirm.yes : []
  }

  private mutating func handle(_ picker: Picker, _ key: Key) -> [Effect] {
    var picker = picker
    let before = picker.list.selected
    if case .link(let targets) = picker.purpose {
      if let digit = key.digit {
        let number = picker.number * 10 + digit
        picker.number = number <= targets.count ? number : digit
        if picker.number > 0 { picker.list.moveTo(picker.number - 1) }
        replaceTop(.picker(picker))
        return []
      }
      picker.number = 0
      if overlayCommand(key) == .copyLink { return copyChosen(picker, targets) }
    }
    let height = OverlayLayout.list(rows: picker.items.count, in: size).content.height
    switch overlayCommand(key) {
    case .down, .nextPane: picker.list.move(by: 1)
    case .up, .previousPane: picker.list.move(by: -1)
    case .first: picker.list.first()
    case .last: picker.list.last()
    case .halfPageDown: picker.list.halfPage(by: 1, height: height)
    case .halfPageUp: picker.list.halfPage(by: -1, height: height)
    case .pageDown: picker.list.page(by: 1, height: height)
    case .pageUp: picker.list.page(by: -1, height: height)
    case .back, .quitScreen, .quit:
      close(picker)
      return []
    case .open: return choose(picker)
    case .pause: return togglePause()
    case .delete where picker.purpose == .chapters:
      toggleSkip(picker.list.selected)
      picker.items = chapterItems
    default: break
    }
    return moved(picker, from: before)
  }

  /// Another item of the topmost list is selected, or the same again.
  mutating func moved(_ picker: Picker, from before: Int) -> [Effect] {
    var picker = picker
    let height = OverlayLayout.list(rows: picker.items.count, in: size).content.height
    picker.list.fit(count: picker.items.count, height: max(1, height))
    replaceTop(.picker(picker))
    guard picker.purpose == .theme, picker.list.selected != before else { return [] }
    // Seen before it is chosen.
    return [.terminal(.loadTheme(picker.items[picker.list.selected]))]
  }

  private mutating func copyChosen(_ picker: Picker, _ targets: [LinkTarget]) -> [Effect] {
    guard let index = picker.list.selection, targets.indices.contains(index) else { return [] }
    overlays.removeLast()
    return switch targets[index] {
    case .address(let address): copy(address)
    case .time(let second): copy(TimeText.clock(second))
    }
  }

  /// Nothing was chosen.
  mutating func close(_ picker: Picker) {
    overlays.removeLast()
    if let themeBefore = picker.themeBefore { show(themeBefore) }
  }

  /// The selected item of the topmost list is chosen.
  mutating func choose(_ picker: Picker) -> [Effect] {
    overlays.removeLast()
    return chosen(picker)
  }

  /// Another theme: pictures that were made for the old one's colours go with it.
  mutating func show(_ theme: Theme) {
    self.theme = theme
    covers.forget()
  }

  private mutating func chosen(_ picker: Picker) -> [Effect] {
    guard picker.items.indices.contains(picker.list.selected) else { return [] }
    let index = picker.list.selected
    switch picker.purpose {
    case .chapters:
      guard player.chapters.indices.contains(index) else { return [] }
      return seek(to: player.chapters[index].start)
    case .sleep:
      return setSleep(SleepChoice.table[index].timer)
    case .show:
      overlays.append(.prompt(Prompt(.command, "show \(ShowArgument.names[index]) ")))
      return []
    case .device: return devices.indices.contains(index) ? device(devices[index].name) : []
    case .theme: return choose(theme: picker.items[index])
    case .link(let targets): return targets.indices.contains(index) ? follow(targets[index]) : []
    case .playlist(let item):
      let own = playlists.filter { !$0.isSmart }
      guard own.indices.contains(index) else {
        overlays.append(.prompt(Prompt(.newPlaylist(adding: item))))
        return []
      }
      return add(item, to: own[index].id, own[index].title)
    }
  }

  private mutating func handle(_ log: LogOverlay, _ key: Key) {
    let height = OverlayLayout.page(in: size).content.height
    switch scrollStep(overlayCommand(key), height: height) {
    case .close: overlays.removeLast()
    case .rows(let rows): scroll(log, by: rows)
    }
  }

  mutating func scroll(_ log: LogOverlay, by rows: Int) {
    var log = log
    log.top = min(max(0, log.top + rows), max(0, self.log.count - 1))
    replaceTop(.log(log))
  }

  enum ScrollStep { case close, rows(Int) }

  func scrollStep(_ command: CommandName?, height: Int) -> ScrollStep {
    switch command {
    case .down: .rows(1)
    case .up: .rows(-1)
    case .halfPageDown: .rows(max(1, height / 2))
    case .halfPageUp: .rows(-max(1, height / 2))
    case .pageDown: .rows(max(1, height - 1))
    case .pageUp: .rows(-max(1, height - 1))
    case .first: .rows(-1_000_000)
    case .last: .rows(1_000_000)
    case .back, .quitScreen, .quit, .help, .open: .close
    default: .rows(0)
    }
  }
}
