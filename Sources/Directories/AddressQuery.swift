import Foundation

/// Percent-encoding for the query of an address (RFC 3986 §3.4): everything but unreserved characters is encoded.
enum AddressQuery {
  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  static func encoded(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: plain) ?? "" }

  /// `name=value&…`; a nil value stands for a flag, which has only its name.
  static func text(_ items: [(name: String, value: String?)]) -> String {
    items.map { name, value in value.map { "\(name)=\(encoded($0))" } ?? name }.joined(separator: "&")
  }
}
