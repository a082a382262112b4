import ArgumentParser
import CBuildInfo
import Foundation
import Model

/// `earshot help [TOPIC or command]`. Replaces the parser's own, which has no topics.
struct HelpVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "earshot help",
    abstract: "Explain a verb, or one of these topics: \(HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")).")

  @Argument(
    help: "A topic, or a verb with its parts.",
    completion: .list(HelpTopic.allCases.map(\.rawValue)))
  var words: [String] = []

  @OptionGroup var output: JSONOption

  func perform() throws {
    let text = try text()
    guard output.json else { return Report.raw(Data(text.utf8)) }
    try Report.json(["topic": words.joined(separator: " "), "text": text])
  }

  private func text() throws -> String {
    // Limited so that lines are easy to read.
    let columns = min(Report.columns(of: STDOUT_FILENO), 100)
    guard let first = words.first else {
      let topics = HelpTopic.allCases.map {
        "  \($0.rawValue.padding(toLength: 24, withPad: " ", startingAt: 0))\($0.summary)"
      }
      return EarshotCommand.helpMessage(columns: columns)
        + "\n\nTOPICS, for earshot help TOPIC:\n\(topics.joined(separator: "\n"))\n"
    }
    if words.count == 1, let topic = HelpTopic(rawValue: first) { return topic.document.text(columns: columns) }
    var command: any ParsableCommand.Type = EarshotCommand.self
    for word in words {
      guard let next = command.configuration.subcommands.first(where: { $0.isNamed(word) }) else {
        throw Self.unknown(word, of: words, besides: command, orTopic: words.count == 1)
      }
      command = next
    }
    return EarshotCommand.helpMessage(for: command, columns: columns)
  }

  /// The error of a command line whose verb does not exist, with the names that are like it. Nil: it exists.
  static func unknownVerb(in words: [String]) -> ValidationError? {
    var command: any ParsableCommand.Type = EarshotCommand.self
    var path: [String] = []
    for word in words where !command.configuration.subcommands.isEmpty {
      path.append(word)
      if let next = command.configuration.subcommands.first(where: { $0.isNamed(word) }) {
        command = next
      } else if word.hasPrefix("-") || command.configuration.defaultSubcommand != nil {
        return nil
      } else {
        return unknown(word, of: path, besides: command, orTopic: false)
      }
    }
    return nil
  }

  private static func unknown(
    _ word: String, of words: [String], besides command: any ParsableCommand.Type, orTopic: Bool
  ) -> ValidationError {
    var names = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }.map { $0.name }
    if orTopic { names += HelpTopic.allCases.map(\.rawValue) }
    let near = NearestName.question(for: word, among: names)
    let text = "There is no verb \(orTopic ? "and no topic " : "")“" + words.joined(separator: " ") + "”"
    return ValidationError(text + (near.isEmpty ? ". Run “earshot help” to list them." : near))
  }
}

extension ParsableCommand {
  fileprivate static var name: String { configuration.commandName ?? "" }

  fileprivate static func isNamed(_ word: String) -> Bool { name == word || configuration.aliases.contains(word) }
}

/// `earshot manual [PAGE]`: prints a man page in mdoc(7), made from the tables of the program. `make install` installs
/// the pages.
struct ManualVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print a man page (mdoc).", shouldDisplay: false)

  @Argument(
    help: "\(ManualPages.all.map(\.name).joined(separator: ", ")).",
    completion: .list(ManualPages.all.map(\.name)))
  var page = "earshot"

  func perform() throws {
    guard let document = ManualPages.all.first(where: { $0.name == page }) else {
      throw ValidationError("There is no page “\(page)”.")
    }
    Report.raw(Data(document.mdoc(day: String(cString: earshot_build_date())).utf8))
  }
}
