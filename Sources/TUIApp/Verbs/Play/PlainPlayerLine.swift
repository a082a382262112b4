import Desktop
import Foundation
import Model
import TerminalKit

/// What `earshot play` shows: a line on the terminal drawn over itself, or lines of JSON for programs.
final class PlainPlayerLine {
  private let isJSON: Bool
  private let isShown: Bool
  private var last: PlayerStatus?

  init(isJSON: Bool) {
    self.isJSON = isJSON
    isShown = !isJSON && isatty(STDERR_FILENO) == 1
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

  func end() {
    if isShown { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
  }

  private func draw(_ status: PlayerStatus) {
    let icon = ["▶", "Ⅱ", "◌", "■"][[.playing, .paused, .loading].firstIndex(of: status.status) ?? 3]
    let clock = TimeText.clock(status.position) + (status.duration.map { " / " + TimeText.clock($0) } ?? "")
    let title = Clusters.fit(
      Sanitize.line(status.title ?? ""), columns: max(10, Self.columns - clock.count - 6), ellipsis: "…"
    )
    .clusters.map(\.text).joined()
    FileHandle.standardError.write(Data("\r\u{1B}[K\(icon) \(clock)  \(title)".utf8))
  }

  private static var columns: Int {
    var size = winsize()
    return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
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
