import Foundation
import HTTP
import Model
import Store

/// An unfinished download in the downloader's queue.
struct DownloadEntry {
  /// The running transfer of a download.
  struct Activity {
    var request: HTTPRequestID
    var sink: DownloadSink
  }

  let id: EpisodeID
  let podcast: PodcastID
  var title: String
  var podcastTitle: String
  var address: WebAddress
  /// The address is of a web page, and the file behind it is wanted (`HTTPOptions.pages`).
  var isPage = false
  var fileName: String
  var resume: ResumeData
  var phase: DownloadProgress.Phase = .waiting
  /// Bytes on the disk when no transfer runs.
  var stored: Int64 = 0
  /// Set from sending the request to its completion, which comes shortly after a pause.
  var activity: Activity?
  /// Cancelled. The entry is removed when its transfer has ended.
  var isDropped = false
  /// Attempts in a row that brought no bytes.
  var failures = 0
  /// The server compresses the file although it was asked not to. The answer is decompressed, and cannot be resumed.
  var isCompressed = false
  /// How often the server's response did not continue the stored bytes.
  var mismatches = 0
  /// The time before the next attempt, from when the last one failed.
  var pause: Range<Date>?
  var meter = RateMeter()

  /// The download as the library stores it.
  var row: Download {
    Download(
      episode: id, fileName: fileName, downloadComplete: false, bytes: resume.total, resumeData: resume.text)
  }

  /// Why the last attempt failed.
  var lastError: String? {
    get { resume.lastError }
    set { resume.lastError = newValue }
  }

  var host: String { address.hostAndPort }
  var received: Int64 { activity?.sink.received ?? stored }

  var progress: DownloadProgress {
    DownloadProgress(
      id: id, title: title, podcastTitle: podcastTitle, phase: phase,
      problem: phase == .waiting ? lastError : nil, received: received,
      total: activity?.sink.resume.total ?? resume.total, rate: phase == .running ? meter.rate : 0)
  }
}

/// Bytes per second, averaged over a few seconds so that the displayed number is steady.
struct RateMeter {
  private(set) var rate = 0.0
  private var last: (bytes: Int64, at: Date)?

  /// The time constant of the average, in seconds.
  private static let timeConstant = 3.0

  mutating func add(_ bytes: Int64, at now: Date) {
    defer { last = (bytes, now) }
    guard let last, bytes >= last.bytes else { return }
    let seconds = now.timeIntervalSince(last.at)
    guard seconds > 0 else { return }
    let current = Double(bytes - last.bytes) / seconds
    let weight = rate == 0 ? 1 : 1 - exp(-seconds / Self.timeConstant)
    rate += (current - rate) * weight
  }
}
