import CBuildInfo

/// Which Earshot this is.
enum Version {
  /// The one place of the version: `scripts/version` reads this line for packages, and `make lint` compares them with it.
  static let number = "0.1.0"

  /// The one `User-Agent` of all requests, whichever library makes them: feeds, downloads, streams, pictures. Servers count
  /// and limit by it (RFC 9110 §10.1.5).
  static let userAgent = "Earshot/\(number) (podcast player)"

  /// `0.1.0 (commit 567fbe2a, 2026-11-22)`; a build that was not told its commit says only the number.
  static let full = text(
    commit: String(cString: earshot_build_commit()), date: String(cString: earshot_build_date()))

  static func text(commit: String, date: String) -> String {
    let parts = [commit.isEmpty ? "" : "commit \(commit)", date].filter { !$0.isEmpty }
    return parts.isEmpty ? number : "\(number) (\(parts.joined(separator: ", ")))"
  }
}
