/// A refresh that is under way.
public struct RefreshState: Equatable, Sendable {
  public var done: Int
  public var total: Int
  public var title: String
  /// The listener has stopped it: what is under way ends by itself.
  public var isCancelled = false
  /// Titles of podcasts that failed before and are not asked now.
  var putOff: [String] = []
  /// Episodes that publishers took back.
  var removed = 0
  /// `State.unread` when it began, with what was shown then.
  var unreadBefore = 0
  public init(done: Int = 0, total: Int, title: String = "") {
    self.done = done
    self.total = total
    self.title = title
  }

  mutating func report(_ title: String, _ done: Int, of total: Int) {
    (self.title, self.done, self.total) = (title, done, total)
  }
}
