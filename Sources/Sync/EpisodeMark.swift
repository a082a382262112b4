import Model

/// How far the listener is with an episode, as devices tell each other.
public struct EpisodeMark: SyncComparable, Hashable {
  /// Never `playing`: what sounds on one device is begun on the others.
  public var status: EpisodeStatus
  /// Seconds. 0 for what is new or played; at least 1 for what is begun, so that no server takes it for new.
  public var position: Double

  /// - Parameter isWhole: the position has whole seconds, as on servers.
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

/// The name that back ends use, which need not know the model.
public typealias EpisodeMarkStatus = EpisodeStatus

extension EpisodeStatus {
  /// In files and on servers.
  public var syncName: String {
    switch self {
    case .new: "new"
    case .playing, .paused: "paused"
    case .played: "played"
    case .deleted: "deleted"
    }
  }
}
