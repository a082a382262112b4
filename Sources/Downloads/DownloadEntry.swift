import Foundation
import HTTP
import Model

/// One download that is not complete, as the downloader sees it.
struct DownloadEntry {
  /// What is on the line for it.
  struct Activity {
    var request: HTTPRequestID
    var sink: DownloadSink
    var file: PartFile
  }

  let id: EpisodeID
  let podcast: PodcastID
  var title: String
  var podcastTitle: String
  var address: WebAddress
  var fileName: String
  var resume: ResumeData
  var phase: DownloadProgress.Phase = .waiting
  /// Bytes that were there when nothing was on the line.
  var stored: Int64 = 0
  /// Present from the request to its completion, which comes a little after a pause.
  var activity: Activity?
  /// Cancelled; goes when its activity has ended.
  var isDropped = false
  /// Tries in a row that brought nothing.
  var failures = 0
  /// Why the last of them did.
  var trouble: String?
  /// Times that the server's answer did not fit what was there.
  var mismatches = 0
  var notBefore: Date?
  var meter = RateMeter()

  var host: String { address.hostAndPort }
  var received: Int64 { activity?.sink.received ?? stored }

  var progress: DownloadProgress {
    DownloadProgress(
      id: id, title: title, podcastTitle: podcastTitle, phase: phase,
      trouble: phase == .waiting ? trouble : nil, received: received,
      total: activity?.sink.resume.total ?? resume.total, rate: phase == .running ? meter.rate : 0)
  }
}

/// Bytes a second, smoothed over some seconds so that the number can be read.
struct RateMeter: Equatable {
  private(set) var rate = 0.0
  private var last: (bytes: Int64, at: Date)?

  /// Seconds in which an older measurement loses most of its weight.
  private static let memory = 3.0

  mutating func add(_ bytes: Int64, at now: Date) {
    defer { last = (bytes, now) }
    guard let last, bytes >= last.bytes else { return }
    let seconds = now.timeIntervalSince(last.at)
    guard seconds > 0 else { return }
    let present = Double(bytes - last.bytes) / seconds
    let weight = rate == 0 ? 1 : 1 - exp(-seconds / Self.memory)
    rate += (present - rate) * weight
  }

  mutating func reset() { self = RateMeter() }

  static func == (left: RateMeter, right: RateMeter) -> Bool { left.rate == right.rate }
}
