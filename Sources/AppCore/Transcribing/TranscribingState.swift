import Model

/// The transcript that is being made, as the service last reported it. What waits is in the library.
public struct TranscribingState: Equatable, Sendable {
  public struct Work: Equatable, Sendable {
    public var item: TranscribingItem
    /// The sound is being fetched and converted.
    public var isReading: Bool
    /// The share of the sound that is done, 0 to 1.
    public var fraction: Double?
  }

  public private(set) var work: Work?
  /// Why transcripts that wait are not made now.
  public private(set) var rest: String?

  mutating func receive(_ report: TranscribingReport) {
    switch report {
    case .working(let item, let isReading, let fraction):
      rest = nil
      work = Work(item: item, isReading: isReading, fraction: fraction)
    case .lines: break
    case .finished, .failed, .cancelled: work = nil
    case .resting(let reason): (work, rest) = (nil, reason)
    }
  }

  /// Such as "transcribing 45 %".
  var text: String? {
    guard let work else { return nil }
    if work.isReading { return "reading the sound" }
    return "transcribing" + (work.fraction.map { " \(Int($0 * 100)) %" } ?? "")
  }
}
