import AppCore
import Desktop
import Foundation
import Model
import TerminalKit

/// What `earshot play` shows: a line on the terminal drawn over itself, or lines of JSON for programs.
final class HeadlessPlayerLine {
  private let isJSON: Bool
  private let isShown: Bool
  private var last: PlayerStatus?

  init(isJSON: Bool) {
    self.isJSON = isJSON
    isShown = !isJSON && Report.isWatched
  }

  /// Once a second and for every change; nothing when all is as it was.
  func show(_ now: NowPlaying) {
    var status = PlayerStatus(now)
    status.position = status.position.rounded(.down)
    guard status != last else { return }
    last = status
    if isJSON {
      Report.jsonLine(status)
    } else if isShown {
      draw(status)
    }
  }

  /// A message above the line, which comes again below it.
  func say(_ text: String) {
    end()
    Report.message(text)
    if isShown, let last { draw(last) }
  }

  func end() {
    if isShown { Report.progress("") }
  }

  private func draw(_ status: PlayerStatus) {
    Report.progress(Self.text(status, columns: Report.columns))
  }

  /// Within one line, since it is drawn over itself; the last column stays free, where some terminals would go on to the
  /// next.
  static func text(_ status: PlayerStatus, columns: Int) -> String {
    let clock = TimeText.clock(status.position) + (status.duration.map { " / " + TimeText.clock($0) } ?? "")
    var wait = status.stalled ? PlayerText.wait(status.waiting, columns: columns) : ""
    if let cause = status.waiting?.cause { wait += ": " + Sanitize.line(cause) }
    let parts = [clock, wait, Sanitize.line(status.title ?? "")].filter { !$0.isEmpty }
    let line = "\(icon(of: status)) \(parts.joined(separator: "  "))"
    return Clusters.fit(line, columns: max(1, columns - 1), ellipsis: "…").clusters.map(\.text).joined()
  }

  private static func icon(of status: PlayerStatus) -> String {
    switch status.status {
    case .playing: status.stalled ? "◌" : "▶"
    case .paused: "Ⅱ"
    case .loading: "◌"
    case .stopped: "■"
    }
  }
}

extension Report {
  /// One line, for programs that read as they go.
  static func jsonLine(_ value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Numbers and texts of our own: there is nothing here that cannot be encoded.
    guard let data = try? encoder.encode(value) else { return }
    raw(data + Data("\n".utf8))
  }
}
