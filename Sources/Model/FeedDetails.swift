/// podcast:location: where something is that a podcast or an episode is about.
public struct FeedLocation: Sendable, Equatable, Codable {
  public var name: String
  /// A geo: address (RFC 5870).
  public var geo: String?
  /// The type and id of an OpenStreetMap object, such as R113314.
  public var osm: String?
  public init(name: String, geo: String? = nil, osm: String? = nil) {
    self.name = name
    self.geo = geo
    self.osm = osm
  }

  /// The address of a web map of it; nil if the feed has no coordinates and no object.
  public var mapURL: String? {
    let base = "https://www.openstreetmap.org"
    if let osm, let match = osm.wholeMatch(of: /([NWR])(\d{1,19})(?:#\d+)?/) {
      let kind = ["N": "node", "W": "way", "R": "relation"][String(match.1)] ?? "node"
      return "\(base)/\(kind)/\(match.2)"
    }
    guard let geo, let match = geo.prefixMatch(of: /geo:(-?[\d.]{1,20}),(-?[\d.]{1,20})/) else { return nil }
    return "\(base)/?mlat=\(match.1)&mlon=\(match.2)#map=12/\(match.1)/\(match.2)"
  }
}

/// podcast:license: an SPDX identifier, or the name of another licence with its address.
public struct License: Sendable, Equatable, Codable {
  public var name: String
  public var url: String?
  public init(name: String, url: String? = nil) {
    self.name = name
    self.url = url
  }

  /// The address in the feed, else the page of SPDX if the name may be an SPDX identifier.
  public var address: String? {
    if let url { return url }
    guard name.wholeMatch(of: /[A-Za-z0-9.+-]{2,60}/) != nil else { return nil }
    return "https://spdx.org/licenses/\(name).html"
  }
}

/// podcast:chat: a chat room of the listeners.
public struct ChatRoom: Sendable, Equatable, Codable {
  public var server: String
  /// Such as `irc`, `xmpp`, `matrix` or `nostr`.
  public var kind: String
  public var account: String?
  public var space: String?
  public init(server: String, kind: String, account: String? = nil, space: String? = nil) {
    self.server = server
    self.kind = kind
    self.account = account
    self.space = space
  }

  /// The address for a program that opens it; nil if there is none.
  public var address: String? {
    let room = space ?? account
    if let room, room.hasPrefix("https://") || room.hasPrefix("http://") { return room }
    switch kind.lowercased() {
    case "irc":
      let channel = room.map { $0.hasPrefix("#") ? "%23" + $0.dropFirst() : $0 } ?? ""
      return "ircs://\(server)/\(channel)"
    case "xmpp": return room.map { "xmpp:\($0)?join" }
    case "matrix": return room.map { "https://matrix.to/#/\($0)" }
    default: return server.contains("://") ? server : "https://\(server)"
    }
  }
}

/// podcast:socialInteract: a post under which people comment on an episode.
public struct CommentThread: Sendable, Equatable, Codable {
  /// Such as `activitypub`, `twitter` or `lightning`.
  public var kind: String
  public var url: String
  public var account: String?
  /// The smallest number is the one that the publisher prefers.
  public var priority: Int?
  public init(kind: String, url: String, account: String? = nil, priority: Int? = nil) {
    self.kind = kind
    self.url = url
    self.account = account
    self.priority = priority
  }
}
