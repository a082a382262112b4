/// Whether this library is in sync with the listener's other devices.
public enum SyncPhase: Equatable, Sendable {
  /// Sync is not set up.
  case off
  case inStep
  /// A sync is running, or waits for the network.
  case waiting
  /// The reason of the failure, as a sentence.
  case failed(String)
}

/// The listener's commands for sync.
public enum SyncCommand: Equatable, Sendable {
  case now
  /// Requests everything, not only what is new.
  case full
  case acceptRemovals
  case refuseRemovals
  case logIn(SyncLogin)
  /// The answer is `SyncReport.status`.
  case status
}

/// What the listener gives to set up sync.
public struct SyncLogin: Equatable, Sendable, CustomStringConvertible {
  /// The address of the server, or `folder:PATH`.
  public var url: String
  /// Nil: the login is in the browser, if the server has such a login.
  public var user: String?
  public var password: String?

  public init(url: String, user: String? = nil, password: String? = nil) {
    self.url = url
    self.user = user
    self.password = password
  }

  /// Without the password.
  public var description: String { "\(user ?? "")@\(url)" }
}

/// An event from `SyncScheduler`.
public enum SyncReport: Equatable, Sendable {
  case phase(SyncPhase)
  case finished(SyncSummary)
  /// The answer to `SyncCommand.status`, in lines.
  case status([String])
  case message(Message)
  /// The web page where the listener grants access.
  case grantPage(String)
}

/// The result of a sync.
public struct SyncSummary: Equatable, Sendable {
  public var phase: SyncPhase
  /// The message to show; nil after an automatic sync.
  public var message: Message?
  /// The new positions, in seconds, of the episodes whose position changed.
  public var moved: [EpisodeID: Double]
  /// The library has changed, so the lists must be read again.
  public var hasChanges: Bool
  /// Titles of podcasts that other devices removed. They are kept until the listener confirms the removal.
  public var held: [String]
  public init(
    phase: SyncPhase, message: Message? = nil, moved: [EpisodeID: Double] = [:], hasChanges: Bool = false,
    held: [String] = []
  ) {
    self.phase = phase
    self.message = message
    self.moved = moved
    self.hasChanges = hasChanges
    self.held = held
  }
}
