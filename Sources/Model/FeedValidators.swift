/// What lets the next request for a feed ask "only if it changed": kept from the last answer, verbatim, and tied to the
/// address that it came from (RFC 9110 §13.1).
public struct FeedValidators: Sendable, Equatable, Codable {
  /// With quotes and `W/`, as the server sent it.
  public var etag: String?
  public var lastModified: String?
  /// Of the last body, for servers that give neither or ignore them.
  public var bodyDigest: String?
  /// The address that gave them, after redirects. nil: send them wherever the request goes.
  public var url: String?

  public init(etag: String? = nil, lastModified: String? = nil, bodyDigest: String? = nil, url: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
    self.bodyDigest = bodyDigest
    self.url = url
  }
}
