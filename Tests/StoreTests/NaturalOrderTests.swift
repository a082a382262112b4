import Foundation
import Model
import Testing

@testable import Store

/// Numbers in titles are sorted by their value.
@Suite struct NaturalOrderTests {
  @Test func numbersAreSortedByTheirValue() {
    let keys = ["", "9", "09b", "89", "90", "100", "a", "a 10", "a2", "part 9 of 10", "part 10 of 2", "z"]
      .map { String(decoding: NaturalKey.key(Array($0.utf8)), as: UTF8.self) }
    #expect(keys == keys.sorted())
  }

  @Test func veryLongNumberIsANumber() {
    let long = String(repeating: "9", count: 300)
    let keys = [long + "1", long + "2", "0", "00", "1"].map { NaturalKey.key(Array($0.utf8)) }
    #expect(keys[0].lexicographicallyPrecedes(keys[1]))
    #expect(keys[2] == keys[3] && keys[2].lexicographicallyPrecedes(keys[4]))
    #expect(String(validating: keys[0], as: UTF8.self) != nil)
  }

  @Test func podcastsAndEpisodesAreSortedInNaturalOrder() throws {
    let box = try TemporaryLibrary()
    for (index, title) in ["90 Minutes", "9 Lives", "The 89", "Ubung 10", "Übung 2"].enumerated() {
      try box.library.subscribe(
        feed: Samples.feed([], title: title), feedURL: "https://\(index).example", now: Samples.now)
    }
    #expect(
      try box.library.podcasts().map(\.title) == ["9 Lives", "The 89", "90 Minutes", "Übung 2", "Ubung 10"])
    try box.subscribe(Samples.episodes(8...11))
    let filter = try EpisodeFilter(parsing: "duration > 0s order title")
    #expect(
      try box.titles(EpisodeQuery(.matching(filter))) == ["Episode 8", "Episode 9", "Episode 10", "Episode 11"])
  }
}
