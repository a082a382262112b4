import Foundation
import Model

/// The format of `earshot ctl status --format`: text with fields in braces, for tmux and other status bars.
public struct StatusFormat: Sendable, Equatable {
  public static let standard = "{icon} {title} {position}/{duration}"

  enum Field: String, CaseIterable {
    case icon, status, title, podcast, chapter, position, duration, remaining, percent, speed, volume
    case queued, sleep, waiting
  }

  private let template: TextTemplate<Field>

  public init(_ text: String) throws(DesktopError) {
    do throws(ReportedError) { template = try TextTemplate(text) } catch { throw .badFormat(error.text) }
  }

  /// - Parameter isForTmux: doubles every `#` in texts from feeds, because tmux would read it as a style or a command.
  public func text(_ status: PlayerStatus, isForTmux: Bool = false) -> String {
    template.text { field in
      let value = Self.value(field, status)
      return isForTmux ? value.replacing("#", with: "##") : value
    }
  }

  private static func value(_ field: Field, _ status: PlayerStatus) -> String {
    switch field {
    case .icon: status.icon
    case .status: status.status.rawValue
    case .title: status.title ?? ""
    case .podcast: status.podcast ?? ""
    case .chapter: status.chapter ?? ""
    case .position: TimeText.clock(status.position)
    case .duration: status.duration.map { TimeText.clock($0) } ?? "–"
    case .remaining: status.duration.map { TimeText.clock(max(0, $0 - status.position)) } ?? "–"
    case .percent: status.duration.map { percent(status.position, of: $0) } ?? "–"
    case .speed: "\(status.speed.shortText)×"
    case .volume: "\(status.volume.shortText) %"
    case .queued: String(status.queued)
    case .sleep: status.sleep.map { TimeText.clock($0) } ?? status.sleepsAfter.map(sleep(after:)) ?? ""
    case .waiting:
      status.waiting.map { "waiting for the network \(TimeText.clock($0.seconds))" }
        ?? (status.stalled ? "buffering" : "")
    }
  }

  /// - Parameter event: `NowPlaying.sleepsAfter`.
  private static func sleep(after event: String) -> String {
    event.first?.isNumber == true ? "after \(event)" : "end of \(event)"
  }

  private static func percent(_ position: Double, of duration: Double) -> String {
    guard duration > 0 else { return "–" }
    return "\(Int(min(100, max(0, position / duration * 100)))) %"
  }
}

extension PlayerStatus {
  /// A character that shows whether it plays.
  public var icon: String {
    switch status {
    case .playing: stalled ? "◌" : "▶"
    case .paused: "Ⅱ"
    case .loading: "◌"
    case .stopped: "■"
    }
  }
}
