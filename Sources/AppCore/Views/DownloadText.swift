import Model
import TerminalKit

/// How a download gets on, in a row of a list.
enum DownloadText {
  private static let kinds = ["no connectivity: ", "invalid data: "]

  /// `37 %`, `waits`, `paused`, `failed`: as wide as a date.
  static func short(_ download: DownloadProgress) -> String {
    switch download.phase {
    case .waiting: "waits"
    case .paused: "paused"
    case .failed: "failed"
    case .running: download.fraction.map { "\(Int($0 * 100)) %" } ?? "begun"
    }
  }

  /// `▓▓▓░░░░░ 37 %  1.2 MB/s`, `paused 37 %`, `failed: no such host`. Nil where there is no room for it.
  static func long(_ download: DownloadProgress, ascii: Bool, columns: Int) -> String? {
    if let text = trouble(download) { return Clusters.width(text) <= columns ? text : nil }
    let share = download.fraction.map { "\(Int($0 * 100)) %" } ?? SizeText.bytes(download.received)
    let texts: [String]
    switch download.phase {
    case .waiting:
      texts = [download.received > 0 ? "waiting \(share)" : "waiting"]
    case .paused: texts = ["paused \(share)"]
    case .failed: texts = ["failed"]
    case .running:
      let filled = Int((download.fraction ?? 0) * 8)
      let bar = (0..<8).map { $0 < filled ? (ascii ? "=" : "█") : (ascii ? "." : "░") }.joined()
      let rate =
        download.rate.isFinite && download.rate >= 1 ? "  \(SizeText.bytes(Int64(min(1e15, download.rate))))/s" : ""
      texts = ["\(bar) \(share)\(rate)", "\(bar) \(share)"]
    }
    return texts.first { Clusters.width($0) <= columns }
  }

  /// Why it waits or has failed, cut to so many columns; nil when it gets on.
  static func trouble(_ download: DownloadProgress, ascii: Bool, columns: Int) -> String? {
    guard let text = trouble(download), columns > 0 else { return nil }
    return Clusters.fit(text, columns: columns, ellipsis: ascii ? "~" : "…").clusters.map(\.text).joined()
  }

  /// Without the kind of the reason: there is no room for it, and the message has said it.
  private static func trouble(_ download: DownloadProgress) -> String? {
    let (word, reason) =
      switch download.phase {
      case .waiting: ("waiting", download.trouble)
      case .failed(let reason): ("failed", reason)
      case .running, .paused: ("", nil)
      }
    guard let reason else { return nil }
    let kind = kinds.first { reason.hasPrefix($0) } ?? ""
    return "\(word): \(Sanitize.line(String(reason.dropFirst(kind.count))))"
  }
}
