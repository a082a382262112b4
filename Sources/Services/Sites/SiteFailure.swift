import Foundation
import HTTP

/// What yt-dlp's messages mean for the listener. They are made for people and change, so each rule looks for a few
/// words of it. What no rule knows is shown as it is.
enum SiteFailure {
  /// Some words of a message in lower case, and what it means. The first rule that fits counts.
  private static let rules: [(words: [String], meaning: String, isConnectivity: Bool)] = [
    (
      ["confirm your age", "age-restricted", "inappropriate for some users"],
      "the site shows it only to adults who have signed in" + signIn, false
    ),
    (["private video", "video is private"], "it is private" + signIn, false),
    (
      ["members-only", "join this channel", "available to this channel's members", "premium"],
      "it is only for members" + signIn, false
    ),
    (["not a bot", "not a robot"], "the site asks for a sign-in, because it takes yt-dlp for a robot" + signIn, false),
    (
      ["in your country", "geo restriction", "geo-restrict", "from your location", "in your region"],
      "it is not available in your region", false
    ),
    (
      [
        "has been removed", "was removed", "no longer available", "has been terminated", "video unavailable",
        "does not exist", "http error 404", "http error 410", "account associated with this video",
      ], "it was removed, or is not there", false
    ),
    (["drm"], "it is protected against copying (DRM)", false),
    (["http error 429", "too many requests", "rate-limit"], "the site accepts no more requests for now (429)", false),
    (
      ["sign in", "log in", "login", "registered users", "use --cookies", "account credentials"],
      "the site asks for a sign-in" + signIn, false
    ),
    (["unsupported url", "no suitable extractor"], unsupported, false),
    (["requested format is not available", "no video formats"], "it has no sound that can be played", false),
    (
      [
        "no such option", "unable to extract", "failed to extract", "nsig extraction", "please report this issue",
        "latest version",
      ], "yt-dlp cannot read the site: it is probably too old (yt-dlp -U, or a newer package)", false
    ),
    (
      [
        "unable to download", "urlopen error", "name resolution", "connection refused", "timed out",
        "network is unreachable",
      ], "the site cannot be reached", true
    ),
  ]

  private static let signIn =
    "; set yt_dlp_config = true in the table [sites] of the configuration to let yt-dlp use your cookies"

  static let unsupported = "yt-dlp knows no video or list at this address"

  /// - Parameters:
  ///   - status: the exit status.
  ///   - errors: what it wrote to standard error.
  static func failure(status: Int32, errors: Data, name: String) -> PageFailure {
    let lines = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    guard let line = lines.last(where: { $0.contains("ERROR:") || $0.contains("error:") }) ?? lines.last else {
      return PageFailure("\(name) failed with status \(status)")
    }
    // Typographic apostrophes: "you’re not a bot".
    let message = line.lowercased().replacing("’", with: "'")
    if let time = message.firstMatch(of: /(?:begin|begins|premieres|premiere|live|start|starts) in (\d+ \w+|a few \w+)/)
    {
      return PageFailure("it has not begun: live in \(UntrustedText.cleaned(String(time.1)))")
    }
    if let rule = rules.first(where: { $0.words.contains(where: message.contains) }) {
      return PageFailure(rule.meaning, isConnectivity: rule.isConnectivity)
    }
    let text = line.replacing(/^.*?(?:ERROR|error): (?:\[[\w:+.-]*\] )?(?:[\w.-]+: )?/, with: "")
    return PageFailure("\(name): \(UntrustedText.cleaned(String(text.prefix(300))))")
  }
}
