import Foundation
import Model
import TerminalKit

extension State {
  /// `:year`: the page of this year, or of the year that is named.
  mutating func showYear(_ text: String?) -> [Effect] {
    let this = Gregorian.date(ofDay: calendar.day(of: now)).year
    guard let year = text.map({ Int($0) }) ?? this, (1970...9999).contains(year) else {
      showMessage(.warning, "“\(text ?? "")” is not a year")
      return []
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

  init(year: YearInListening) { self.year = year }

  private func lines(_ state: State, width: Int) -> [String] {
    year.lines(width: width) {
      ProgressBar(width: $1, fraction: $0, glyphs: state.preferences.ascii ? .ascii : .blocks).text
    }.flatMap { $0.isEmpty ? [""] : Clusters.width($0) > width ? TextFlow.wrap($0, width: width) : [$0] }
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
      let isHeading = ["By month", "Most heard", "Most bookmarked"].contains(line)
      frame.put(
        Sanitize.line(line), x: content.x, y: content.y + index, width: content.width,
        style: theme[isHeading ? .heading : .overlay].over(theme[.overlay]))
    }
  }

  var linearTitle: String { "Your \(year.year)" }

  func linearText(_ state: State, width: Int) -> [String] {
    year.lines(width: width, bar: nil).filter { !$0.isEmpty }.map { $0.split(separator: " ").joined(separator: " ") }
  }
}
