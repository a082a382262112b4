import AppCore
import ArgumentParser
import Foundation
import Model
import Store

/// `earshot undo`: undoes or redoes the latest changes.
struct UndoVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back the last change of the library, or do it again.",
    discussion: """
      Played, deleted, queue, playlists, clips, tags, subscriptions, imports: the last 500 changes, also of earlier days.
      What was taken back can be done again (--redo) until something else is changed. Before more than five things \
      change, or something that was done more than an hour ago, it asks; where nobody can be asked, --yes is needed.
      """)

  @Argument(help: "How many changes.") var count = 1
  @Flag(help: "Do again what was taken back last.") var redo = false
  @Flag(name: [.short, .long], help: "Do not ask.") var yes = false
  @Flag(help: "List the changes that can be taken back, or done again; changes nothing.") var list = false
  @OptionGroup var output: JSONOption

  /// Seconds. Newer changes are undone without a question.
  private static let recent = 3600.0

  private var direction: UndoDirection { redo ? .forward : .back }
  private var nothing: String { redo ? "there is nothing to do again" : "there is nothing to take back" }

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
    let context = try VerbContext()
    let library = context.library
    if list { return try show(library) }
    var steps: [Step] = []
    var refusal: ExitStatus?
    while steps.count < count, let plan = try library.undoPlan(direction) {
      try context.refuseOpenEpisode { try library.undo(plan, changes: $0.id) }
      refusal = refusalOf(plan)
      guard refusal == nil, let done = try library.undo(direction, only: plan.id, now: Date()) else { break }
      steps.append(Step(label: done.label, episodes: done.episodes.map(\.rawValue)))
      if !output.json { Report.line("\(redo ? "Redone" : "Undone"): \(done.label)") }
    }
    if output.json { try Report.json(steps) }
    if let refusal { throw refusal.error }
    if steps.isEmpty, !output.json { Report.message(nothing) }
  }

  /// Asks before an undo that changes many things or something old.
  /// - Returns: the exit status if it must not be done.
  private func refusalOf(_ plan: UndoPlan) -> ExitStatus? {
    guard !yes, plan.needsQuestion(since: Date(timeIntervalSinceNow: -Self.recent)) else { return nil }
    Report.message(plan.withSingleQuotes.question(date: MinuteText.text(plan.timestamp)))
    guard isatty(STDIN_FILENO) == 1 else {
      Report.message("nothing was changed: --yes does it")
      return .usage
    }
    Report.message("y/n?")
    let answer = readLine()?.lowercased() ?? ""
    if ["y", "yes"].contains(answer) { return nil }
    Report.message("nothing was changed")
    return .failed
  }

  private func show(_ library: Library) throws {
    let entries = try library.undoEntries(direction, limit: 500)
    if output.json { return try Report.json(entries.map { Entry(label: $0.label, timestamp: $0.timestamp) }) }
    for (place, entry) in entries.enumerated() {
      Report.line("\(String(place + 1).leftPadded(3))  \(MinuteText.text(entry.timestamp))  \(entry.label)")
    }
    if entries.isEmpty { Report.message(nothing) }
  }
}
