import ArgumentParser
import Foundation
import Model
import Services
import Store
import TerminalKit

/// `earshot notes`: what the listener has marked and written.
struct NotesVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "notes", abstract: "Show, write and export bookmarks, clips and notes.",
    discussion: """
        earshot notes write 42 "Worth hearing twice"
        earshot notes export --dir ~/Vault/Podcasts
        earshot notes export --format csv --stdout

      Run `earshot undo` to undo changes.
      """,
    subcommands: [List.self, Write.self, Export.self], defaultSubcommand: List.self)

  struct List: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List all bookmarks, clips and notes, the newest episode first.")
    @Option(help: "Only those of this episode.") var episode: String?
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      let marks =
        if let episode {
          try context.episode(episode).marks
        } else {
          try context.library.notedEpisodes().flatMap(\.marks)
        }
      try ClipJSON.answer(marks, context.library, output, none: "there are no notes")
    }
  }

  struct Write: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "write", abstract: "Write a note about an episode, in place of the one that it has.")
    @Argument(help: "The episode's number, address or guid.") var episode: String
    @Argument(help: "The note; - reads standard input, and an empty one deletes it.") var text: String
    @OptionGroup var output: JSONOption

    func perform(_ context: VerbContext) throws {
      let detail = try context.episode(episode)
      let note = text == "-" ? String(decoding: try VerbInput.data(text, limit: 1_000_000), as: UTF8.self) : text
      let isChanged = try context.library.setNote(note, of: detail.id, now: Date())
      let marks = try context.library.marks(of: detail.id).filter { $0.kind == .note }
      let changed = try context.library.episode(detail.id)
      if output.json { return try Report.json(marks.map { ClipJSON($0, of: changed) }) }
      let done = marks.isEmpty ? "deleted the note" : "saved the note"
      let outcome = isChanged ? "\(done). Run “earshot undo” to undo." : "nothing was changed"
      Report.line("\(detail.row.title): \(outcome)")
    }
  }

  struct Export: LibraryVerb {
    enum Format: String, ExpressibleByArgument, CaseIterable { case markdown, csv, json }
    enum Part: String, ExpressibleByArgument, CaseIterable { case chapters, transcript, shownotes }

    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Write bookmarks, clips and notes as files for other programs.",
      discussion: """
        Markdown is one file for each episode, for Obsidian and others. Run again, it changes only what has changed: the \
        part between the two comments, and the values at the top that Earshot has written. The rest is yours. CSV has \
        the columns that Readwise imports. With --stdout or without --dir, all is written to standard output.

        A template is a text with placeholders: \(TextTemplate<NotesTemplate.Field>.names). \
        The lines between {each} and {end} are repeated for each bookmark and clip. A line is left out if all its \
        placeholders are empty.
        """)

    @Option(help: "The directory to write to. It is created if needed.", completion: .directory) var dir: String?
    @Flag(help: "Write to standard output.") var stdout = false
    @Option(help: "Only episodes in which something was marked since this day: 2026-11-27.") var since: String?
    @Option(help: "A template for Markdown.", completion: .file()) var template: String?
    @Option(help: "markdown, csv or json.") var format = Format.markdown
    @Option(name: .customLong("with"), help: "Add chapters, transcript or shownotes. This option may be repeated.")
    var parts: [Part] = []
    @OptionGroup var output: JSONOption

    func validate() throws {
      if stdout, dir != nil { throw ValidationError("--stdout and --dir exclude each other.") }
      if template != nil, format != .markdown { throw ValidationError("A template is for Markdown.") }
      if output.json, dir == nil, format != .json {
        throw ValidationError("--json says what was written to --dir. For the notes as JSON, say --format json.")
      }
      if since != nil, day == nil { throw ValidationError("A day is written as 2026-11-27.") }
    }

    private var day: Date? {
      guard let match = since?.wholeMatch(of: /(\d{4})-(\d{2})-(\d{2})/) else { return nil }
      let parts = DateComponents(calendar: .current, year: Int(match.1), month: Int(match.2), day: Int(match.3))
      return parts.isValidDate ? parts.date : nil
    }

    func perform(_ context: VerbContext) throws {
      let template = try readTemplate()
      // Only Markdown has commands.
      let sharedGUIDs = try format == .markdown ? context.library.sharedGUIDs() : []
      let episodes = try context.library.notedEpisodes(since: day).compactMap { noted in
        try context.library.episode(noted.id).map { try export($0, sharedGUIDs, context) }
      }.filter { $0.note != nil || !$0.marks.isEmpty }
      if let dir { return try write(episodes, template, to: dir, context) }
      switch format {
      case .csv: Answers.write(NotesCSV.text(episodes, ExportDates()))
      case .json: try Report.json(listing(episodes))
      case .markdown:
        for episode in episodes {
          Answers.write(NotesFile.text(template.write(episode, ExportDates()), over: nil) + "\n")
        }
      }
      if episodes.isEmpty { Report.message("there are no notes") }
    }

    private func readTemplate() throws -> NotesTemplate {
      var text = NotesTemplate.standardText
      if let template {
        do {
          text = try String(contentsOf: URL(fileURLWithPath: template), encoding: .utf8)
        } catch {
          throw StoreError.invalid("The template \(template) cannot be read: \(FileFailure.text(error))")
        }
      }
      do throws(ReportedError) {
        return try NotesTemplate(text)
      } catch {
        throw StoreError.invalid("The template \(template ?? "") is not valid: \(error).")
      }
    }

    private func export(
      _ detail: EpisodeDetail, _ sharedGUIDs: Set<String>, _ context: VerbContext
    ) throws -> ExportedEpisode {
      var episode = ExportedEpisode(detail)
      episode.isGUIDShared = detail.feed.guid.map(sharedGUIDs.contains) ?? false
      if parts.contains(.chapters) { episode.chapters = try context.library.chapters(detail.id).filter { !$0.hidden } }
      if parts.contains(.transcript) { episode.transcript = try context.library.transcript(detail.id) }
      if parts.contains(.shownotes), let notes = detail.notes { episode.showNotes = ShowNotesText.paragraphs(notes) }
      return episode
    }

    private func listing(_ episodes: [ExportedEpisode]) -> [JSONObject] {
      episodes.map { episode in
        let marks = episode.marks.map { ClipJSON($0, of: episode.detail) }
        return ["episode": EpisodeJSON(episode.detail), "note": episode.note, "marks": marks]
      }
    }

    private func write(
      _ episodes: [ExportedEpisode], _ template: NotesTemplate, to path: String, _ context: VerbContext
    ) throws {
      let directory = URL(fileURLWithPath: path)
      do {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      } catch {
        throw ExitStatus.cannotCreate.error(saying: "\(path) cannot be created: \(FileFailure.text(error))")
      }
      var (written, unchanged, unreadable): ([String], Int, Int) = ([], 0, 0)
      /// Writes what `content` makes of the present content of the file, nil if there is no file. A file that cannot be
      /// read at the moment, because its disk fails, is left as it is: it may have the listener's own text.
      func replace(_ name: String, _ content: (_ old: Data?) throws -> Data?) throws {
        let file = directory.appending(path: name)
        var old: Data?
        do { old = try Data(contentsOf: file) } catch {
          guard FileFailure.code(error) == ENOENT else {
            Report.message("\(name) cannot be read, so it was left as it is: \(FileFailure.text(error))")
            return unreadable += 1
          }
        }
        guard let new = try content(old) else { return }
        guard new != old else { return unchanged += 1 }
        try OutputFile.write(new, to: file.path)
        written.append(name)
      }
      switch format {
      case .csv: try replace("notes.csv") { _ in Data(NotesCSV.text(episodes, ExportDates()).utf8) }
      case .json:
        var data = Data()
        try JSONFormat(isPretty: true, secrets: .hidden).write(listing(episodes)) { data.append(contentsOf: $0) }
        data.append(UInt8(ascii: "\n"))
        try replace("notes.json") { _ in data }
      case .markdown:
        var names = try FileManager.default.contentsOfDirectory(atPath: path)
        for episode in episodes {
          let feed = try context.library.podcastDetail(episode.detail.row.podcast)?.row.feedURL ?? ""
          let name = NotesFile.name(episode, feed: feed, existing: names)
          names.append(name)
          try replace(name) { old in
            let text = old.flatMap { String(data: $0, encoding: .utf8) }
            guard old == nil || text != nil else {
              Report.message("\(name) is not a text, so it was left as it is")
              return nil
            }
            return Data(NotesFile.text(template.write(episode, ExportDates()), over: text).utf8)
          }
        }
      }
      if output.json {
        try Report.json(["directory": path, "written": written, "unchanged": unchanged] as JSONObject)
      } else {
        for name in written { Report.line(name) }
        Report.message("\(Counted.text(written.count, "file")) written to \(path), \(unchanged) unchanged")
      }
      guard unreadable == 0 else { throw ExitStatus.cannotWrite.error }
    }
  }
}
