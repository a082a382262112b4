import Model
import TerminalKit
import Testing

@testable import AppCore
@testable import Session

/// Clips, search hits and jumps never lose the position.
@Suite struct JumpScripts {
  /// Effects that store another position of an episode, or record it as played.
  private func moves(_ effects: [Effect]) -> [Effect] {
    effects.filter {
      switch $0 {
      case .note(_, .position), .note(_, .event), .note(_, .status), .note(_, .jump): true
      case .note(_, .began): true
      default: false
      }
    }
  }

  @Test func clipFromAPlaylistKeepsThePosition() {
    var driver = Driver(library: .left)
    driver.type("5j<Enter><Enter>")
    driver.answerPlay(from: 60)
    driver.begin(duration: 7200)
    #expect(driver.state.player.position == 60)
    driver.hear(to: 95)
    driver.pause()
    driver.type("Q")
    let effects = driver.takeEffects()
    #expect(moves(effects) == [])
    #expect(driver.state.library.rows[Driver.second]?.position == 3002)
    // The statistics count the excerpt.
    let heard = effects.compactMap { if case .note(_, .excerpt(let from, let end, _)) = $0 { from...end } else { nil } }
    #expect(heard == [60...95])
  }

  @Test func clipOfThePlayingEpisodeCanBeLeftWithJumpBack() {
    var driver = Driver.playing(Driver.second, from: 3002, duration: 7200)
    driver.hear(to: 3005)
    driver.type("5j<Enter><Enter>")
    #expect(driver.takeEffects().positions.last == 3005)
    driver.hear(to: 95)
    #expect(driver.screen.contains("to go back to 50:05"))
    #expect(driver.takeEffects().positions == [])
    driver.pause()
    driver.type("<C-o>")
    let effects = driver.takeEffects()
    #expect(effects.seeks.last == 3005)
    #expect(effects.pauses == [false])
    #expect(driver.state.message?.text.contains("Back at") != true, "not before it is known")
    driver.report(3005)
    #expect(driver.state.message?.text.contains("Back at 50:05") == true)
  }

  @Test func searchHitCanBeLeftWithJumpBackAndUndo() {
    var driver = Driver(library: .left)
    driver.type("<Enter>")
    driver.play(Driver.second, from: 624)
    driver.answerPlay(from: 624)
    driver.begin(duration: 7200)
    #expect(driver.takeEffects().contains(.note(Driver.second, .jump(from: nil, to: 624))))
    driver.hear(to: 630)
    driver.type("<C-o>")
    #expect(driver.takeEffects().seeks == [3002])
    #expect(driver.effects(of: "<C-p>").seeks == [630])
    driver.send(.library(.undone(.back, "Jump", place: EpisodePlace(episode: Driver.second, seconds: 3002))))
    #expect(driver.takeEffects().seeks == [3002])
  }

  @Test(arguments: [
    (":seek 10<Enter>", [10.0]), ("<S-Right>", [260]), (">", [600]), ("c<Enter>", [0]), (":seek +90<Enter>", [290]),
  ]) func jumpsAreRemembered(keys: String, seeks: [Double]) {
    var driver = Driver.playing(from: 200, chapters: [Chapter(start: 0), Chapter(start: 600)])
    driver.type(keys)
    #expect(driver.takeEffects().seeks == seeks)
    #expect(driver.effects(of: "<C-o>").seeks == [200])
    #expect(driver.library.jumps.contains("1@200.0"))
  }

  @Test func firstPlaceOfTheJumpListSaysThatItIsTheFirst() {
    var driver = Driver.playing(from: 200)
    driver.type(":seek 10<Enter><C-o><C-o>")
    #expect(driver.state.message?.text == "No earlier jump. Press ^P to go forward.")
    #expect(driver.takeEffects().seeks == [10, 200])
  }

  @Test func shortSeeksAreNotJumps() {
    var driver = Driver.playing(from: 200)
    #expect(driver.message(after: "<Right><Left>:seek +30<Enter><C-o>") == "You have not jumped anywhere yet")
    #expect(driver.message(after: "<C-p>") == "You have not jumped anywhere yet", "there is nothing to go back to")
    #expect(driver.library.jumps == "")
  }

