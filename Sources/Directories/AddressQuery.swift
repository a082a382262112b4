import Foundation

/// The query of a URL (RFC 3986 §3.4).
enum AddressQuery {
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  static func encoded(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "" }

  /// `name=value&…`. If a value is nil, only the name is written.
  static func text(_ items: [(name: String, value: String?)]) -> String {
    items.map { name, value in value.map { "\(name)=\(encoded($0))" } ?? name }.joined(separator: "&")
  }
}
