import Testing

@testable import Programs

struct CommandWordsTests {
  @Test(arguments: [
    ("a  b\tc", ["a", "b", "c"]),
    ("", []),
    ("a '' \"\"", ["a", "", ""]),
    (#"'a b'c"d e""#, ["a bcd e"]),
    (#"a\ b \"c"#, ["a b", "\"c"]),
    (#""a\"b\\c\d""#, [#"a"b\c\d"#]),
    (#"'a\b|$x'"#, [#"a\b|$x"#]),
    ("whisper-cli -m ~/m.bin -of {output} {wav}", ["whisper-cli", "-m", "~/m.bin", "-of", "{output}", "{wav}"]),
    (#""a;b""#, ["a;b"]),
  ]) func wordsAreSplitAsInAShell(text: String, words: [String]) throws {
    #expect(try CommandWords.split(text) == words)
  }

  /// The same words as the shell of this machine makes.
  @Test(arguments: [#"a 'b c' "d e" f\ g"#, #""x\"y" 'z"'"#, #"-t "a;b|c" '$HOME'"#]) func theShellAgrees(
    text: String
  ) throws {
    let program = ListenerProgram(["/bin/sh", "-c", "printf '%s\\n' \(text)"], environment: [:])
    let outcome = try program.run()
    let words = String(decoding: outcome.output, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(try CommandWords.split(text) == words)
  }

  @Test(arguments: [
    ("a | b", "|"), ("a > b", ">"), ("a; b", ";"), ("a & b", "&"), ("a $HOME", "$"), ("a \"$x\"", "$"), ("a `b`", "`"),
    ("a 'b", "not closed"), ("a \"b", "not closed"), ("a \\", "backslash"),
  ]) func whatNeedsAShellIsAnError(text: String, reason: String) {
    let error = #expect(throws: CommandWords.Failure.self) { try CommandWords.split(text) }
    #expect(error?.description.contains(reason) == true)
  }
}
