/// Something to look at next, made of what the library knows. No request is needed to make it.
public struct Suggestion: Sendable, Equatable {
  public enum Target: Sendable, Equatable {
    /// A podcast that another one recommends.
    case podcast(RemoteItem)
    /// Everything with this person.
    case person(String)
    /// The charts of a category, as the feeds write it.
    case category(String)
  }

  public var target: Target
  /// Why it is suggested: titles of podcasts, the most heard first.
  public var podcasts: [String]
  /// How much speaks for it: episodes that were heard.
  public var weight: Int

  public init(target: Target, podcasts: [String], weight: Int) {
    self.target = target
    self.podcasts = podcasts
    self.weight = weight
  }
}
