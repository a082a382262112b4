/// A suggestion, made from the library without any request.
public struct Suggestion: Sendable, Equatable {
  public enum Target: Sendable, Equatable {
    /// A podcast that another one recommends.
    case podcast(RemoteItem)
    /// A search for everything with this person.
    case person(String)
    /// The charts of a category, as written in feeds.
    case category(String)
  }

  public var target: Target
  /// The titles of the podcasts that led to the suggestion, most played first.
  public var podcasts: [String]
  /// Its rank: the number of played episodes behind it.
  public var weight: Int

  public init(target: Target, podcasts: [String], weight: Int) {
    self.target = target
    self.podcasts = podcasts
    self.weight = weight
  }
}
