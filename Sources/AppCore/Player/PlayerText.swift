import Model

/// The player's figures as words.
enum PlayerText {
  /// `1×`, `1.25×`.
  static func speed(_ speed: Double) -> String {
    let hundredths = Int((min(100, max(0, speed)) * 100).rounded())
    let whole = hundredths / 100
    let rest = hundredths % 100
    if rest == 0 { return "\(whole)×" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)×" : "\(whole).\(rest < 10 ? "0" : "")\(rest)×"
  }

  static func sleep(_ timer: PlayerState.SleepTimer) -> String {
    switch timer {
    case .seconds(let left): left >= 60 ? "sleep \(Int((left / 60).rounded(.up)))m" : "sleep \(max(1, Int(left)))s"
    case .endOfChapter: "sleep at chapter end"
    case .endOfEpisode: "sleep at episode end"
    }
  }
}
