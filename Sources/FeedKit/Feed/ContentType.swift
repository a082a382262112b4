/// The Content-Type header (RFC 9110 §8.3).
enum ContentType {
  /// The charset parameter, quoted or not.
  static func charset(_ header: String) -> String? {
    for parameter in header.split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, String(parts[0]).trimmed.lowercased() == "charset" else { continue }
      let value = String(parts[1]).trimmed.filter { $0 != "\"" && $0 != "'" }
      return value.nonEmpty
    }
    return nil
  }
}
