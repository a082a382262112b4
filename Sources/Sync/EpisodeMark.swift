import Model

/// The listening state of an episode as devices exchange it.
public struct EpisodeMark: SyncComparable, Hashable {
  /// Never `playing`: an episode that plays on one device is `paused` on the others. Folders store the raw value.
  public var status: EpisodeStatus
  /// Seconds. 0 for new and played episodes, at least 1 for paused ones, so that no server takes them for new.
  public var position: Double

  /// - Parameter isWhole: whether to round the position to whole seconds, as servers do.
  public init(_ status: EpisodeStatus, position: Double, isWhole: Bool) {
    let position = position.isFinite ? max(0, position) : 0
    let rounded = isWhole ? position.rounded() : (position * 1000).rounded() / 1000
    switch status {
    case .new, .played: (self.status, self.position) = (status, 0)
    case .playing, .paused: (self.status, self.position) = (.paused, max(1, rounded))
    case .deleted: (self.status, self.position) = (.deleted, rounded)
    }
  }

  private var rank: Int {
    switch status {
    case .new: 0
    case .playing, .paused: 1
    case .played: 2
    case .deleted: 3
    }
  }

  public func outranks(_ other: EpisodeMark) -> Bool { (rank, position) > (other.rank, other.position) }
}
