import Model

/// Resolves relative addresses (RFC 3986 §5), as leniently as a browser.
enum RelativeAddress {
  /// The absolute form of `reference`. Unchanged if it is absolute, or cannot be resolved with `base`.
  static func resolve(_ reference: String, base: String?) -> String {
    let reference = cleaned(reference)
    guard let base, !reference.isEmpty, reference[...].addressScheme == nil else { return reference }
    let parts = Parts(base)
    // `javascript:…` and `mailto:…` cannot be a base (RFC 3986 §5.2.1 requires a hierarchical one).
    guard let scheme = parts.scheme, let host = parts.authority else { return reference }
    if reference.hasPrefix("//") { return "\(scheme):\(reference)" }
    let authority = "\(scheme)://\(host)"
    if reference.hasPrefix("#") { return "\(authority)\(parts.path)\(parts.query)\(reference)" }
    if reference.hasPrefix("?") { return "\(authority)\(parts.path)\(reference)" }
    let cut = reference.firstIndex { $0 == "?" || $0 == "#" } ?? reference.endIndex
    let path = reference[..<cut]
    let tail = reference[cut...]
    if path.hasPrefix("/") { return "\(authority)\(withoutDots(path))\(tail)" }
    let folder = parts.path.lastIndex(of: "/").map { parts.path[...$0] } ?? "/"
    return "\(authority)\(withoutDots("\(folder)\(path)"))\(tail)"
  }

  /// Removes surrounding white space and line breaks (WHATWG URL §4.4), and replaces blanks with `%20`.
  static func cleaned(_ address: String) -> String {
    guard address.holdsBlanks else { return address }
    let text = address.trimmed.filter { $0 != "\n" && $0 != "\r" && $0 != "\t" && $0 != "\r\n" }
    return text.contains(" ") ? text.replacing(" ", with: "%20") : text
  }

  /// The components of an absolute address.
  private struct Parts {
    var scheme: Substring?
    var authority: Substring?
    var path: Substring
    /// Including the question mark.
    var query: Substring

    init(_ address: String) {
      var rest = address[...]
      scheme = rest.addressScheme
      if let scheme { rest = rest[scheme.endIndex...].dropFirst() }
      if let hash = rest.firstIndex(of: "#") { rest = rest[..<hash] }
      let mark = rest.firstIndex(of: "?") ?? rest.endIndex
      query = rest[mark...]
      rest = rest[..<mark]
      if rest.hasPrefix("//") {
        let body = rest.dropFirst(2)
        let slash = body.firstIndex(of: "/") ?? body.endIndex
        authority = body[..<slash]
        rest = body[slash...]
      }
      path = rest.isEmpty && authority != nil ? "/" : rest
    }
  }

  /// Removes dot segments (RFC 3986 §5.2.4).
  private static func withoutDots(_ path: some StringProtocol) -> String {
    guard path.contains("/.") else { return String(path) }
    var kept: [Substring] = []
    let segments = String(path)[...].split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case "..":
        if kept.count > 1 { kept.removeLast() }
        if isLast { kept.append("") }
      case ".":
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return kept.joined(separator: "/")
  }
}
