import ArgumentParser
import FeedKit
import Foundation
import Model
import Store

/// `earshot import`: subscriptions from OPML, folders as tags. The episodes come with the next refresh.
struct ImportVerb: Verb {
  static let configuration = CommandConfiguration(commandName: "import", abstract: "Take over subscriptions from OPML.")

  @Argument(help: "An OPML file, or - for standard input.")
  var file: String

  @OptionGroup var output: JSONOption

  private struct Counts: Encodable {
    var added = 0
    var known = 0
    var refused: [String] = []
  }

  func perform() throws {
    let entries = try read()
    let context = try VerbContext()
    var counts = Counts()
    for entry in entries {
      guard let url = Self.address(entry.url) else {
        counts.refused.append(entry.url)
        Report.message("\(entry.url): not an address of a feed")
        continue
      }
      if try context.library.isSubscribed(feedURL: url) {
        counts.known += 1
        continue
      }
      var feed = Feed()
      feed.podcast.title = entry.title
      feed.podcast.link = entry.htmlURL
      // Not a whole document: nothing may count as gone from the feed.
      feed.podcast.damaged = true
      let id = try context.library.subscribe(feed: feed, feedURL: url, now: Date())
      if !entry.tags.isEmpty { try context.library.setTags(entry.tags, of: id) }
      counts.added += 1
    }
    if output.json {
      try Report.json(counts)
    } else {
      Report.line("\(counts.added) added, \(counts.known) known, \(counts.refused.count) refused")
    }
    try context.library.close()
    if counts.added + counts.known == 0, !counts.refused.isEmpty { throw ExitStatus.invalidData.error }
  }

  private func read() throws -> [OPMLEntry] {
    let data = try VerbInput.data(file)
    do { return try OPML.read(data) } catch {
      Report.message("\(file): invalid data: \(error)")
      throw ExitStatus.invalidData.error
    }
  }

  /// The address to ask; nil for what no feed can be at.
  private static func address(_ text: String) -> String? {
    guard let address = try? FeedAddress.parse(text), case .urls(let urls) = address.target else { return nil }
    return urls.first
  }
}

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
