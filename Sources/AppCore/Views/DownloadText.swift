import Model
import TerminalKit

/// The progress of a download, for a row of a list.
enum DownloadText {
  private static let kinds = ["no connectivity: ", "invalid data: "]

  /// `37 %`, `waits`, `paused` or `failed`: as wide as a date.
  static func short(_ download: DownloadProgress) -> String {
    switch download.phase {
    case .waiting: "waits"
    case .paused: "paused"
    case .failed: "failed"
    case .running: download.fraction.map { "\(Int($0 * 100)) %" } ?? "begun"
    }
  }

  /// Such as `▓▓▓░░░░░ 37 % of 45 MB  1.2 MB/s  23s left`, `paused 37 % of 45 MB` or `failed: no such host`.
  /// Nil if it does not fit.
  /// - Parameter hasSize: the row has a column for the size.
  static func long(_ download: DownloadProgress, ascii: Bool, hasSize: Bool, columns: Int) -> String? {
    if let text = problem(download) { return Clusters.width(text) <= columns ? text : nil }
    let share = download.fraction.map { "\(Int($0 * 100)) %" } ?? SizeText.bytes(download.received)
    let size = hasSize ? "" : download.total.map { " of \(SizeText.bytes($0))" } ?? ""
    let texts: [String]
    switch download.phase {
    case .waiting:
      texts = download.received > 0 ? ["waiting \(share)\(size)", "waiting \(share)"] : ["waiting"]
    case .paused: texts = ["paused \(share)\(size)", "paused \(share)"]
    case .failed: texts = ["failed"]
    case .running:
      let filled = Int((download.fraction ?? 0) * 8)
      let bar = (0..<8).map { $0 < filled ? (ascii ? "=" : "█") : (ascii ? "." : "░") }.joined()
      let rate = SizeText.rate(download.rate).map { "  " + $0 } ?? ""
      let left = timeLeft(download.total.map { $0 &- download.received }, rate: download.rate).map { "  \($0)" } ?? ""
      texts = ["\(size)\(rate)\(left)", "\(rate)\(left)", rate, ""].map { "\(bar) \(share)\($0)" }
    }
    return texts.first { Clusters.width($0) <= columns }
  }

  /// Such as `23s left`. Nil: not known.
  /// - Parameters:
  ///   - bytes: not received yet.
  ///   - rate: in bytes a second.
  static func timeLeft(_ bytes: Int64?, rate: Double) -> String? {
    guard let bytes, bytes > 0, rate.isFinite, rate >= 1 else { return nil }
    return "\(TimeText.short(Double(bytes) / rate)) left"
  }

  /// Why it waits or has failed, shortened to the columns. Nil if it is running.
  static func problem(_ download: DownloadProgress, ascii: Bool, columns: Int) -> String? {
    guard let text = problem(download), columns > 0 else { return nil }
    return Clusters.shortened(text, columns: columns, ellipsis: ascii ? "~" : "…")
  }

  /// The reason without its kind, because the message already contains the kind.
  private static func problem(_ download: DownloadProgress) -> String? {
    let (word, reason) =
      switch download.phase {
      case .waiting: ("waiting", download.problem)
      case .failed(let reason): ("failed", reason)
      case .running, .paused: ("", nil)
      }
    guard let reason else { return nil }
    let kind = kinds.first { reason.hasPrefix($0) } ?? ""
    return "\(word): \(Sanitize.line(String(reason.dropFirst(kind.count))))"
  }
}

extension SizeText {
  /// Such as `1.2 MB/s`. Nil for nothing.
  /// - Parameter rate: in bytes a second.
  static func rate(_ rate: Double) -> String? {
    rate.isFinite && rate >= 1 ? "\(bytes(Int64(min(1e15, rate))))/s" : nil
  }
}
