import Foundation

/// Where playback of an episode resumes. Times are in seconds.
public enum ResumePlace {
  /// How far to go back after a pause. The longer it was, the more the listener has forgotten.
  public static func rewind(after pause: TimeInterval) -> Double {
    table.last { pause >= $0.pause }?.rewind ?? 0
  }

  private static let table: [(pause: TimeInterval, rewind: Double)] = [
    (60, 2), (10 * 60, 5), (3600, 10), (24 * 3600, 20), (7 * 24 * 3600, 30),
  ]

  /// - Parameters:
  ///   - position: the stored position, 0 for the beginning.
  ///   - savedAt: when it was stored; nil if that is unknown, or if playback must not go back.
  ///   - intro: seconds of the beginning that are skipped.
  public static func start(position: Double, savedAt: Date?, now: Date, intro: Double) -> Double {
    let back = savedAt.map { rewind(after: now.timeIntervalSince($0)) } ?? 0
    return max(position > 0 ? max(0, position - back) : 0, intro)
  }
}
