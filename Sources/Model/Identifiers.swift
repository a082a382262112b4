/// The key of a row in the library. Each table has a type of its own, so that ids cannot be mixed up.
public protocol StoreID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  var rawValue: Int64 { get }
  init(_ rawValue: Int64)
}

extension StoreID {
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  public var description: String { String(rawValue) }
  public init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(Int64.self)) }
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

public struct PodcastID: StoreID {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
}

public struct EpisodeID: StoreID {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
}

public struct ClipID: StoreID {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
}

public struct PlaylistID: StoreID {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
}

public struct RuleID: StoreID {
  public let rawValue: Int64
  public init(_ rawValue: Int64) { self.rawValue = rawValue }
}
