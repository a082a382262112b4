import Foundation
import Model

/// A program of the listener that runs when something happens: a line of `[hooks]` in `config.toml`.
///
/// No shell reads it. Texts of feeds are hostile: each is one whole argument, which does not begin with `-`.
public struct Hook: Sendable, Equatable {
  /// The placeholders.
  public enum Field: String, Sendable, CaseIterable {
    case event, id, title, podcast, url, file, chapter, position, duration, count, text
  }

  /// The events that can have a hook.
  public static let events = WatchEvent.Kind.allCases.filter { $0 != .state && $0 != .position }

  public let event: WatchEvent.Kind
  private let words: [TextTemplate<Field>]

  /// - Parameter words: the program and its arguments.
  public init(_ event: WatchEvent.Kind, _ words: [String]) throws(ReportedError) {
    guard let program = words.first, !program.isEmpty else { throw ReportedError("must name a program") }
    guard !program.contains("{") else { throw ReportedError("the program cannot be a placeholder") }
    var parsed: [TextTemplate<Field>] = []
    for word in words {
      guard !word.contains("\0") else { throw ReportedError("must not contain a NUL character") }
      let template = try TextTemplate<Field>(word)
      guard template.parts.count < 2 else {
        throw ReportedError("“\(word)”: a placeholder must be a whole argument, such as \"{title}\"")
      }
      parsed.append(template)
    }
    self.event = event
    self.words = parsed
  }

  /// The program as the listener wrote it.
  public var program: String { words[0].text { _ in "" } }

  /// The arguments for an event.
  public func arguments(_ event: WatchEvent) -> [String] {
    words.dropFirst().map { word in word.text { Self.value($0, event).programArgument } }
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
    case .position: status.map { String(TimeText.whole($0.position)) } ?? ""
    case .duration: (episode?.duration ?? status?.duration).map { String(TimeText.whole($0)) } ?? ""
    case .count: event.count.map(String.init) ?? ""
    case .text: event.text ?? ""
    }
  }
}
