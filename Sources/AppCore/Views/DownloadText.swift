import Model
import TerminalKit

/// How a download gets on, in a row of a list.
enum DownloadText {
  private static let kinds = ["no connectivity: ", "invalid data: "]

  /// `▓▓▓░░░░░ 37 %  1.2 MB/s`, `paused 37 %`, `failed: no such host`; a reason is cut to so many columns.
  static func column(_ download: DownloadProgress, ascii: Bool, columns: Int) -> String {
    func because(_ word: String, _ reason: String) -> String {
      // There is no room for the kind of the reason; the message has said it.
      let kind = kinds.first { reason.hasPrefix($0) } ?? ""
      let text = "\(word): \(Sanitize.line(String(reason.dropFirst(kind.count))))"
      return Clusters.fit(text, columns: columns, ellipsis: ascii ? "~" : "…").clusters.map(\.text).joined()
    }
    let share = download.fraction.map { "\(Int($0 * 100)) %" } ?? SizeText.bytes(download.received)
    switch download.phase {
    case .waiting:
      if let trouble = download.trouble { return because("waiting", trouble) }
      return download.received > 0 ? "waiting \(share)" : "waiting"
    case .paused: return "paused \(share)"
    case .failed(let reason): return because("failed", reason)
    case .running:
      let filled = Int((download.fraction ?? 0) * 8)
      let bar = (0..<8).map { $0 < filled ? (ascii ? "=" : "█") : (ascii ? "." : "░") }.joined()
      let rate =
        download.rate.isFinite && download.rate >= 1 ? "  \(SizeText.bytes(Int64(min(1e15, download.rate))))/s" : ""
      return "\(bar) \(share)\(rate)"
    }
  }
}
