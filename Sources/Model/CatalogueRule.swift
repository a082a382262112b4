/// How many episodes of a podcast's back catalogue count as new. The back catalogue is made of the episodes that
/// existed when the listener subscribed. Written as `none`, `all` or a number.
public struct CatalogueRule: Sendable, Equatable, Codable, RawRepresentable, CustomStringConvertible {
  /// The number of newest episodes; nil: all.
  public var newest: Int?

  public static let all = CatalogueRule(newest: nil)
  public static let none = CatalogueRule(newest: 0)
  /// The default: only the newest episode is new.
  public static let standard = CatalogueRule(newest: 1)
  /// The largest allowed number.
  public static let maximum = 1000

  public init(newest: Int?) { self.newest = newest }

  /// Nil if the text is not valid.
  public init?(rawValue: String) {
    switch rawValue {
    case "all": self = .all
    case "none": self = .none
    default:
      guard let number = Int(rawValue), (0...Self.maximum).contains(number) else { return nil }
      newest = number
    }
  }

  /// As it is stored and written.
  public var rawValue: String { newest.map { $0 == 0 ? "none" : String($0) } ?? "all" }
  public var description: String { rawValue }

  /// - Parameter rank: the index in the back catalogue, 0 for the newest.
  public func countsAsNew(rank: Int) -> Bool { newest.map { rank < $0 } ?? true }
}
