import Model

/// The query of a URL (RFC 3986 §3.4).
enum AddressQuery {
  /// `name=value&…`, with percent-encoded values. If a value is nil, only the name is written.
  static func text(_ items: [(name: String, value: String?)]) -> String {
    items.map { name, value in value.map { "\(name)=\($0.percentEncoded)" } ?? name }.joined(separator: "&")
  }
}
