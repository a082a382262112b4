import Model

/// Detects whether an episode's file has changed since it was last played, and how far the position must move. Servers
/// insert different advertisements into every copy of a file.
public enum FileChange {
  /// Whether two durations, in seconds, belong to different files. The durations that two headers of one file state
  /// differ by less.
  public static func isOther(_ duration: Double, than before: Double) -> Bool {
    abs(duration - before) > max(3, before * 0.001)
  }

  /// How much shorter, in seconds, a complete file may be than the one that was heard before. Servers insert
  /// advertisements of other lengths into every copy.
  static func largestDifference(of duration: Double) -> Double { min(max(duration * 0.05, 30), 180) }

  /// How many seconds the sound at `position` has moved, from chapters with the same title.
  /// - Parameters:
  ///   - old: the chapters of the file that was heard.
  ///   - new: the chapters of the current file.
  /// - Returns: nil if the chapters do not show it.
  public static func shift(at position: Double, from old: [Chapter], to new: [Chapter]) -> Double? {
    guard let index = old.lastIndex(where: { $0.start <= position }), let title = old[index].title, !title.isEmpty
    else { return nil }
    // A title that occurs twice cannot be matched, unless both lists have the same titles in the same order.
    let isSameList = old.map(\.title) == new.map(\.title)
    if isSameList { return new[index].start - old[index].start }
    let matching = new.filter { $0.title == title }
    guard matching.count == 1, old.count(where: { $0.title == title }) == 1 else { return nil }
    return matching[0].start - old[index].start
  }

  /// How many seconds the sound at `position` has moved, from the transcripts of the two files. Nil if they show no
  /// shift, for example because they are equal.
  public static func shift(at position: Double, from old: Transcript, to new: Transcript) -> Double? {
    guard old != new else { return nil }
    let starts = uniqueLines(of: new)
    let shifts = uniqueLines(of: old).compactMap { text, start in
      starts[text].map { (distance: abs(start - position), shift: $0 - start) }
    }
    // The lines around an inserted advertisement disagree, so most of the nearest lines must agree.
    let nearest = shifts.sorted { $0.distance < $1.distance }.prefix(comparedLines).filter {
      $0.distance <= maximumDistance
    }
    let agreeing = nearest.map { vote in nearest.filter { abs($0.shift - vote.shift) < 1 } }
    guard let most = agreeing.max(by: { $0.count < $1.count }), most.count > comparedLines / 2 else { return nil }
    return most.map(\.shift).reduce(0, +) / Double(most.count)
  }

  /// How many of the nearest lines are compared. Most of them must agree.
  private static let comparedLines = 5
  /// Seconds. Lines farther from the position are not compared.
  private static let maximumDistance = 120.0
  /// Characters. Shorter lines ("Yes.") occur too often to be compared.
  private static let minimumLineLength = 12

  /// The start of each line that occurs once in the transcript, by its lowercase letters and digits.
  private static func uniqueLines(of transcript: Transcript) -> [String: Double] {
    var starts: [String: Double?] = [:]
    for line in transcript.lines {
      let text = line.text.lowercased().filter { $0.isLetter || $0.isNumber }
      guard let start = line.start, start.isFinite, text.count >= minimumLineLength else { continue }
      // The line occurs twice.
      starts[text] = starts[text] == nil ? .some(start) : .some(nil)
    }
    return starts.compactMapValues { $0 }
  }
}

/// What is known about the file at the last time it was played, compared with the current file.
struct PreviousFile: Equatable, Sendable {
  enum Comparison: Equatable, Sendable {
    /// Nothing shows a difference.
    case same
    case other
    /// Another file, in which the position has moved by this many seconds.
    case moved(by: Double)
  }

  /// The duration, in seconds.
  var total: Double?
  /// The duration of the episode according to its feed, in seconds.
  var feedDuration: Double?
  var chapters: [Chapter] = []
  var comparison = Comparison.same
  /// The transcripts of both files show that the position is still right.
  var isConfirmedByTranscript = false
}

extension ListeningSession {
  /// Receives the duration of the file when it was last played, in seconds.
  /// - Parameter feed: the duration according to the feed.
  public mutating func receiveStoredDuration(_ duration: Double?, feed: Double? = nil, generation: Int) {
    guard generation == self.generation else { return }
    previousFile.total = duration.flatMap(Self.positive)
    previousFile.feedDuration = feed.flatMap(Self.positive)
  }

