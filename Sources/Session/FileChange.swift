import Model

/// A file may not be the one in which the place was written down: servers put other advertisements into every copy.
public enum FileChange {
  /// Whether the length tells of another file. Headers of the same file differ by less.
  public static func isOther(_ duration: Double, than before: Double) -> Bool {
    abs(duration - before) > max(3, before * 0.001)
  }

  /// By how many seconds the place has moved, as chapters of the same title tell: those of the file that was heard, and
  /// those of the file that is there now. Nil when they do not tell.
  public static func shift(at position: Double, from old: [Chapter], to new: [Chapter]) -> Double? {
    guard let index = old.lastIndex(where: { $0.start <= position }), let title = old[index].title, !title.isEmpty
    else { return nil }
    // A title that comes twice says nothing, unless the lists are the same but for their times.
    let isSameList = old.map(\.title) == new.map(\.title)
    if isSameList { return new[index].start - old[index].start }
    let places = new.filter { $0.title == title }
    guard places.count == 1, old.count(where: { $0.title == title }) == 1 else { return nil }
    return places[0].start - old[index].start
  }

  /// The same, as transcripts of the two files tell. Nil when they are one: then it says nothing of the file.
  public static func shift(at position: Double, from old: Transcript, to new: Transcript) -> Double? {
    guard old != new else { return nil }
    let starts = lonelyLines(of: new)
    let shifts = lonelyLines(of: old).compactMap { text, start in
      starts[text].map { (distance: abs(start - position), shift: $0 - start) }
    }
    // Where an advertisement was put in between, the lines around it disagree.
    let nearest = shifts.sorted { $0.distance < $1.distance }.prefix(voters).filter { $0.distance <= reach }
    let agreeing = nearest.map { vote in nearest.filter { abs($0.shift - vote.shift) < 1 } }
    guard let most = agreeing.max(by: { $0.count < $1.count }), most.count > voters / 2 else { return nil }
    return most.map(\.shift).reduce(0, +) / Double(most.count)
  }

  /// So many lines are asked, and most of them must agree.
  private static let voters = 5
  /// Seconds: lines farther away say nothing of the place.
  private static let reach = 120.0
  /// Characters: shorter lines ("Yes.") are said often.
  private static let tellingLine = 12

  /// When each line begins that is said once, by its words.
  private static func lonelyLines(of transcript: Transcript) -> [String: Double] {
    var starts: [String: Double?] = [:]
    for line in transcript.lines {
      let text = line.text.lowercased().filter { $0.isLetter || $0.isNumber }
      guard let start = line.start, start.isFinite, text.count >= tellingLine else { continue }
      // Said again: it says nothing.
      starts[text] = starts[text] == nil ? .some(start) : .some(nil)
    }
    return starts.compactMapValues { $0 }
  }
}

/// How the file was when it was left, and what is known of how it is now.
struct FileMemory: Equatable, Sendable {
  enum Comparison: Equatable, Sendable {
    /// The same, as far as is known.
    case same
    case other
    /// Another one, in which the place has moved by that many seconds.
    case moved(by: Double)
  }

  /// Seconds.
  var total: Double?
  var chapters: [Chapter] = []
  var comparison = Comparison.same
  /// Transcripts of both files show the place where it was.
  var isRightByTranscript = false
}

extension ListeningSession {
  /// How long the file was when it was left, in seconds.
  public mutating func noteLeft(total: Double?, generation: Int) {
    if generation == self.generation { memory.total = total }
  }

  /// The file has been opened, and is that long.
  mutating func compareFile(_ duration: Double) -> [SessionEffect] {
    guard let before = memory.total, position > 30, FileChange.isOther(duration, than: before) else { return [] }
    memory.comparison = .other
    return [.say(.fileChanged(by: duration - before)), .compareTranscripts]
  }

  /// The chapters of the file that is there now are known.
  public mutating func receiveChapters(_ chapters: [Chapter], generation: Int) -> [SessionEffect] {
    guard generation == self.generation, isActive, !chapters.isEmpty else { return [] }
    self.chapters = Self.visible(chapters)
    guard memory.comparison == .other,
      let shift = FileChange.shift(at: position, from: memory.chapters, to: self.chapters), abs(shift) >= 2
    else { return [] }
    return placeHasMoved(by: shift, as: .chapters)
  }

  /// The transcript that was read before, and the one that belongs to the file as it is now.
  public mutating func receive(_ now: Transcript, before: Transcript, generation: Int) -> [SessionEffect] {
    guard generation == self.generation, isActive, memory.comparison == .other,
      let shift = FileChange.shift(at: position, from: before, to: now)
    else { return [] }
    guard abs(shift) >= 2 else {
      memory.isRightByTranscript = true
      return []
    }
    return placeHasMoved(by: shift, as: .transcript)
  }

  private mutating func placeHasMoved(by shift: Double, as evidence: PlaceEvidence) -> [SessionEffect] {
    memory.comparison = .moved(by: shift)
    return [.say(.placeMoved(to: max(0, position + shift), evidence))]
  }

  /// Goes to where the place has moved to.
  public mutating func correctPlace() -> [SessionEffect] {
    guard case .moved(let shift) = memory.comparison else { return [] }
    // From here on this is the file that is known.
    memory.comparison = .same
    memory.total = duration
    return seek(to: position + shift, as: .jump)
  }

  /// What is known of the place in the file that plays. Nothing is claimed that the length and the chapters do not tell.
  public var placeInFile: PlaceInFile {
    guard sound != nil else { return .nothingPlays }
    guard let before = memory.total else { return .unknown }
    switch memory.comparison {
    case .moved: return .moved
    case .same: return .sameLength
    case .other:
      guard let duration else { return .sameLength }
      // The same list as before says nothing of the file: JSON that a feed names does not move with advertisements.
      if chapters != memory.chapters, FileChange.shift(at: position, from: memory.chapters, to: chapters) != nil {
        return .right(.chapters)
      }
      if memory.isRightByTranscript { return .right(.transcript) }
      return .mayHaveMoved(by: duration - before)
    }
  }
}

/// What tells where a place is in another file.
public enum PlaceEvidence: Equatable, Sendable {
  case chapters, transcript
}

/// What is known of the place that was left, in the file as it is now.
public enum PlaceInFile: Equatable, Sendable {
  case nothingPlays
  /// The length was not known when the file was left.
  case unknown
  case sameLength
  case right(PlaceEvidence)
  /// It can be corrected.
  case moved
  /// The file is that many seconds longer, or shorter, and nothing tells where.
  case mayHaveMoved(by: Double)
}
