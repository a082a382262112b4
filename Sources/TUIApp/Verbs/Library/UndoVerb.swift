import ArgumentParser
import Foundation
import Model
import Store
import TerminalKit

/// `earshot undo`: undoes or redoes the latest changes.
struct UndoVerb: LibraryVerb {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo or redo the last change of the library.",
    discussion: """
      Works for the last 500 changes, also of earlier days: played, deleted, positions, queue, playlists, clips, tags, \
      subscriptions, settings of podcasts, imports, syncs. --redo repeats what was undone, until something else changes. If more than five things \
      would change, or the change is more than an hour old, Earshot asks first. Without a terminal it then needs --yes.
      """)

  @Argument(help: "The number of changes.") var count = 1
  @Flag(help: "Repeat what was undone last.") var redo = false
  @Flag(name: [.short, .long], help: "Do not ask.") var yes = false
  @Flag(help: "List the changes that can be undone, or with --redo repeated, and change nothing.") var list = false
  @OptionGroup var output: JSONOption

  /// Seconds. Newer changes are undone without a question.
  private static let recent = 3600.0

  private var direction: UndoDirection { redo ? .forward : .back }
  private var nothing: String { "there is nothing to \(redo ? "redo" : "undo")" }

  func validate() throws {
    guard count >= 1 else { throw ValidationError("The number of changes must be at least 1.") }
  }

  func perform(_ context: VerbContext) throws {
    let library = context.library
    if list { return try show(library) }
    var steps: [JSONObject] = []
    var refusal: ExitStatus?
    while steps.count < count, let plan = try library.undoPlan(direction) {
      try context.refuseOpenEpisode { try library.undo(plan, changes: $0.id) }
      refusal = refusalOf(plan, after: steps.count)
      guard refusal == nil, let done = try library.undo(direction, only: plan.id, now: Date()) else { break }
      steps.append(["label": done.label, "episodes": done.episodes])
      if !output.json { Report.line("\(redo ? "Redone" : "Undone"): \(done.label)") }
    }
    if output.json { try Report.json(steps) }
    if let refusal { throw refusal.error }
    if steps.isEmpty, !output.json { Report.message(nothing) }
  }

  /// Asks before an undo that changes many things or something old.
  /// - Parameter done: the number of changes that were undone before.
  /// - Returns: the exit status if it must not be done.
  private func refusalOf(_ plan: UndoPlan, after done: Int) -> ExitStatus? {
    guard !yes, plan.needsConfirmation(since: Date(timeIntervalSinceNow: -Self.recent)) else { return nil }
    Report.message(plan.withSingleQuotes.question(date: MinuteText.text(plan.timestamp)))
    let outcome = done == 0 ? "nothing was changed" : "only \(done) of \(count) changes \(redo ? "redone" : "undone")"
    guard let isWanted = Report.confirms() else {
      let rest = "earshot undo \(count - done)\(redo ? " --redo" : "") --yes"
      Report.message("\(outcome). \(done == 0 ? "Use --yes to do it." : "Run “\(rest)” to do the rest.")")
      return .usage
    }
    if isWanted { return nil }
    Report.message(outcome)
    return .failed
  }

  private func show(_ library: Library) throws {
    let entries = try library.undoEntries(direction, limit: 500)
    if output.json { return try Report.json(entries) }
    for (index, entry) in entries.enumerated() {
      let time = MinuteText.text(entry.timestamp).leftPadded(17)
      Report.line("\(String(index + 1).leftPadded(3))  \(time)  \(entry.label)")
    }
    if entries.isEmpty { Report.message(nothing) }
  }
}
