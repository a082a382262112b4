import Desktop
import Foundation
import Model
import Session
import TerminalKit

/// The output of `earshot play`: a progress line on the terminal, or lines of JSON.
final class HeadlessPlayerLine {
  private let isJSON: Bool
  private let isShown: Bool
  private var last: PlayerStatus?

  init(isJSON: Bool) {
    self.isJSON = isJSON
    isShown = !isJSON && Report.isWatched
  }

  /// Called once a second and for every change. Prints nothing if nothing has changed.
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

  /// Prints a message above the progress line.
  func showMessage(_ text: String) {
    end()
    Report.message(text)
    if isShown, let last { draw(last) }
  }

  /// Prints the last position of an item that the listener has stopped.
  func sayWhereItStopped(_ target: PlayTarget) {
    guard isShown, let last else { return }
    let again = target.episode.map { " Run “earshot play \($0)” to continue." } ?? ""
    Report.message("Stopped at \(TimeText.clock(last.position)) of “\(Sanitize.line(target.title))”.\(again)")
  }

  /// Prints that the sleep timer has ended playback after an item, and what is next.
  func saySleepTimerEnded(after target: PlayTarget, next: PlayTarget?) {
    guard isShown else { return }
    let again = next.map { next in
      let title = "“\(Sanitize.line(next.title))”"
      return next.episode.map { " Run “earshot play \($0)” to continue with \(title)." } ?? " \(title) is next."
    }
    Report.message(
      "The sleep timer stopped playback after “\(Sanitize.line(target.title))”.\(again ?? "")")
  }

  func end() {
    if isShown { Report.progress("") }
  }

  private func draw(_ status: PlayerStatus) {
    Report.progress(Self.text(status, columns: Report.columns))
  }

  /// The progress line.
  static func text(_ status: PlayerStatus, columns: Int) -> String {
    let clock = TimeText.clock(status.position) + (status.duration.map { " / " + TimeText.clock($0) } ?? "")
    var wait = status.stalled ? PlayerText.wait(status.waiting, columns: columns) : ""
    if let cause = status.waiting?.cause { wait += ": " + Sanitize.line(cause) }
    let parts = [clock, wait, Sanitize.line(status.title ?? "")].filter { !$0.isEmpty }
    return Report.progressLine("\(status.icon) \(parts.joined(separator: "  "))", columns: columns)
  }
}

extension Report {
  /// Prints one line of JSON, for programs that read while it is written.
  static func jsonLine(_ value: some Encodable) {
    // These are only numbers and texts, so encoding cannot fail.
    guard let line = try? JSONFormat().text(of: value) else { return }
    Answers.write(line + "\n")
  }
}
