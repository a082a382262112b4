/// The progress of a running refresh.
public struct RefreshState: Equatable, Sendable {
  public var done: Int
  public var total: Int
  public var title: String
  /// The listener has stopped it. Requests that are running still end.
  public var isCancelled = false
  /// Titles of podcasts that failed before and are not asked now.
  var postponed: [String] = []
  /// How many episodes publishers removed.
  var removed = 0
  /// A change of a podcast was reported, such as its new address.
  var hasNote = false
  /// `State.unread` when the refresh began, including the message that was shown then.
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
