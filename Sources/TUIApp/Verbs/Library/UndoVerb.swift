import ArgumentParser
import Foundation
import Store

/// `earshot undo`: takes back the newest changes.
struct UndoVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back the last change of the library.",
    discussion: "Played, deleted, queue, playlists, clips, subscriptions: the last 500 changes, also of earlier days.")

  @Argument(help: "How many changes.") var count = 1
  @OptionGroup var output: JSONOption

  private struct Step: Encodable {
    var label: String
    var episodes: [Int64]
  }

  func validate() throws {
    guard count >= 1 else { throw ValidationError("At least one change can be taken back.") }
  }

  func perform() throws {
    let library = try VerbContext().library
    var steps: [Step] = []
    while steps.count < count, let undone = try library.undo(now: Date()) {
      steps.append(Step(label: undone.label, episodes: undone.episodes.map(\.rawValue)))
    }
    if output.json { return try Report.json(steps) }
    for step in steps { Report.line("Taken back: \(step.label)") }
    if steps.isEmpty { Report.message("there is nothing to take back") }
  }
}
