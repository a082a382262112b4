import Foundation

/// The id and the secret that a directory gave the listener.
public struct DirectoryKey: Sendable, Equatable {
  public var id: String
  public var secret: String

  public init(id: String, secret: String) {
    self.id = id
    self.secret = secret
  }
}

/// Which directories are queried, with which addresses and keys. The defaults are the real servers; tests use their
/// own.
public struct DirectorySettings: Sendable, Equatable {
  /// The directories to query if the listener names none.
  public var names = DirectoryName.allCases
  /// ISO 3166-1 alpha-2, upper case.
  public var country = "US"
  public var appleBase = AppleDirectory.standardBase
  public var fyydBase = FyydDirectory.standardBase
  public var podcastIndexBase = PodcastIndexDirectory.standardBase
  public var gpodderBase = GpodderDirectory.standardBase
  public var spotifyBases = SpotifyDirectory.Bases()
  /// Podcast Index is queried only with a key.
  public var podcastIndexKey: DirectoryKey?
  public var spotifyCredentials: DirectoryKey?

  public init() {}

  /// The country in a locale name (`de_AT.UTF-8`). Nil if there is none.
  public static func country(ofLocale name: String?) -> String? {
    let parts = (name ?? "").prefix { $0 != "." && $0 != "@" }.split(separator: "_", omittingEmptySubsequences: false)
    let isASCII = { (part: Substring, letters: ClosedRange<Character>) in part.allSatisfy(letters.contains) }
    guard parts.count == 2, 2...3 ~= parts[0].count, parts[1].count == 2, isASCII(parts[0], "a"..."z"),
      isASCII(parts[1], "A"..."Z")
    else { return nil }
    return String(parts[1])
  }

  /// Nil without a key.
  public func podcastIndex(_ transport: any DirectoryTransport) -> PodcastIndexDirectory? {
    podcastIndexKey.map { PodcastIndexDirectory(base: podcastIndexBase, key: $0, transport: transport) }
  }

  /// The directories with these names, without those that need a key and have none.
  public func directories(
    _ wanted: [DirectoryName]? = nil, transport: any DirectoryTransport
  ) -> [any PodcastDirectory] {
    (wanted ?? names).compactMap { name -> (any PodcastDirectory)? in
      switch name {
      case .apple: AppleDirectory(base: appleBase, transport: transport)
      case .fyyd: FyydDirectory(base: fyydBase, transport: transport)
      case .podcastindex: podcastIndex(transport)
      case .gpodder: GpodderDirectory(base: gpodderBase, transport: transport)
      }
    }
  }
}
