import CBuildInfo

/// Which Earshot this is.
enum Version {
  /// The one place of the version: `scripts/version` reads this line for packages, and `make lint` compares them with it.
  static let number = "0.1.0"

  /// `0.1.0 (commit 567fbe2a, 2026-11-22)`; a build that was not told its commit says only the number.
  static let full = text(
    commit: String(cString: earshot_build_commit()), date: String(cString: earshot_build_date()))

  static func text(commit: String, date: String) -> String {
    let parts = [commit.isEmpty ? "" : "commit \(commit)", date].filter { !$0.isEmpty }
    return parts.isEmpty ? number : "\(number) (\(parts.joined(separator: ", ")))"
  }
}