  /// The duration of the longer file that was heard before, if the rest of it is missing in the current file. Nil if
  /// the current file is complete as far as is known.
  /// - Parameter now: the duration of the current file, in seconds.
  func longerDuration(than now: Double) -> Double? {
    // A played episode was heard to the end of the longer file.
    guard excerpt == nil, storedState?.isPlayed != true, let before = previousFile.total else { return nil }
    // What was cut out before the position is not missing at the end.
    let shift = if case .moved(let shift) = previousFile.comparison { min(0, shift) } else { 0.0 }
    guard before + shift - now > FileChange.largestDifference(of: before) else { return nil }
    // The feed states that the shorter file is complete.
    if let feed = previousFile.feedDuration, feed - now <= FileChange.largestDifference(of: feed) { return nil }
    return before
  }

  /// The duration to store. The longer one stays, until the rest was heard or the listener is asked about it. The
  /// duration that the feed states is never stored, because it may be another file's.
  var durationToStore: Double? {
    sound?.fileDuration.map { longerDuration(than: $0) ?? $0 } ?? previousFile.total
  }

  /// Compares the file that was opened with the one played before.
  /// - Parameter duration: of the opened file, in seconds.
  mutating func compareFile(_ duration: Double) -> [SessionEffect] {
    guard let before = previousFile.total, position > 30, FileChange.isOther(duration, than: before) else { return [] }
    previousFile.comparison = .other
    return [.message(.fileChanged(by: duration - before)), .compareTranscripts]
  }

  /// Receives the chapters of the current file.
  public mutating func receiveChapters(_ chapters: [Chapter], generation: Int) -> [SessionEffect] {
    guard generation == self.generation, isActive, !chapters.isEmpty || hasNoFileChapters else { return [] }
    allChapters = ChapterMerge.listed(chapters, duration: sound?.fileDuration)
    guard !chapters.isEmpty, previousFile.comparison == .other,
      let shift = FileChange.shift(at: position, from: previousFile.chapters, to: self.chapters), abs(shift) >= 2
    else { return [] }
    return recordMove(by: shift, as: .chapters)
  }

  /// Compares the transcript that was read before with that of the current file. The transcripts that the listener has
  /// made know the length of their file.
  public mutating func receive(_ now: Transcript, before: Transcript, generation: Int) -> [SessionEffect] {
    guard generation == self.generation, isActive, previousFile.comparison == .other,
      before.origin?.isOfAnotherCopy(than: previousFile.total) != true,
      now.origin?.isOfAnotherCopy(than: duration) != true,
      let shift = FileChange.shift(at: position, from: before, to: now)
    else { return [] }
    guard abs(shift) >= 2 else {
      previousFile.isConfirmedByTranscript = true
      return []
    }
    return recordMove(by: shift, as: .transcript)
  }

  private mutating func recordMove(by shift: Double, as evidence: PositionEvidence) -> [SessionEffect] {
    previousFile.comparison = .moved(by: shift)
    return [.message(.positionMoved(to: max(0, position + shift), evidence))]
  }

  /// Seeks to where the position has moved to in the current file.
  public mutating func correctPosition() -> [SessionEffect] {
    guard case .moved(let shift) = previousFile.comparison else { return [] }
    // From now on the current file is the one to compare with.
    previousFile.comparison = .same
    previousFile.total = duration
    return seek(to: position + shift, as: .jump)
  }

  /// Whether the stored position is right in the current file, as far as the duration, the chapters and the transcript
  /// tell.
  public var positionInFile: PositionInFile {
    guard sound != nil else { return .nothingPlays }
    guard let before = previousFile.total else { return .unknown }
    switch previousFile.comparison {
    case .moved: return .moved
    case .same: return .sameLength
    case .other:
      guard let duration else { return .sameLength }
      // An unchanged list of chapters is no evidence: a JSON file of chapters does not change with the advertisements.
      if chapters != previousFile.chapters,
        FileChange.shift(at: position, from: previousFile.chapters, to: chapters) != nil
      {
        return .confirmed(.chapters)
      }
      if previousFile.isConfirmedByTranscript { return .confirmed(.transcript) }
      return .mayHaveMoved(by: duration - before)
    }
  }
}

/// The source that shows where a position is in a changed file.
public enum PositionEvidence: Equatable, Sendable {
  case chapters, transcript
}

/// What is known about the stored position in the current file.
public enum PositionInFile: Equatable, Sendable {
  case nothingPlays
  /// The duration was not known when the file was last played.
  case unknown
  case sameLength
  case confirmed(PositionEvidence)
  /// `correctPosition` can correct it.
  case moved
  /// The file is this many seconds longer (or shorter, if negative), and nothing shows where.
  case mayHaveMoved(by: Double)
}
