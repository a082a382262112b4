/// The validators of the last response, for a conditional request of the same feed (RFC 9110 §13.1). They are stored
/// verbatim, together with the address of the response.
public struct FeedValidators: Sendable, Equatable, Codable {
  /// With quotes and `W/`, as the server sent it.
  public var etag: String?
  public var lastModified: String?
  /// A digest of the last body, for servers that send no validators or ignore them.
  public var bodyDigest: String?
  /// The address of the response, after redirects. Nil: the validators may be sent to any address.
  public var url: String?

  public init(etag: String? = nil, lastModified: String? = nil, bodyDigest: String? = nil, url: String? = nil) {
    self.etag = etag
    self.lastModified = lastModified
    self.bodyDigest = bodyDigest
    self.url = url
  }
}
