import Model
import TerminalKit

/// What linear mode shows between the heading and the message: the page of a list with the selected entry, or a page of
/// text.
public struct LinearPage {
  var heading: String
  var lines: [String]
  /// The line of the cursor.
  var cursor = 0

  init(state: State, size: Size) {
    self = state.overlays.last?.content.page(state, size) ?? state.focusedPane.kind.page(state, size)
  }

  /// A page of a list. Pages do not overlap, so that an entry keeps its row.
  init(
    _ title: String, _ list: ListState, _ size: Size, else nothing: [String] = [], _ line: (Int) -> String
  ) {
    let height = max(1, size.height)
    guard let selected = list.selection else {
      heading = title
      lines = nothing
      return
    }
    let first = selected / height * height
    let last = min(list.count, first + height)
    heading = list.count > height ? "\(title), \(first + 1) to \(last) of \(list.count)" : "\(title), \(list.count)"
    lines = (first..<last).map(line)
    cursor = selected - first
  }

  init(_ title: String, text: [String], from top: Int, _ size: Size) {
    let first = min(max(0, top), max(0, text.count - 1))
    heading = text.count > size.height ? "\(title), line \(first + 1) of \(text.count)" : title
    lines = Array(text.dropFirst(first).prefix(size.height))
  }

  /// As many lines of the transcript as fit, from the first visible one. A long line takes several rows.
  init(transcript state: State, _ size: Size) {
    let transcript = state.transcript
    heading = "Transcript"
    lines = []
    switch transcript.content {
    case .lines(let all):
      for (index, line) in all.enumerated().dropFirst(transcript.top) {
        if index == transcript.selected { cursor = lines.count }
        lines += TranscriptText.wrapped(line, width: size.width).map { $0.map(\.text).joined() }
        if lines.count >= size.height { break }
      }
    case .unknown, .awaited: lines = ["No transcript yet."]
    case .missing(let reason): lines = [state.words(forMissingTranscript: reason)]
    }
  }
}
