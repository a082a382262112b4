import ArgumentParser
import FeedKit
import Foundation
import Model
import Store

/// `earshot export`: the subscriptions as OPML, or as JSON, without passwords.
struct ExportVerb: Verb {
  static let configuration = CommandConfiguration(commandName: "export", abstract: "Write the subscriptions as OPML.")

  @Argument(help: "Where to; standard output when absent or -.")
  var file: String?

  @OptionGroup var output: JSONOption

  /// A subscription as `--json` prints it instead of OPML.
  private struct Subscription: Encodable {
    var feedURL: String
    var title: String?
    var link: String?
    var tags: [String]
  }

  /// What `--json` answers when the OPML goes into a file.
  private struct Written: Encodable {
    var file: String
    var podcasts: Int
  }

  func perform() throws {
    let library = try VerbContext().library
    let entries = try library.podcasts().filter { !$0.feedURL.hasPrefix(Resources.welcomeAddress) }.map { row in
      let detail = try library.podcastDetail(row.id)
      return OPMLEntry(
        url: row.feedURL, title: row.title, htmlURL: detail?.feed.link, tags: detail?.tags ?? [])
    }
    let data = OPML.write(title: "Earshot subscriptions", entries: entries, date: Date())
    guard let file, file != "-" else {
      guard output.json else { return Report.raw(data) }
      return try Report.json(
        entries.map { Subscription(feedURL: $0.url, title: $0.title, link: $0.htmlURL, tags: $0.tags) })
    }
    try OutputFile.write(data, to: file)
    if output.json { return try Report.json(Written(file: file, podcasts: entries.count)) }
    Report.message("\(Counted.text(entries.count, "podcast")) written to \(file)")
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
