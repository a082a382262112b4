import Foundation
import Testing

@testable import Directories

/// Merging the results of several directories into one list.
struct ResultsTests {
  private static func podcast(
    _ title: String, feed: String? = nil, guid: String? = nil, apple: String? = nil, from name: DirectoryName
  ) -> DirectoryPodcast {
    var podcast = DirectoryPodcast(title: title)
    podcast.feedURL = feed
    podcast.guid = guid
    podcast.appleID = apple
    podcast.directories = [name]
    return podcast
  }

  private static func outcome(_ name: DirectoryName, _ podcasts: [DirectoryPodcast]) -> DirectoryOutcome {
    DirectoryOutcome(name: name, result: .success(DirectoryAnswer(podcasts: podcasts)))
  }

  private static let apple = outcome(
    .apple,
    [
      podcast("Other", feed: "https://o.example/f", from: .apple),
      podcast("Sea", feed: "http://www.sea.example/feed/", apple: "1", from: .apple),
    ])
  private static let index = outcome(
    .podcastindex, [podcast("Sea", feed: "https://sea.example/moved", guid: "g", apple: "1", from: .podcastindex)])
  private static let gpodder = outcome(
    .gpodder, [podcast("Sea stories", feed: "https://sea.example/moved", from: .gpodder)])

  @Test func entriesOfOnePodcastAreMergedByAddressGuidAndAppleID() {
    var results = DirectoryResults(DirectoryQuery("nothing like it"))
    for outcome in [Self.gpodder, Self.apple, Self.index] { results.add(outcome) }
    #expect(results.podcasts.map(\.title) == ["Sea", "Other"])
    #expect(results.podcasts[0].directories == [.apple, .podcastindex, .gpodder])
    #expect(results.podcasts[0].guid == "g")
  }

  @Test func orderOfTheAnswersDoesNotMatter() {
    let all = [Self.apple, Self.index, Self.gpodder]
    let orders = [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]]
    let lists = orders.map { order in
      var results = DirectoryResults(DirectoryQuery("sea"))
      for index in order { results.add(all[index]) }
      return results.podcasts
    }
    #expect(lists.allSatisfy { $0 == lists[0] })
  }

  @Test func groupsOfResultsWithACommonKeyAreMerged() {
    var results = DirectoryResults(DirectoryQuery("x"))
    results.add(
      Self.outcome(
        .apple,
        [
          Self.podcast("A", feed: "https://a.example/1", from: .apple), Self.podcast("A", guid: "g", from: .apple),
          Self.podcast("A", feed: "https://a.example/1", guid: "G", from: .apple),
        ]))
    #expect(results.podcasts.count == 1)
  }

  @Test func exactTitleComesFirstAndADeadFeedLast() {
    var results = DirectoryResults(DirectoryQuery("The Söa"))
    var dead = Self.podcast("The Soa", feed: "https://d.example/", from: .apple)
    dead.isDead = true
    results.add(
      Self.outcome(
        .apple,
        [
          dead, Self.podcast("About the söa", feed: "https://b.example/", from: .apple),
          Self.podcast("the SOA!", feed: "https://a.example/", from: .apple),
        ]))
    #expect(results.podcasts.map(\.feedURL) == ["https://a.example/", "https://b.example/", "https://d.example/"])
  }

  @Test func failureIsReportedBesideTheResults() async {
    struct Directory: PodcastDirectory {
      var name: DirectoryName
      var outcome: Result<DirectoryAnswer, DirectoryError>
      func supports(_ kind: DirectoryQuery.Kind) -> Bool { kind == .podcasts }
      func find(_ query: DirectoryQuery) async throws(DirectoryError) -> DirectoryAnswer { try outcome.get() }
    }
    let failure = DirectoryError("fyyd", .rateLimited())
    let search = DirectorySearch([
      Directory(name: .fyyd, outcome: .failure(failure)),
      Directory(
        name: .apple,
        outcome: .success(DirectoryAnswer(podcasts: [Self.podcast("Sea", feed: "https://a.example/", from: .apple)]))),
    ])
    let results = await search.results(DirectoryQuery("sea"))
    #expect(results.podcasts.count == 1)
    #expect(results.failures == [failure])
    #expect(await search.results(DirectoryQuery("sea", kind: .people)).failures.isEmpty)
  }
}
