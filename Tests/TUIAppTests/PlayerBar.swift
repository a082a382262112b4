import Testing

/// The contents of the player bar, parsed from the screen.
struct PlayerBar: Equatable {
  enum Phase: Character { case playing = "▶", paused = "Ⅱ", stopped = "■", waiting = "◌" }

  var phase: Phase
  /// In whole seconds, as shown.
  var elapsed: Int
  var row: String

  /// Nil before the first episode is played. The bar is the last row that contains `elapsed / total`.
  init?(screen: String) {
    let clock = /(?:(\d+):)?(\d+):(\d\d) \/ [\d:]+/
    for row in screen.split(separator: "\n").reversed() {
      guard let sign = row.trimmingPrefix(while: \.isWhitespace).first, let phase = Phase(rawValue: sign),
        let match = row.firstMatch(of: clock), let minutes = Int(match.2), let seconds = Int(match.3)
      else { continue }
      self.phase = phase
      elapsed = (match.1.flatMap { Int($0) } ?? 0) * 3600 + minutes * 60 + seconds
      self.row = String(row)
      return
    }
    return nil
  }
}

extension TmuxSession {
  func bar() async throws -> PlayerBar? { PlayerBar(screen: try await screen()) }

  /// Waits for a state of the player bar.
  @discardableResult
  func waitForBar(
    _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ condition: (PlayerBar) -> Bool
  ) async throws -> PlayerBar {
    let screen = try await waitUntil("the player bar: \(what)", sourceLocation: sourceLocation) { screen in
      PlayerBar(screen: screen).map(condition) ?? false
    }
    return try #require(PlayerBar(screen: screen))
  }
}
