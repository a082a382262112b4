import CBuildInfo

/// The version of Earshot.
enum Version {
  /// The version number. `scripts/version` reads this line for packages, and `make lint` compares other files with it.
  static let number = "0.1.0"

  /// The `User-Agent` of all requests: feeds, downloads, streams, pictures. Servers count and limit requests by it (RFC
  /// 9110 §10.1.5).
  static let userAgent = "Earshot/\(number) (podcast player)"

  /// Such as `0.1.0 (commit 567fbe2a, 2026-11-22)`. Without a known commit only the number.
  static let full = text(
    commit: String(cString: earshot_build_commit()), date: String(cString: earshot_build_date()))

  static func text(commit: String, date: String) -> String {
    let parts = [commit.isEmpty ? "" : "commit \(commit)", date].filter { !$0.isEmpty }
    return parts.isEmpty ? number : "\(number) (\(parts.joined(separator: ", ")))"
  }
}