  @Test func seekOnTheBarIsAJump() {
    var driver = Driver.playing(from: 200)
    let bar = driver.state.layout.player
    let point = Point(bar.x + bar.width / 2, bar.maxY - 1)
    driver.send(.input(.mouse(MouseEvent(.press, at: point))))
    driver.send(.input(.mouse(MouseEvent(.release, at: point))))
    #expect(driver.effects(of: "<C-o>").seeks == [200])
  }

  @Test func jumpBackAndForwardCrossEpisodes() {
    var driver = Driver.playing(from: 200)
    driver.play(Driver.second)
    driver.answerPlay(from: 300)
    driver.begin()
    driver.hear(to: 310)
    #expect(driver.effects(of: "<C-o>").contains { $0.isPlay(Driver.first, from: 200) })
    driver.answerPlay(from: 200)
    driver.begin()
    #expect(driver.effects(of: "<C-p>").contains { $0.isPlay(Driver.second, from: 310) })
  }

  @Test func jumpListIsRestoredAfterARestart() {
    var driver = Driver.playing(from: 200)
    driver.type(":seek 10<Enter>")
    var again = Driver()
    again.state.remember(jumps: driver.library.jumps)
    again.type("<C-o>")
    #expect(again.takeEffects().contains { $0.isPlay(Driver.first, from: 200) })
  }

  @Test func undoRestoresThePositionOfTheOfferedEpisode() {
    var driver = Driver()
    driver.state.offer(driver.library.row(Driver.second)!, with: PlaybackSettings())
    for index in driver.library.episodes.indices where driver.library.episodes[index].id == Driver.second {
      driver.library.episodes[index].position = 42
    }
    driver.send(.library(.undone(.forward, "Jump", place: EpisodePlace(episode: Driver.second, seconds: 42))))
    #expect(driver.state.player.position == 42 && driver.takeEffects().seeks == [])
  }

  // MARK: Where a step leads

  /// A step back to another episode, which is being opened.
  private func steppingBack() -> Driver {
    var driver = Driver.playing(from: 200)
    driver.play(Driver.second)
    driver.answerPlay(from: 300)
    driver.begin()
    driver.hear(to: 310)
    driver.type("<C-o>")
    driver.answerPlay(from: 200)
    return driver
  }

  private func said(_ driver: Driver) -> String { driver.state.message?.text ?? "" }

  @Test func stepThatArrivesSaysSo() {
    var driver = steppingBack()
    #expect(!said(driver).contains("Back at"))
    driver.begin()
    driver.report(200)
    #expect(said(driver) == "Back at 3:20 of “Ep. 135 流動的資金盛宴”")
    driver.type("<C-p>")
    driver.answerPlay(from: 310)
    driver.begin()
    driver.report(310.5)
    #expect(said(driver) == "Forward again at 5:10 of “A café in Zürich”")
  }

  @Test func stepThatCannotBeMadeSaysWhyNot() {
    var driver = steppingBack()
    driver.send(.player(.unreachable(generation: driver.generation, seconds: 200)))
    #expect(driver.screen.contains("This server cannot start at 3:20") && !driver.screen.contains("Back at"))
    driver = steppingBack()
    driver.fail(at: nil)
    #expect(said(driver).hasPrefix("Cannot play"))
    #expect(!driver.state.messages.log.contains { $0.text.hasPrefix("Back at") })
    // The server ignores the range and sends the file from its start.
    driver = steppingBack()
    driver.begin()
    driver.report(0.5)
    #expect(said(driver) == "This stream cannot seek to 3:20. It continues at 0:00")
  }

  @Test func stepWithinAnEpisodeThatLeadsElsewhereSaysWhere() {
    var driver = Driver.playing(from: 200)
    driver.type(":seek 600<Enter>")
    driver.report(600)
    driver.type("<C-o>")
    driver.report(601, seek: SeekID.none)
    #expect(said(driver) == "", "the report is older than the seek")
    driver.report(640)
    #expect(said(driver) == "This stream cannot seek to 3:20. It continues at 10:40")
  }

  // MARK: Space

  @Test func sleepAtTheEndOffersTheNextOfTheQueue() {
    var driver = Driver.playing(from: 3590, queue: [Driver.first, Driver.second])
    driver.send { $0.setSleep(.endOfEpisode) }
    driver.end(at: 3600, atEnd: true)
    #expect(driver.state.player.episode?.id == Driver.second && driver.state.player.position == 300)
    #expect(driver.takeEffects().plays == [])
    #expect(driver.effects(of: "<Space>").plays == [Driver.second])
  }

