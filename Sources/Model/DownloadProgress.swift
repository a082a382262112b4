/// A download that is not complete, as screens and verbs show it.
public struct DownloadProgress: Sendable, Equatable, Identifiable {
  public enum Phase: Sendable, Equatable {
    /// Its turn has not come, or its server wants to be left alone for a while.
    case waiting
    case running
    /// By the listener; what came so far is kept.
    case paused
    /// Why, for people. What came so far is kept, and asking again goes on there.
    case failed(String)
  }

  public var id: EpisodeID
  public var title: String
  public var podcastTitle: String
  public var phase: Phase
  /// Why the last try brought nothing, for people, while it waits to be tried again.
  public var trouble: String?
  /// Bytes that are on disk.
  public var received: Int64
  /// Bytes of the whole; nil while no server has said.
  public var total: Int64?
  /// Bytes a second, 0 unless running.
  public var rate: Double

  public init(
    id: EpisodeID, title: String, podcastTitle: String = "", phase: Phase = .waiting, trouble: String? = nil,
    received: Int64 = 0, total: Int64? = nil, rate: Double = 0
  ) {
    self.id = id
    self.title = title
    self.podcastTitle = podcastTitle
    self.phase = phase
    self.trouble = trouble
    self.received = received
    self.total = total
    self.rate = rate
  }

  /// 0 to 1; nil while the length is not known.
  public var fraction: Double? {
    guard let total, total > 0 else { return nil }
    return min(1, max(0, Double(received) / Double(total)))
  }

  /// Seconds to the end at the present rate; nil when nobody can say.
  public var secondsLeft: Double? {
    guard phase == .running, let total, rate > 0, total >= received else { return nil }
    return Double(total - received) / rate
  }
}

/// How the downloads get on.
public enum DownloadReport: Sendable, Equatable {
  /// Where a failure lies.
  public enum Cause: Sendable, Equatable {
    /// The server was not reached, or refused.
    case connectivity
    /// What the feed says or the server sent.
    case data
    /// The disk or the library.
    case here
  }

  /// All that are not complete, in the order in which they are fetched: sent when one came, went or changed its phase.
  case queue([DownloadProgress])
  /// One got further; a few times a second.
  case progress(DownloadProgress)
  /// The file is whole and under its final name. It has left the queue.
  case finished(EpisodeID, title: String, bytes: Int64)
  /// A try brought nothing, the first in a row; it is tried again by itself. `message` names the episode and the cause.
  case delayed(EpisodeID, message: String)
  /// It stays in the queue as failed; `message` names the episode and the cause.
  case failed(EpisodeID, Cause, message: String)
  /// Files that are gone: removed by the listener or by a rule.
  case removed([EpisodeID])
}
