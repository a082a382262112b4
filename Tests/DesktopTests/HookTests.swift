import Foundation
import Model
import Testing

@testable import Desktop

/// The lines of `[hooks]`: what is allowed, and what becomes of hostile texts.
@Suite(InTurn()) struct HookTests {
  private func arguments(_ words: [String], _ event: WatchEvent) throws -> [String] {
    try Hook(.finished, words).arguments(event)
  }

  private func event(title: String) -> WatchEvent {
    var event = WatchEvent(.finished)
    event.episode = .init(id: EpisodeID(7), title: title, podcast: "P", file: "/tmp/x.mp3", duration: 61.7)
    return event
  }

  @Test(arguments: [
    ("\"; rm -rf ~ #", "\"; rm -rf ~ #"), ("$(id)", "$(id)"), ("-rf", " -rf"), ("--", " --"),
    ("a\nb\r\u{0}c", "a b  c"),
    ("\u{1b}]0;x\u{7}", " ]0;x "), ("\u{2028}-x", " -x"), ("`id` | sh & > x", "`id` | sh & > x"), ("", ""),
    ("\n-rf", " -rf"),
  ]) func hostileTitleIsOneArgument(title: String, argument: String) throws {
    let result = try arguments(["program", "--", "{title}", "{id}"], event(title: title))
    #expect(result == ["--", argument, "7"])
    #expect(!result[1].hasPrefix("-"))
  }

  @Test func longTextsAreCut() throws {
    #expect(try arguments(["p", "{title}"], event(title: String(repeating: "x", count: 5000)))[0].count == 1000)
  }

  @Test func placeholdersHaveTheirValues() throws {
    #expect(
      try arguments(["p", "{event}", "{podcast}", "{file}", "{duration}", "{count}", "{position}"], event(title: "T"))
        == ["finished", "P", "/tmp/x.mp3", "61", "", ""])
    let playing = WatchEvent(.playing, status: PlayerStatus(ControlTests.playing))
    #expect(try arguments(["p", "{title}", "{id}", "{position}"], playing) == ["A title", "7", "83"])
  }

  @Test(arguments: [
    ([], "must name a program"), ([""], "must name a program"), (["{title}"], "the program cannot be a placeholder"),
    (["p", "x={title}"], "a placeholder must be a whole argument"),
    (["p", "{titel}"], "there is no {titel}"),
    (["p", "{title}{id}"], "a placeholder must be a whole argument"),
  ]) func wrongLinesAreRefused(words: [String], problem: String) {
    let error = #expect(throws: ReportedError.self) { try Hook(.playing, words) }
    #expect(error?.description.contains(problem) == true, "\(String(describing: error))")
  }
}
