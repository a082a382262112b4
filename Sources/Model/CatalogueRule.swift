/// How many episodes of a podcast's back catalogue count as new. The back catalogue is made of the episodes that
/// existed when the listener subscribed. Written as `none`, `all` or a number.
public struct CatalogueRule: Sendable, Equatable, CustomStringConvertible {
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
  public init?(_ text: String) {
    switch text {
    case "all": self = .all
    case "none": self = .none
    default:
      guard let number = Int(text), (0...Self.maximum).contains(number) else { return nil }
      newest = number
    }
  }

  public var description: String { newest.map { $0 == 0 ? "none" : String($0) } ?? "all" }

  /// - Parameter rank: the index in the back catalogue, 0 for the newest.
  public func countsAsNew(rank: Int) -> Bool { newest.map { rank < $0 } ?? true }
}

extension CatalogueRule: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let rule = CatalogueRule(text) else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
    }
    self = rule
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
