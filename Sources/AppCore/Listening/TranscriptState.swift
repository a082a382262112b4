import Model
import TerminalKit

/// The transcript of the playing episode. It follows the sound until the listener moves in it. Only visible lines are
/// laid out, because a transcript may have 200,000 lines.
public struct TranscriptState: Equatable, Sendable {
  public enum Content: Equatable, Sendable {
    case unknown
    case awaited
    /// Why there is none.
    case missing(String)
    case lines([Transcript.Line])
  }

  public private(set) var episode: EpisodeID?
  public private(set) var content: Content = .unknown
  /// The selected line.
  public private(set) var selected = 0
  /// The first visible line.
  public private(set) var top = 0
  public internal(set) var follows = true
  /// The line that is being spoken. Nil before the first line, and in a transcript without times.
  public private(set) var spokenLine: Int?
  /// Whether every line has a time. Only then can the pane follow the sound.
  private var isTimed = false
  /// Nil: the publisher's.
  public private(set) var origin: TranscriptOrigin?
  /// The transcript is being made, and these are the lines so far.
  private var isPartial = false
  private var hasNotedOtherCopy = false

  public var lines: [Transcript.Line] {
    if case .lines(let lines) = content { lines } else { [] }
  }

  public var selectedLine: Transcript.Line? { lines[safe: selected] }

  /// Switches to another episode.
  /// - Returns: whether its transcript must be asked for.
  mutating func show(_ episode: EpisodeID?) -> Bool {
    guard episode != self.episode else { return false }
    self = TranscriptState()
    self.episode = episode
    guard episode != nil else { return false }
    content = .awaited
    return true
  }

  mutating func receive(_ result: Result<Transcript, ReportedError>) {
    switch result {
    case .failure(let error): content = .missing(error.text)
    case .success(let transcript) where transcript.lines.isEmpty:
      content = .missing("The transcript is empty.")
    case .success(let transcript):
      content = .lines(transcript.lines)
      (origin, isPartial, hasNotedOtherCopy) = (transcript.origin, false, false)
      selected = min(selected, transcript.lines.count - 1)
      top = min(top, selected)
      isTimed = transcript.lines.allSatisfy { $0.start != nil }
    }
  }

  /// Replaces the transcript by a newer one of the same episode.
  mutating func replace(_ transcript: Transcript) {
    guard !lines.isEmpty, !transcript.lines.isEmpty else { return }
    receive(.success(transcript))
    spokenLine = nil
  }

  /// Whether a transcript that was made now may be shown: nothing is shown, or what was made so far, or an older one of
  /// the listener.
  var isReplaceable: Bool {
    if case .lines = content { return isPartial || origin != nil }
    return true
  }

  /// Shows the lines of a transcript that is being made, unless there is another one.
  mutating func receivePartial(_ lines: [Transcript.Line]) {
    if case .lines = content, !isPartial { return }
    guard !lines.isEmpty else { return }
    content = .lines(lines)
    (isPartial, isTimed) = (true, true)
  }

  /// No more lines come.
  mutating func dropPartial() {
    guard isPartial else { return }
    isPartial = false
    content = .missing("This episode has no transcript.")
  }

  /// The length of the copy that the transcript was made from, if it differs from that of the copy that plays. Nil if
  /// it was asked before.
  mutating func takeOtherCopy(than duration: Double?) -> Double? {
    guard !hasNotedOtherCopy, let origin, origin.isOfAnotherCopy(than: duration) else { return nil }
    hasNotedOtherCopy = true
    return origin.duration
  }

  /// Prepares to ask again after a failure.
  /// - Returns: false if nothing has failed.
  mutating func retry() -> Bool {
    guard case .missing = content, episode != nil else { return false }
    content = .awaited
    return true
  }

  /// Finds the line spoken at `second`, and scrolls to it while the pane follows the sound.
  /// - Parameter turnsPages: scrolls by pages instead of lines (`reduced_motion`).
  mutating func follow(_ second: Double, size: Size, turnsPages: Bool) {
    guard isTimed, !lines.isEmpty else { return }
    spokenLine = Self.line(at: second, in: lines)
    guard follows else { return }
    let target = spokenLine ?? 0
    selected = target
    let isSeen = target >= top && rows(from: top, through: target, size.width) <= size.height
    if turnsPages ? !isSeen : true { scroll(toShow: target, above: turnsPages ? 0 : size.height / 3, size) }
  }

  /// Moves the selection by lines, and keeps it visible.
  mutating func move(by rows: Int, size: Size) {
    guard !lines.isEmpty else { return }
    follows = false
    let (row, overflow) = selected.addingReportingOverflow(rows)
    selected = overflow ? (rows < 0 ? 0 : lines.count - 1) : min(max(0, row), lines.count - 1)
    scrollToSelection(size)
  }

  mutating func moveTo(_ line: Int, size: Size) { move(by: line - selected, size: size) }

  mutating func scrollToSelection(_ size: Size) {
    guard !lines.isEmpty else { return }
    top = min(top, selected)
    if rows(from: top, through: selected, size.width) > size.height {
      scroll(toShow: selected, above: size.height, size)
    }
  }

  /// Selects the next (or previous) line that contains `words`. The search wraps around.
  mutating func find(_ words: String, forward: Bool, includesSelection: Bool, size: Size) -> Bool {
    let needle = TextFolding.fold(words)
    let count = lines.count
    guard count > 0 else { return false }
    let first = includesSelection ? 0 : 1
    for step in first..<count + first {
      let index = ((forward ? selected + step : selected - step) % count + count) % count
      guard TextFolding.matches(lines[index].text, needle) else { continue }
      moveTo(index, size: size)
      return true
    }
    return false
  }

  /// The last line that has begun at `second`. A binary search, because the lines are in order of time.
  static func line(at second: Double, in lines: [Transcript.Line]) -> Int? {
    var low = 0
    var high = lines.count
    while low < high {
      let middle = (low + high) / 2
      if (lines[middle].start ?? 0) <= second + 0.05 { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

  // MARK: Rows

  /// Scrolls so that `line` is visible with at most `above` rows before it.
  private mutating func scroll(toShow line: Int, above: Int, _ size: Size) {
    var first = line
    var room = min(above, max(0, size.height - TranscriptText.rows(lines[line], width: size.width)))
    while first > 0 {
      room -= TranscriptText.rows(lines[first - 1], width: size.width)
      guard room >= 0 else { break }
      first -= 1
    }
    top = first
  }

  /// How many rows these lines take. Stops counting at 1000, which is more than any screen has.
  private func rows(from first: Int, through last: Int, _ width: Int) -> Int {
    guard first <= last else { return 0 }
    var sum = 0
    for index in first...last where lines.indices.contains(index) {
      sum += TranscriptText.rows(lines[index], width: width)
      if sum > 1000 { break }
    }
    return sum
  }
}

/// The layout of a transcript line: the time on the left if there is room, then the speaker, then the words.
enum TranscriptText {
  static func indent(_ width: Int) -> Int { width >= 46 ? 9 : 2 }

  /// The rows. The first text of their pieces is the speaker, which may be empty, and the second one the words.
  static func wrapped(_ line: Transcript.Line, width: Int) -> [[TextFlow.Piece]] {
    let speaker = line.speaker.map { $0.isEmpty ? "" : Sanitize.line($0) + ": " } ?? ""
    // The last column stays free.
    return TextFlow.lines(
      of: [speaker, Sanitize.line(line.text)], width: max(1, min(width, 96) - indent(width) - 1))
  }

  static func rows(_ line: Transcript.Line, width: Int) -> Int { wrapped(line, width: width).count }
}
