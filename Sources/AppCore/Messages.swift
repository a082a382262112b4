import Foundation
import Model

/// The message in the status line, and the log. Only its own functions change it.
public struct Messages: Equatable, Sendable {
  /// The message in the status line.
  public private(set) var current: Message?
  /// The current message is removed when this is over. Nil: it stays until the next key.
  private(set) var condition: MessageCondition?
  /// How many errors and warnings since the last key were replaced by later messages before anyone could read them.
  public private(set) var unread = 0
  /// A key was pressed since the message was shown.
  private var isSeen = false
  /// Newest last. `:log` shows it. The failures of a refresh are added in a few lines when it ends.
  public private(set) var log: [LoggedMessage] = []

  /// The current message is an error or a warning, and no key was pressed since.
  private var isCurrentUnread: Bool { !isSeen && current?.kind.isProblem == true }

  /// How many errors and warnings may be unread, with the current message.
  var allUnread: Int { unread + (isCurrentUnread ? 1 : 0) }

  mutating func show(
    _ message: Message, at time: Date, isLogged: Bool = true, while condition: MessageCondition? = nil
  ) {
    unread = allUnread
    (current, self.condition) = (message, condition)
    isSeen = false
    if isLogged { record(message, at: time) }
  }

  /// Shows a message that the listener did not ask for. If an error or a warning may be unread, the message only goes
  /// to the log.
  mutating func showUnrequested(_ message: Message, at time: Date, while condition: MessageCondition?) {
    if isCurrentUnread, !message.kind.isProblem {
      record(message, at: time)
    } else {
      show(message, at: time, while: condition)
    }
  }

  /// Adds a message to the log without showing it.
  mutating func record(_ message: Message, at time: Date) { record(LoggedMessage(message: message, time: time)) }

  mutating func record(_ message: LoggedMessage) {
    log.append(message)
    if log.count > 500 { log.removeFirst(log.count - 500) }
  }

  /// The listener has pressed a key, so everything is read.
  mutating func markRead() {
    unread = 0
    isSeen = true
  }

  /// The message that is shown covers all that came since `before` was the number of unread ones.
  mutating func coverUnread(since before: Int) { unread = min(unread, before) }

  mutating func clear() { (current, condition) = (nil, nil) }
}

/// What a message in the status line says, if that may end before the next key. The state decides whether it has
/// ended: events that usually come together may come apart on a slow machine.
enum MessageCondition: Equatable, Sendable {
  /// An episode is being opened.
  case opening
  /// The sound waits for the network.
  case networkWait
  /// No feed could be requested, because there is no network.
  case offline
  /// A sync has failed, and none has succeeded since.
  case failedSync
  case smallScreen
  /// The library cannot be changed for this reason.
  case refusal(String)
  /// The answer to this request is outstanding.
  case request(RequestID)
}

extension Message.Kind {
  /// The role of its text.
  /// - Parameter plain: the role of the texts around it, which `info` has, too.
  func role(plain: Role) -> Role {
    switch self {
    case .info: plain
    case .success: .success
    case .warning: .warning
    case .error: .error
    }
  }
}

extension State {
  /// The message in the status line.
  public var message: Message? { messages.current }

  /// The log, with the failures of running refreshes.
  var fullLog: [LoggedMessage] { messages.log + refreshes.failureMessages }

  /// Shows a message in the status line, and adds it to the log.
  public mutating func showMessage(_ message: Message) { showMessage(message, while: nil) }

  mutating func showMessage(_ message: Message, while condition: MessageCondition?) {
    removeOutdatedMessage()
    messages.show(message, at: now, while: condition)
  }

  mutating func showMessage(_ kind: Message.Kind, _ text: String, while condition: MessageCondition? = nil) {
    showMessage(Message(kind, text), while: condition)
  }

  /// Makes a change. Shows what was done, and the key that undoes it.
  mutating func write(_ change: Write, _ done: String, _ kind: Message.Kind = .success) -> [Effect] {
    showMessage(kind, "\(done). \(keymap.press(.undo)) to undo.")
    return [.write(change)]
  }

  /// Shows a message where there is nothing else to do.
  mutating func tell(_ kind: Message.Kind, _ text: String, while condition: MessageCondition? = nil) -> [Effect] {
    showMessage(kind, text, while: condition)
    return []
  }

  mutating func showUnrequestedMessage(_ kind: Message.Kind, _ text: String, while condition: MessageCondition? = nil) {
    removeOutdatedMessage()
    messages.showUnrequested(Message(kind, text), at: now, while: condition)
  }

  /// Removes the message if it is not true any more. Nobody has to read it then, so it does not count as unread.
  mutating func removeOutdatedMessage() {
    if let condition = messages.condition, !lasts(condition) { messages.clear() }
  }

  private func lasts(_ condition: MessageCondition) -> Bool {
    switch condition {
    case .opening: player.phase == .loading
    case .networkWait: player.networkWait != nil
    case .offline: refreshes.offlineSince != nil
    case .failedSync: sync.phase != .inStep && sync.phase != .off
    case .smallScreen: isSmallScreen
    case .refusal(let reason): writeRefusal == reason
    case .request(let request): awaited.subject(of: request) != nil
    }
  }
}
