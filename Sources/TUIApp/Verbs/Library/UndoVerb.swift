import ArgumentParser
import Foundation
import Model
import Store

/// `earshot undo`: takes back the newest changes.
struct UndoVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back the last change of the library.",
    discussion:
      "Played, deleted, queue, playlists, clips, tags, subscriptions: the last 500 changes, also of earlier days.")

  @Argument(help: "How many changes.") var count = 1
  @Flag(help: "List the changes that can be taken back; takes none back.") var list = false
  @OptionGroup var output: JSONOption

  private struct Step: Encodable {
    var label: String
    var episodes: [Int64]
  }

  private struct Entry: Encodable {
    var label: String
    var timestamp: Date
  }

  func validate() throws {
    guard count >= 1 else { throw ValidationError("At least one change can be taken back.") }
  }

  func perform() throws {
    let library = try VerbContext().library
    if list { return try show(library) }
    var steps: [Step] = []
    while steps.count < count, let undone = try library.undo(now: Date()) {
      steps.append(Step(label: undone.label, episodes: undone.episodes.map(\.rawValue)))
    }
    if output.json { return try Report.json(steps) }
    for step in steps { Report.line("Undone: \(step.label)") }
    if steps.isEmpty { Report.message("there is nothing to take back") }
  }

  private func show(_ library: Library) throws {
    let entries = try library.undoEntries(limit: 500)
    if output.json { return try Report.json(entries.map { Entry(label: $0.label, timestamp: $0.timestamp) }) }
    for (place, entry) in entries.enumerated() {
      Report.line("\(String(place + 1).leftPadded(3))  \(MinuteText.text(entry.timestamp))  \(entry.label)")
    }
    if entries.isEmpty { Report.message("there is nothing to take back") }
  }
}
