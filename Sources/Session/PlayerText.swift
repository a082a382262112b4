import Model

/// Texts about playback that both players show.
public enum PlayerText {
  /// Such as `1×` or `1.25×`.
  public static func speed(_ speed: Double) -> String {
    let hundredths = Int((min(100, max(0, speed)) * 100).rounded())
    let whole = hundredths / 100
    let rest = hundredths % 100
    if rest == 0 { return "\(whole)×" }
    return rest % 10 == 0 ? "\(whole).\(rest / 10)×" : "\(whole).\(rest < 10 ? "0" : "")\(rest)×"
  }

  /// The message after a seek that led elsewhere, in a stream that serves no byte ranges. Both in seconds.
  public static func seekedElsewhere(_ wanted: Double, _ position: Double) -> String {
    "This stream cannot seek to \(TimeText.clock(wanted)). It continues at \(TimeText.clock(position))"
  }

  /// Why the player does not go to the position that the listener wanted. Both in seconds.
  public static func endsBefore(_ wanted: Double, _ end: Double) -> String {
    "the file ends at \(TimeText.clock(end)), before \(TimeText.clock(wanted))"
  }

  /// Why playback could not begin: the file ends at `end` seconds, before the stored position.
  public static func endsTooEarly(at end: Double, _ position: Double) -> String {
    "the file now ends at \(TimeText.clock(end)); your position, \(TimeText.clock(position)), is saved"
  }

  /// The warning after the end of a file that had more sound when it was heard before.
  public static func endedEarly(at end: Double, _ before: Double) -> String {
    let difference = TimeText.clock((before - end).rounded())
    return "the file ended at \(TimeText.clock(end)), \(difference) shorter than before; your position is saved"
  }

  /// The warning after the end of a stream that was played from its start.
  public static func endedBefore(_ position: Double) -> String {
    "The stream ended before your position, \(TimeText.clock(position)), which is saved"
  }

  /// Why there is no sound at the moment.
  /// - Parameter columns: the width of the screen. A narrow one gets a short text.
  public static func wait(_ wait: NetworkWait?, columns: Int) -> String {
    guard let wait else { return "buffering" }
    let time = TimeText.clock(wait.seconds)
    return columns < 70 ? "no network \(time)" : "waiting for the network \(time)"
  }

  public static func deviceGone(_ name: String) -> String {
    "The sound device \(name) is missing: the system's default is used"
  }
}
