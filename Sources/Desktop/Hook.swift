import Foundation
import Model

/// A program of the listener that runs when something happens: a line of `[hooks]` in `config.toml`.
///
/// No shell reads it. Texts of feeds are hostile: each is one whole argument, which does not begin with `-`.
public struct Hook: Sendable, Equatable {
  enum Word: Sendable, Equatable {
    case text(String)
    case field(Field)
  }

  /// The placeholders.
  public enum Field: String, Sendable, CaseIterable {
    case event, id, title, podcast, url, file, chapter, position, duration, count, text
  }

  /// The events that can have a hook.
  public static let events = WatchEvent.Kind.allCases.filter { $0 != .state && $0 != .position }

  public let event: WatchEvent.Kind
  private let words: [Word]

  /// Why a line cannot be used.
  public struct Problem: Error, Equatable, CustomStringConvertible {
    public var description: String
    public init(description: String) { self.description = description }
  }

  /// - Parameter words: the program and its arguments.
  public init(_ event: WatchEvent.Kind, _ words: [String]) throws(Problem) {
    guard let program = words.first, !program.isEmpty else { throw Problem(description: "must name a program") }
    guard !program.contains("{") else { throw Problem(description: "the program cannot be a placeholder") }
    var parsed: [Word] = []
    for word in words {
      guard !word.contains("\0") else { throw Problem(description: "must not contain a NUL character") }
      guard word.contains("{") else {
        parsed.append(.text(word))
        continue
      }
      let name = word.hasPrefix("{") && word.hasSuffix("}") ? String(word.dropFirst().dropLast()) : nil
      guard let field = name.flatMap(Field.init(rawValue:)) else {
        let names = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
        throw Problem(
          description: name.map { !$0.contains("{") } == true
            ? "there is no placeholder \(word); there are \(names)"
            : "“\(word)”: a placeholder must be a whole argument, such as \"{title}\"")
      }
      parsed.append(.field(field))
    }
    self.event = event
    self.words = parsed
  }

  /// The program as the listener wrote it.
  public var program: String { if case .text(let text) = words[0] { text } else { "" } }

  /// The arguments for an event.
  public func arguments(_ event: WatchEvent) -> [String] {
    words.dropFirst().map { word in
      switch word {
      case .text(let text): text
      case .field(let field): Self.argument(Self.value(field, event))
      }
    }
  }

  private static func value(_ field: Field, _ event: WatchEvent) -> String {
    let episode = event.episode ?? event.episodes?.first
    let status = event.status
    return switch field {
    case .event: event.event.rawValue
    case .id: (episode?.id ?? status?.episode).map(String.init) ?? ""
    case .title: episode?.title ?? status?.title ?? ""
    case .podcast: episode?.podcast ?? status?.podcast ?? ""
    case .url: episode?.url ?? status?.url ?? ""
    case .file: episode?.file ?? ""
    case .chapter: status?.chapter ?? ""
    case .position: status.map { String(Int($0.position)) } ?? ""
    case .duration: (episode?.duration ?? status?.duration).map { String(Int($0)) } ?? ""
    case .count: event.count.map(String.init) ?? ""
    case .text: event.text ?? ""
    }
  }

  /// The longest argument, in characters.
  private static let longest = 1000

  /// A text of a feed as an argument: one line, without control characters, and with a space before a leading hyphen,
  /// so that no program takes it for an option.
  static func argument(_ text: String) -> String {
    let line = String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .lineSeparator, .paragraphSeparator: " "
          default: scalar
          }
        })
    ).prefix(longest)
    return line.hasPrefix("-") ? " " + line : String(line)
  }
}
