import Foundation

/// Where a transcript comes from, if not from the publisher.
public struct TranscriptOrigin: Sendable, Equatable, Codable {
  public enum Kind: String, Sendable, Equatable, Codable {
    /// A program or a server of the listener has made it from the sound.
    case made
    /// The listener has imported a file.
    case imported
  }

  public var kind: Kind
  /// The program, the model or the server; the name of an imported file.
  public var name: String
  public var date: Date
  /// The length in seconds of the sound that it belongs to. Nil: unknown. Copies of an episode differ, because
  /// advertisements are put in at each request.
  public var duration: Double?

  public init(kind: Kind, name: String, date: Date, duration: Double? = nil) {
    self.kind = kind
    self.name = name
    self.date = date
    self.duration = duration
  }

  /// Such as "made here, 2026-11-26, small".
  /// - Parameter day: formats the date.
  public func text(day: (Date) -> String) -> String {
    "\(kind == .made ? "made here" : "imported"), \(day(date))" + (name.isEmpty ? "" : ", \(name)")
  }

  /// Whether the transcript belongs to a copy of another length than this one, in seconds. Two programs may measure a
  /// length differently by less than two seconds.
  public func isOfAnotherCopy(than length: Double?) -> Bool {
    guard let duration, let length else { return false }
    return abs(duration - length) > 2
  }
}

/// An episode in the list of transcripts to make.
public struct TranscribingItem: Sendable, Equatable {
  public var episode: EpisodeID
  public var podcastTitle: String
  public var title: String
  /// Why it failed. It is not tried again by itself. Nil: it waits.
  public var failure: String?

  public init(episode: EpisodeID, podcastTitle: String, title: String, failure: String? = nil) {
    self.episode = episode
    self.podcastTitle = podcastTitle
    self.title = title
    self.failure = failure
  }
}

/// What the service that makes transcripts reports.
public enum TranscribingReport: Sendable, Equatable {
  /// The sound is being read, or the transcript is being made. `fraction`: of the sound; nil: unknown.
  case working(TranscribingItem, isReading: Bool, fraction: Double?)
  /// The lines so far.
  case lines(EpisodeID, [Transcript.Line])
  /// The new transcript, and the one that it replaces.
  case finished(TranscribingItem, Transcript, replaced: Transcript?)
  case failed(TranscribingItem, ReportedError)
  case cancelled(TranscribingItem)
  /// Nothing is being made. Nil: nothing is in the list. Otherwise why it waits.
  case resting(String?)
}
