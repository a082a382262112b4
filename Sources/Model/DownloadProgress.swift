/// A download that is not complete, for screens and commands.
public struct DownloadProgress: Sendable, Equatable, Identifiable {
  public enum Phase: Sendable, Equatable {
    /// It waits for its turn, or for the end of a pause that its server asked for.
    case waiting
    case running
    /// Paused by the listener. The received part is kept.
    case paused
    /// The error message. The received part is kept, and the next attempt resumes.
    case failed(String)
  }

  public var id: EpisodeID
  public var title: String
  public var podcastTitle: String
  public var phase: Phase
  /// While the download waits for the next attempt: the reason why the last one failed, as a sentence.
  public var problem: String?
  /// Bytes on the disk.
  public var received: Int64
  /// The size of the file in bytes; nil while it is unknown.
  public var total: Int64?
  /// Bytes a second; 0 unless it is running.
  public var rate: Double

  public init(
    id: EpisodeID, title: String, podcastTitle: String = "", phase: Phase = .waiting, problem: String? = nil,
    received: Int64 = 0, total: Int64? = nil, rate: Double = 0
  ) {
    self.id = id
    self.title = title
    self.podcastTitle = podcastTitle
    self.phase = phase
    self.problem = problem
    self.received = received
    self.total = total
    self.rate = rate
  }

  /// From 0 to 1; nil while the size is unknown.
  public var fraction: Double? {
    guard let total, total > 0 else { return nil }
    return min(1, max(0, Double(received) / Double(total)))
  }
}

/// A report about downloads.
public enum DownloadReport: Sendable, Equatable {
  /// The origin of a failure.
  public enum Cause: Sendable, Equatable {
    /// The server could not be reached, or refused.
    case connectivity
    /// The data in the feed, or the response of the server.
    case data
    /// The disk or the library.
    case local
  }

  /// All downloads that are not complete, in the order of the queue. Sent when one was added, was removed or changed
  /// its phase.
  case queue([DownloadProgress])
  /// Progress of one download, a few times a second.
  case progress(DownloadProgress)
  /// The file is complete and has its final name. The download has left the queue.
  case finished(EpisodeID, title: String, bytes: Int64)
  /// The first of several failed attempts. The next one starts automatically. `message` names the episode and the
  /// cause.
  case delayed(EpisodeID, message: String)
  /// The download has failed and stays in the queue. `message` names the episode and the cause.
  case failed(EpisodeID, Cause, message: String)
  /// Files that were deleted by the listener or by a rule.
  case removed([EpisodeID])
}
