import Foundation

/// Addresses that go to servers and come from them.
public enum SyncAddress {
  /// As it is sent: http or https, in lower case, without a user name and password. nil: no server takes it.
  public static func sent(_ url: String) -> String? {
    var text = url.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let colon = text.range(of: "://"), text.utf8.count < 2000 else { return nil }
    let scheme = text[..<colon.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else { return nil }
    var rest = text[colon.upperBound...]
    let hostEnd = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    if let at = rest[..<hostEnd].lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
    guard !rest.isEmpty, !rest.unicodeScalars.contains(where: { $0.value <= 0x20 }) else { return nil }
    text = scheme + "://" + rest
    return text
  }

  /// As it came: without white space (opodsync keeps newlines).
  public static func received(_ url: String) -> String { url.trimmingCharacters(in: .whitespacesAndNewlines) }

  /// A segment of a path.
  public static func escaped(_ text: String) -> String {
    let allowed = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? text
  }
}
