import ArgumentParser
import FeedKit
import Foundation
import HTTP
import Model
import TerminalKit

/// `earshot feed`: fetches one feed and prints it. It does not use the library, and the configuration only for
/// requests.
struct FeedVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "feed", abstract: "Read a feed and print it, and change nothing.")

  @Argument(help: "A file, - for standard input, or an address.")
  var source: String

  @Option(help: "Resolve relative addresses of the file against this address.")
  var url: String?

  @Option(name: .customLong("content-type"), help: "The Content-Type of the file.")
  var contentType: String?

  @OptionGroup var output: JSONOption

  @Flag(help: ArgumentHelp("Print only the duration of parsing, in seconds.", visibility: .hidden))
  var timing = false

  private var isAddress: Bool { FeedAddress.hasScheme(source) || source.lowercased().hasPrefix("spotify:") }

  func validate() throws {
    guard !isAddress || url == nil && contentType == nil else {
      throw ValidationError("--url and --content-type are for files. An address has its own.")
    }
  }

  func perform() throws {
    let start = ContinuousClock.now
    let feed = try read()
    if timing {
      let elapsed = start.duration(to: .now) / .seconds(1)
      return Report.jsonLine(["inner_s": elapsed, "items": Double(feed.episodes.count)])
    }
    if output.json {
      return try JSONFormat.feed.write(feed) { Answers.write($0) }
    }
    let podcast = feed.podcast
    Report.line(podcast.title ?? "Untitled")
    if let author = podcast.iTunesAuthor { Report.line(author) }
    if let link = podcast.link { Report.line(link) }
    if podcast.damaged { Report.message("the feed is damaged; what could be read is shown") }
    for episode in feed.episodes {
      let day = (episode.pubDate.map { DayText.text($0) } ?? "").leftPadded(11)
      let duration = episode.duration.map { TimeText.clock($0) } ?? ""
      Report.line("\(day)  \(duration.leftPadded(8))  \(episode.title ?? "Untitled")")
    }
  }

  private func read() throws -> Feed {
    guard isAddress else { return try readFile() }
    let configuration = Configuration.load(Directories())
    let address = try self.address(configuration)
    do throws(FeedError) {
      return try Blocking.run { () async throws(FeedError) in
        try await FeedClient.standard(configuration).fetchNew(try FeedAddress.parse(address)).feed
      }
    } catch {
      throw Report.status(of: error).error(saying: error.message(podcast: ShownAddress(source).description))
    }
  }

  private func readFile() throws -> Feed {
    do {
      let base = url.flatMap { $0.isEmpty ? nil : $0 }
      return try FeedClient.read(file: source == "-" ? "/dev/stdin" : source, url: base, contentType: contentType)
    } catch .unreadableFile(let path, let reason) {
      throw ExitStatus.usage.error(saying: "\(path) cannot be read: \(reason)")
    } catch {
      throw ExitStatus.invalidData.error(saying: error.message(podcast: source))
    }
  }
}
