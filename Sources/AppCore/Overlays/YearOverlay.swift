import Foundation
import Model
import TerminalKit

extension State {
  /// `:year`: the page of this year, or of the year that is named.
  mutating func showYear(_ text: String?) -> [Effect] {
    let this = Gregorian.date(ofDay: calendar.day(of: now)).year
    guard let year = text.map({ Int($0) }) ?? this, (1970...9999).contains(year) else {
      return tell(.warning, "“\(text ?? "")” is not a year")
    }
    return [ask(YearQuestion(year: year))]
  }
}

private struct YearQuestion: LibraryQuestion {
  var year: Int
  func read(_ library: any LibraryReader) throws -> YearInListening? { try library.year(year) }
  func receive(_ year: YearInListening, _ state: inout State) -> [Effect] { state.open(YearOverlay(year: year)) }
}

/// The page of one year of listening.
struct YearOverlay: ScrollingOverlay {
  let year: YearInListening
  var top = 0

  private func lines(_ state: State, width: Int) -> [YearInListening.Line] {
    year.lines(width: width) {
      ProgressBar(width: $1, fraction: $0, glyphs: state.glyphs.bar).text
    }.flatMap { line in
      guard Clusters.width(line.text) > width else { return [line] }
      return TextFlow.wrap(line.text, width: width).map { YearInListening.Line(text: $0, isHeading: line.isHeading) }
    }
  }

  func lastTop(_ state: State) -> Int {
    let content = OverlayLayout.page(in: state.size).content
    return lines(state, width: content.width).count - content.height
  }

  func draw(_ state: State, into frame: inout Frame) {
    let theme = state.theme
    let layout = OverlayLayout.page(in: frame.size)
    let content = layout.content
    OverlayBox(state: state, title: "Your \(year.year)", hints: hints(state)).draw(layout, into: &frame)
    let lines = lines(state, width: content.width).dropFirst(firstRow(state)).prefix(content.height)
    for (index, line) in lines.enumerated() {
      frame.put(
        Sanitize.line(line.text), x: content.x, y: content.y + index, width: content.width,
        style: theme[line.isHeading ? .heading : .overlay].over(theme[.overlay]))
    }
  }

  var linearTitle: String { "Your \(year.year)" }

  func linearText(_ state: State, width: Int) -> [String] {
    year.lines(width: width, bar: nil).filter { !$0.text.isEmpty }
      .map { $0.text.split(separator: " ").joined(separator: " ") }
  }
}
