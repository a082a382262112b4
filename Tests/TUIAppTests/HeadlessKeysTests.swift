import Model
import Testing

@testable import TUIApp

@Suite(InTurn()) struct HeadlessKeysTests {
  private static func commands(_ text: String) -> [RemoteCommand] {
    HeadlessKeys.commands(Array(text.utf8)[...], Preferences())
  }

  @Test func keysAreCommands() {
    #expect(Self.commands(" q<>") == [.toggle, .quit, .previous, .next])
    #expect(
      Self.commands("\u{1b}[C\u{1b}[D\u{1b}OA\u{1b}OB") == [.seekBy(30), .seekBy(-10), .seekBy(60), .seekBy(-60)])
  }

  /// Keys without a meaning, incomplete sequences and pasted text.
  @Test func otherInputIsSkipped() {
    #expect(Self.commands("\u{1b}[1;5C\u{1b}[200~ab") == [])
    #expect(Self.commands("\u{1b} \u{1b}") == [.toggle])
    #expect(Self.commands("\u{1b}[") == [])
    #expect(Self.commands("ü") == [])
  }
}

/// `earshot play` in a real terminal. The keys work, and the shell gets its terminal back as it was.
@Suite(.withTmux, InTerminal()) struct HeadlessKeysInTerminalTests {
  @Test func spacePausesAndQSaysWhereItStopped() async throws {
    let home = try TemporaryHome()
    let session = try await TmuxSession.shell(home)
    let play = "stty -a > before; earshot play --speed 0.5 1; stty -a > after; cmp before after && echo equal"
    try await session.type(play)
    // On a busy machine any time may have passed until the keys are read.
    try await session.press("Enter")
    try await session.waitFor(#/▶ \d:\d\d/#)
    try await session.press("Space")
    try await session.waitFor(#/Ⅱ \d:\d\d/#)
    try await session.press("Space")
    try await session.waitFor(#/▶ \d:\d\d/#)
    try await session.press("q")
    try await session.waitFor(#/Stopped at \d:\d\d of “/#)
    try await session.waitFor("Run “earshot play 1” to continue.")
    try await session.waitFor(#/\nequal/#)
  }

  @Test func endOfTheSleepTimerNamesWhatIsNext() async throws {
    let home = try TemporaryHome()
    for name in ["a.wav", "b.wav"] { _ = try home.file(name, Broadcast.silence(seconds: 300)) }
    let session = try await TmuxSession.shell(home)
    try await session.type("cd \(home.path); earshot play a.wav b.wav")
    try await session.press("Enter")
    try await session.waitFor(#/▶ \d:\d\d/#)
    for command in [["sleep", "episode"], ["seek", "4:58"]] {
      #expect(try await BuiltProgram.run(["ctl"] + command, in: home).status == 0)
    }
    try await session.waitFor("The sleep timer stopped playback after “a.wav”. “b.wav” is next.")
  }
}
