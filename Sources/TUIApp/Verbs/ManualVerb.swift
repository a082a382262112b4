import AppCore
import ArgumentParser
import Foundation

/// `earshot manual`: the man page, made from the command table and the verbs; `make install` puts it in place.
struct ManualVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the man page (mdoc).", shouldDisplay: false)

  func perform() throws { Report.raw(Data(ManualPage.text().utf8)) }
}

/// The man page in mdoc(7).
enum ManualPage {
  static func text() -> String {
    var lines = [
      ".Dd November 21, 2026", ".Dt EARSHOT 1", ".Os", ".Sh NAME", ".Nm earshot",
      ".Nd podcast player for the terminal", ".Sh SYNOPSIS", ".Nm", ".Nm", ".Ar verb", ".Op Ar arguments",
      ".Sh DESCRIPTION", ".Nm", "browses podcast feeds, plays and seeks their episodes, and never loses the place.",
      "Without a verb the full-screen player opens.", ".Sh VERBS", ".Bl -tag -width Ds",
    ]
    for verb in EarshotCommand.configuration.subcommands where verb.configuration.shouldDisplay {
      lines += [".It Cm \(verb.configuration.commandName ?? "")", escaped(verb.configuration.abstract)]
    }
    lines += [
      ".El", "Every verb takes", ".Fl Fl json", "and", ".Fl Fl help .", ".Sh KEYS",
      "These are the defaults; the", ".Li [keys]", "table of", ".Pa config.toml", "binds others.",
      "Every command can be typed after a colon.",
    ]
    for group in Command.Group.allCases {
      lines += [".Ss \(group.rawValue)", ".Bl -tag -width \"shift-right\""]
      for command in Command.table where command.group == group {
        let keys = command.keys.isEmpty ? ":\(command.name.rawValue)" : command.keys.joined(separator: " ")
        lines += [".It \(escaped(keys))", escaped("\(command.help) (\(command.name.rawValue))")]
      }
      lines.append(".El")
    }
    lines += [
      ".Sh FILES", ".Bl -tag -width Ds",
      ".It Pa $XDG_CONFIG_HOME/earshot/config.toml", "Settings and keys.",
      ".It Pa $XDG_CONFIG_HOME/earshot/themes/", "Own themes.",
      ".It Pa $XDG_DATA_HOME/earshot/earshot.db", "The library.",
      ".It Pa $XDG_STATE_HOME/earshot/earshot.log", "The log.", ".El",
      ".Sh EXIT STATUS",
      "0 done, 64 usage, 65 invalid data, 69 no connectivity or the server refused, 73 and 74 cannot write,",
      "78 bad configuration.", ".Sh SEE ALSO", ".Xr mpv 1",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// A text that roff takes literally.
  private static func escaped(_ text: String) -> String {
    var text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    if text.hasPrefix(".") || text.hasPrefix("'") { text = "\\&" + text }
    return text.split(separator: " ").map { $0.count == 1 && ".,:;()[]?!|".contains($0) ? "\\&\($0)" : String($0) }
      .joined(separator: " ")
  }
}
