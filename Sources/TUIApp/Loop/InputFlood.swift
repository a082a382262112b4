import AppCore
import TerminalKit

/// Detects input that nobody typed: text pasted into a terminal without bracketed paste, or a file that was sent to it.
struct InputFlood {
  /// The maximum number of keys in a row without a pause. A key that is held down repeats 30 to 60 times a second.
  static let keys = 1000
  /// Milliseconds without input that end a row.
  static let pause: UInt64 = 50

  private var count = 0

  /// Converts events to actions, which are marked as a flood after the limit.
  /// - Parameter silence: for how many milliseconds the program waited for the events. While it carries out the keys
  ///   before them, which takes long on a slow machine, the row goes on.
  mutating func actions(of events: [InputEvent], after silence: UInt64) -> [Action] {
    if silence > Self.pause { count = 0 }
    return events.flatMap { actions(of: $0) }
  }

  private mutating func actions(of event: InputEvent) -> [Action] {
    let room = max(0, Self.keys - count)
    switch event {
    case .typed(let text):
      let scalars = text.unicodeScalars
      count += scalars.count
      guard scalars.count > room else { return [.input(event)] }
      let rest = Action.flood(.typed(String(scalars.dropFirst(room))))
      return room > 0 ? [.input(.typed(String(scalars.prefix(room)))), rest] : [rest]
    case .key, .mouse:
      count += 1
      return [room > 0 ? .input(event) : .flood(event)]
    case .paste, .resize: return [.input(event)]
    }
  }
}
