import Model
import TerminalKit

/// What has failed with episodes, in words for their details and the status line.
struct EpisodeProblems {
  var downloads: DownloadState
  /// `State.unplayable`.
  var unplayable: [EpisodeID: String]

  subscript(id: EpisodeID) -> String? {
    unplayable[id].map { "Cannot be played: \(Sanitize.line($0))" } ?? download(id)
  }

  /// Why a download waits or has failed.
  func download(_ id: EpisodeID) -> String? {
    guard let download = downloads[id] else { return nil }
    switch download.phase {
    case .failed(let reason): return "The download failed: \(Sanitize.line(reason))"
    case .waiting: return download.problem.map { "The download waits: \(Sanitize.line($0))" }
    case .running, .paused: return nil
    }
  }
}

extension State {
  var problems: EpisodeProblems { EpisodeProblems(downloads: downloads, unplayable: unplayable) }

  /// Why the download of the selected episode waits or has failed. Shown in the status line, because the row may be too
  /// narrow.
  var selectedDownloadProblem: String? { selectedEpisode.flatMap { problems.download($0) } }
}
