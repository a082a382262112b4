import Foundation
import Model
import Store
import TerminalKit
import Testing

@testable import TUIApp

/// Notes and bookmarks in a real terminal: the listener's editor, and a kill.
@Suite(.withTmux, InTerminal()) struct NoteEditorTests {
  private let home: TemporaryHome

  init() throws { home = try TemporaryHome() }

  /// An editor that is this shell script. The file is `$1`.
  private func editor(_ script: String) throws -> [String: String] {
    ["VISUAL": "/bin/sh " + (try home.file("editor.sh", script.utf8)), "EDITOR": "false"]
  }

  private var notes: [String] {
    get throws { try home.library { try $0.notedEpisodes().flatMap(\.marks).compactMap(\.note) } }
  }

  private func session(_ script: String) async throws -> TmuxSession {
    let session = try await TmuxSession(home, variables: try editor(script))
    try await session.waitFor("Welcome to Earshot")
    try await session.press("Enter")
    try await session.press("C-e")
    return session
  }

  @Test func theEditorWritesTheNote() async throws {
    let session = try await session("printf 'Line one\\nline two\\n' > \"$1\"")
    try await session.waitFor("Saved the note.")
    try await session.quit()
    #expect(try notes == ["Line one\nline two"])
  }

  @Test func anEditorThatCrashesLeavesTheNote() async throws {
    let session = try await session("kill -SEGV $$")
    try await session.waitFor("was ended by signal 11: the note is unchanged")
    try await session.press("?", shows: "Moving about")
    try await session.quit()
    #expect(try notes == [])
  }

  @Test func whatAFailingEditorWroteIsKept() async throws {
    let session = try await session("echo precious > \"$1\"; exit 3")
    try await session.waitFor(/What you wrote is in \/\S+\/note\.md/)
    try await session.quit()
  }

  /// As git and system(3) do: the key is the editor's.
  @Test func quitInTheEditorDoesNotEndThePlayer() async throws {
    let session = try await session("trap 'echo kept > \"$1\"; exit 0' QUIT; echo editing; while :; do sleep 1; done")
    try await session.waitFor("editing")
    try await session.press("C-\\", shows: "Saved the note.")
    try await session.quit()
    #expect(try notes == ["kept"])
  }

  /// `^Z` in the editor stops both programs. `fg` continues both.
  @Test func suspendingInTheEditor() async throws {
    let variables = try editor("echo editing; read line; echo \"$line\" > \"$1\"")
    let session = try await TmuxSession.shell(home, variables: variables)
    try await session.type("earshot")
    try await session.press("Enter", shows: "Nothing playing")
    try await session.press("Enter", "C-e", shows: "editing")
    try await session.press("C-z")
    // The prompt at which Earshot was started is on this screen, too. Before the next one, the editor may read `fg`.
    try await session.waitUntil("the next prompt") { $0.components(separatedBy: "ready>").count > 2 }
    try await session.type("fg")
    try await session.press("Enter", shows: "fg")
    try await session.type("later")
    try await session.press("Enter", shows: "Saved the note.")
    try await session.press("Q", shows: "ready>")
    #expect(try notes == ["later"])
  }

  @Test func aKillKeepsABookmark() async throws {
    let broadcast = try Broadcast("Marked")
    try await broadcast.subscribeOnly(in: home)
    let session = try await TmuxSession(home)
    try await session.waitFor("Third hour")
    try await session.press("Enter", "Enter")
    try await session.waitForBar("a second heard") { $0.phase == .playing && $0.elapsed >= 1 }
    try await session.press("B", shows: "Bookmark at")
    #expect(kill(try await session.processID(), SIGKILL) == 0)
    _ = try await session.exitStatus()
    let clips = try home.library { try $0.clips() }
    #expect(clips.count == 1 && clips.first?.isBookmark == true)
  }
}
