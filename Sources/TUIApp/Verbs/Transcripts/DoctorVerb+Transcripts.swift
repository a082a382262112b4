import FeedKit
import Foundation
import Model
import Programs
import Services

/// What `earshot doctor` says about `[transcribe]`: the program or the server transcribes the first episode of the
/// built-in podcast, and the result is compared with that episode's own transcript.
extension DoctorVerb {
  /// Nil if nothing is configured.
  func transcripts(_ configuration: Configuration) -> Check? {
    guard configuration.transcribing.isConfigured, configuration.problems.isEmpty else { return nil }
    func broken(_ text: String) -> Check {
      Check(name: "transcripts", verdict: .broken, detail: text, status: .unavailable)
    }
    let resources = Resources()
    let address = Resources.welcomeAddress + "/1-welcome"
    guard let sound = resources.file(of: address + ".opus"), let text = resources.file(of: address + ".vtt"),
      let data = FileManager.default.contents(atPath: text), let truth = try? TranscriptReader.read(data)
    else { return broken("the built-in podcast is not installed") }
    var job = TranscribingJob(configuration)
    job.isIdle = false
    let subject = TranscribingJob.Subject(
      title: "Welcome", podcast: "Earshot", language: "en", file: sound, source: sound)
    let cancellation = ProgramCancellation()
    let interruptions = Interruptions { cancellation.cancel(isUrgent: true) }
    defer {
      interruptions.end()
      Report.progress("")
    }
    Report.progress("transcribing a minute of sound")
    let clock = ContinuousClock()
    var begun = clock.now
    var memory: Int?
    do {
      guard let directory = try TranscribingDirectory(in: configuration.directories.cache) else {
        return Check(
          name: "transcripts", verdict: .warning, detail: "another Earshot makes a transcript now")
      }
      let made = try job.run(subject, in: directory, cancellation) { progress in
        switch progress {
        case .reading: break
        case .lines(let lines, _): if lines.isEmpty { begun = clock.now }
        case .ended(let bytes): memory = bytes
        }
      }
      let seconds = (clock.now - begun) / .seconds(1)
      let length = made.origin?.duration ?? truth.lines.last?.end ?? 0
      let share = WordComparison.share(of: made, rightBy: truth)
      var detail = "\(made.origin?.name ?? ""): \(Int(share * 100)) % of the words right, "
      detail += String(format: "%.1f", length / max(0.001, seconds)) + " × as fast as the sound"
      if let memory { detail += ", \(memory / 1_000_000) MB of memory" }
      return Check(name: "transcripts", verdict: share < 0.5 ? .warning : .ok, detail: detail)
    } catch TranscribingJob.Failure.cancelled {
      return broken("it was stopped")
    } catch TranscribingJob.Failure.reason(let reason) {
      return broken(reason.text)
    } catch {
      return broken("\(error)")
    }
  }
}
