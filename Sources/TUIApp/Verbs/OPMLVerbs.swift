import ArgumentParser
import FeedKit
import Foundation
import Model
import Store

/// `earshot export`: the subscriptions as OPML, without passwords.
struct ExportVerb: Verb {
  static let configuration = CommandConfiguration(commandName: "export", abstract: "Write the subscriptions as OPML.")

  @Argument(help: "Where to; standard output when absent or -.")
  var file: String?

  func perform() throws {
    let library = try VerbContext().library
    let entries = try library.podcasts().filter { !$0.feedURL.hasPrefix(Resources.welcomeAddress) }.map { row in
      let detail = try library.podcastDetail(row.id)
      return OPMLEntry(
        url: row.feedURL, title: row.title, htmlURL: detail?.feed.link, tags: detail?.tags ?? [])
    }
    let data = OPML.write(title: "Earshot subscriptions", entries: entries, date: Date())
    guard let file, file != "-" else { return Report.raw(data) }
    do {
      try data.write(to: URL(fileURLWithPath: file), options: .atomic)
    } catch {
      Report.message("\(file) cannot be written: \(error.localizedDescription)")
      throw ExitStatus.cannotCreate.error
    }
    Report.message("\(entries.count) podcasts written to \(file)")
  }
}

/// A file that a verb was given.
enum VerbInput {
  /// The bytes of `file`, or of standard input for `-`.
  static func data(_ file: String) throws -> Data {
    do {
      return try file == "-"
        ? FileHandle.standardInput.readToEnd() ?? Data() : Data(contentsOf: URL(fileURLWithPath: file))
    } catch {
      Report.message("\(file) cannot be read: \(error.localizedDescription)")
      throw ExitStatus.usage.error
    }
  }
}
