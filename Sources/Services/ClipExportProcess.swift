import Foundation
import Model
import Programs

/// Exports a clip with `earshot clip export`, in a process of its own.
///
/// FFmpeg's log goes only to the first mpv core of a process (`init_libav` in mpv's common/av_log.c). The export needs
/// the log to notice that a seek was wrong, and so does the player.
package enum ClipExportProcess {
  private struct Answer: Decodable {
    var duration: Double
  }

  /// Blocks the thread until the clip is written.
  /// - Parameter executable: the path of `earshot`.
  /// - Returns: the length of the written clip, in seconds.
  package static func run(_ clip: ClipID, to file: String, executable: String) throws(ReportedError) -> Double {
    let words = [executable, "clip", "export", "--json", "--", "\(clip)", file]
    let ended: ListenerProgram.Outcome
    do {
      ended = try ListenerProgram(words, environment: ProcessInfo.processInfo.environment).run()
    } catch {
      throw ReportedError("The clip was not exported: \(error)")
    }
    if ended.ending == .exited(0), let answer = try? JSONDecoder().decode(Answer.self, from: ended.output) {
      return answer.duration
    }
    // Warnings may stand before the last line.
    let reason = "The clip was not exported: \(ended.ending.reason ?? "no answer")"
    throw ReportedError(ended.lastError.isEmpty ? reason : ended.lastError)
  }
}
