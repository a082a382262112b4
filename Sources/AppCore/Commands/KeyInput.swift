import TerminalKit

/// Keys that were pressed and have not led to a command yet, and a drag of the mouse.
struct KeyInput: Equatable, Sendable {
  /// The beginning of a sequence of keys.
  var pending: [Key] = []
  /// The count typed before a command: how often to repeat it, or a line number.
  private(set) var count: Int?
  /// Keys that wait for a list.
  var held = HeldKeys()
  /// The mouse drags on the progress bar.
  var drag: Drag?
  struct Drag: Equatable, Sendable {
    /// The seek target, in seconds.
    var second: Double
    /// The load (`PlayerState.generation`) in which it began. The next episode may begin meanwhile.
    var generation: Int
    var hasMoved = false

    mutating func move(to second: Double) {
      self.second = second
      hasMoved = true
    }

    /// Where a release seeks to. Nil: the mouse has not moved, or another episode was loaded meanwhile.
    func target(in generation: Int) -> Double? { hasMoved && generation == self.generation ? second : nil }
  }
  /// The listener has pressed a key or used the mouse since the start.
  var hasBegun = false

  /// The highest count that is accepted.
  private static let countLimit = 99_999

  /// No key has to be handled before what comes next.
  var isEmpty: Bool { pending.isEmpty && held.isEmpty }

  /// Adds a digit to the count.
  mutating func count(_ digit: Int) { count = min(Self.countLimit, (count ?? 0) * 10 + digit) }

  mutating func takeCount() -> Int? {
    defer { count = nil }
    return count
  }

  /// Forgets what was typed for a command.
  mutating func clear() { (pending, count) = ([], nil) }
}
