import Directories
import Foundation
import HTTP
import Model
import Services
import Store

/// Links to other players' sites on the command line.
extension LinkMatches {
  /// Shows the podcasts that a link may mean, and asks which one if standard input is a terminal.
  /// - Parameter command: a command that takes the address of the right one, for the message.
  func chosen(instead command: String) -> FoundPodcast? {
    Report.message("\(site) names no feed. The link may mean:")
    for (index, podcast) in podcasts.enumerated() {
      let author = podcast.author.map { ", \($0)" } ?? ""
      Report.message("  \(index + 1)  \(podcast.certainty ?? "")  \(podcast.title)\(author)  \(podcast.feedURL ?? "")")
    }
    guard isatty(STDIN_FILENO) == 1 else {
      Report.message("Run “\(command) ADDRESS” with the address of the one that is meant.")
      return nil
    }
    Report.question("Which one? A number, or Enter for none: ")
    let answer = readLine().flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    return answer.flatMap { podcasts.indices.contains($0 - 1) ? podcasts[$0 - 1] : nil }
  }
}

extension VerbContext {
  /// The subscription that a link to another player's site means. The directories are only asked if the library does
  /// not know the link.
  /// - Returns: nil if the text is not such a link, or if it is not certain which subscription is meant.
  func podcast(behind text: String, among podcasts: [PodcastRow]) throws -> PodcastRow? {
    guard let link = SharedLink(text), let directories = refresher.directories else { return nil }
    let known = try library.subscriptionNames()
    if case .apple(let id, _, _) = link, let id = known["apple " + id] { return podcasts.first { $0.id == id } }
    let names = try Blocking.run { () async throws(Refresher.AddFailure) in try await directories.names(of: link) }
    let found = Set(names.compactMap { known[$0] })
    return found.count == 1 ? podcasts.first { found.contains($0.id) } : nil
  }

  /// The episode of a link to another player's site. Its podcast is fetched without subscribing.
  /// - Returns: nil if the text is not such a link.
  func episode(behind text: String) throws -> EpisodeID? {
    guard SharedLink(text) != nil else { return nil }
    let refresher = refresher
    var result = Blocking.run { await refresher.visit(VisitRequest(address: text)) }
    if case .failure(.ambiguous(let matches)) = result, let podcast = matches.chosen(instead: "earshot add") {
      result = Blocking.run {
        await refresher.visit(VisitRequest(address: podcast.feedURL, podcast: podcast, episode: matches.episode))
      }
    }
    let visited = try result.get()
    if let episode = visited.episode { return episode }
    let podcast = visited.podcast.title
    throw ReportedError(
      visited.lacksEpisode
        ? "The feed of “\(podcast)” does not have the episode of the link."
        : "The link leads to the podcast “\(podcast)”, and to none of its episodes. Run “earshot add” to subscribe to it.",
      .data)
  }
}

extension FeedVerb {
  /// The address of the feed that a link to another player's site leads to. Other addresses stay as they are.
  func address(_ configuration: Configuration) throws -> String {
    guard let link = SharedLink(source) else { return source }
    let directories = DirectoryAccess(configuration.discover, http: HTTPClient(options: .standard(configuration)))
    do throws(Refresher.AddFailure) {
      return try Blocking.run { () async throws(Refresher.AddFailure) in try await directories.follow(link).address }
    } catch {
      guard case .ambiguous(let matches) = error, let address = matches.chosen(instead: "earshot feed")?.feedURL
      else { throw error }
      return address
    }
  }
}