  @Test func spaceAfterTheEndWithoutAQueuePlaysNothing() {
    var driver = Driver.playing(from: 3590)
    driver.library.episodes[0].status = .played
    driver.end(at: 3600, atEnd: true)
    driver.send(.library(.changed))
    #expect(driver.effects(of: "<Space>") == [])
    #expect(driver.state.message?.text == "“Ep. 135 流動的資金盛宴” was heard to its end. Press Enter to play it again.")
    #expect(driver.effects(of: "<Enter>").plays == [Driver.first])
  }

  /// The clip in the list has the sign of playing only while it plays itself.
  @Test func clipIsNotShownAsPlayingWhileItsEpisodePlays() throws {
    var driver = Driver.playing()
    driver.type("5j<Enter>")
    let clip = try #require(driver.state.selectedEntry?.clip)
    driver.play(clip.episode)
    driver.answerPlay(from: 0)
    driver.begin()
    driver.report(3)
    #expect(driver.lines.contains { $0.contains("✂") && $0.contains("The good bit") })
    driver.type("<Enter>")
    driver.answerPlay(from: clip.startTime)
    #expect(driver.lines.contains { $0.contains("▶") && $0.contains("The good bit") })
  }

  /// The feed's length is wrong; the bar and the row show the same.
  @Test func rowOfThePlayingEpisodeHasTheLengthOfItsFile() {
    var driver = Driver.playing(duration: 900)
    driver.report(60)
    #expect(driver.state.library.rows[Driver.first]?.duration == 900)
  }

  @Test func markedEpisodeIsNotCalledHeard() {
    var driver = Driver()
    var row = driver.library.row(Driver.second)!
    driver.state.offer(row, with: PlaybackSettings())
    row.status = .played
    driver.state.library.rows[row.id] = row
    driver.type("<Space>")
    #expect(driver.takeEffects().plays == [])
    #expect(driver.state.message?.text == "“\(row.title)” is marked as played. Press Enter to play it again.")
  }

  /// What Space does with an offered episode that has changed meanwhile.
  @Test(arguments: [
    (EpisodeStatus.new, true), (.playing, true), (.paused, true), (.played, false), (.deleted, false),
  ]) func spaceGoesOnWithWhatIsNotOver(status: EpisodeStatus, plays: Bool) {
    var driver = Driver()
    var row = driver.library.row(Driver.second)!
    driver.state.offer(row, with: PlaybackSettings())
    row.status = status
    driver.state.library.rows[row.id] = row
    driver.type("<Space>")
    #expect(driver.takeEffects().plays == (plays ? [Driver.second] : []))
    #expect(moves(driver.takeEffects()) == [])
  }

  @Test func spaceOnAGoneEpisodeResumes() {
    var driver = Driver()
    var row = driver.library.row(Driver.second)!
    row.isGoneFromFeed = true
    driver.state.offer(row, with: PlaybackSettings())
    driver.type("<Space>")
    #expect(driver.takeEffects().contains { $0.isPlay(Driver.second, from: nil) })
  }

  // MARK: Read-only players

  @Test(arguments: ["<Space>", "<Enter>", "i<Enter>", "b", "Z", ":play<Enter>"])
  func readOnlyPlayerRefusesToPlay(keys: String) {
    var driver = Driver.listening(queue: [Driver.second])
    driver.state.sleepMark = EpisodePlace(episode: Driver.first, seconds: 3)
    driver.state.access.refusal = "Another Earshot (process 7) is running; this one is read-only"
    driver.type(keys)
    let effects = driver.takeEffects()
    #expect(effects.plays == [] && !effects.contains(.stopPlayer))
    #expect(driver.state.player.phase == .stopped)
    #expect(!driver.screen.contains("play the selected episode"))
    #expect(driver.state.message?.text == "Cannot play: " + driver.state.access.refusal!)
  }

  @Test func detailsOfThePlayingEpisodeShowNoOldPosition() {
    var driver = Driver.listening()
    driver.state.size = Size(120, 40)
    #expect(driver.screen(after: "j").contains("heard to 5:00"))
    driver.type("<Enter>")
    driver.answerPlay(from: 300)
    driver.begin()
    driver.hear(to: 310)
    #expect(!driver.screen.contains("heard to 5:00") && driver.screen.contains("plays now"))
  }
}
