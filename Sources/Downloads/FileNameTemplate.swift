import Foundation
import Model

/// The names of downloaded files: a path below the download directory, with fields of the episode in braces, such as
/// `{podcast}/{date} {title}`.
///
/// The file extension is added. Each value is made safe on its own, so that no text of a feed can leave the
/// directory, hide a file, or be a name that another system refuses.
public struct FileNameTemplate: Sendable, Equatable {
  enum Field: String, CaseIterable {
    case podcast, title, date, season, number, id
  }

  /// Directories, and last the file name without its extension.
  private let components: [TextTemplate<Field>]

  public static let standard = FileNameTemplate(components: [
    TextTemplate([.field(.podcast)]), TextTemplate([.field(.date), .text(" "), .field(.title)]),
  ])

  private init(components: [TextTemplate<Field>]) { self.components = components }

  public init(_ text: String) throws(ReportedError) {
    var components: [TextTemplate<Field>] = []
    for part in text.split(separator: "/") {
      let template = try TextTemplate<Field>(String(part))
      guard !template.text({ _ in "" }).contains("{") else {
        throw ReportedError("a { begins no name; there are \(TextTemplate<Field>.names)")
      }
      components.append(template)
    }
    guard !components.isEmpty else { throw ReportedError("is empty") }
    self.components = components
  }

  /// The path of the episode's file, relative and without extension.
  func path(of detail: EpisodeDetail) -> String {
    components.map { SafeFileName.component($0.text { text(of: $0, detail) }) }.joined(separator: "/")
  }

  private func text(of field: Field, _ detail: EpisodeDetail) -> String {
    switch field {
    case .podcast: detail.row.podcastTitle
    case .title: detail.row.title
    case .date: Self.day(detail.row.pubDate)
    case .season: detail.feed.season.map { String($0) } ?? ""
    case .number: detail.feed.episodeNumber.map { String($0) } ?? ""
    case .id: detail.id.description
    }
  }

  /// In UTC, so that the name does not depend on the time zone.
  private static func day(_ date: Date?) -> String {
    guard let date, date.timeIntervalSince1970.isFinite, abs(date.timeIntervalSince1970) < 1e11 else { return "" }
    return date.formatted(.iso8601.year().month().day())
  }
}

/// File names that every file system accepts, made from any text.
public enum SafeFileName {
  /// Bytes of one name. With " (99)", an extension and ".part" it stays below the 143 bytes that eCryptfs allows.
  private static let limit = 120

  /// Device names on Windows, reserved with and without extension
  /// (https://learn.microsoft.com/windows/win32/fileio/naming-a-file).
  private static let reserved: Set<String> = Set(
    ["CON", "PRN", "AUX", "NUL"] + (1...9).flatMap { ["COM\($0)", "LPT\($0)"] })

  /// One component of a path, without separators.
  public static func component(_ text: String) -> String {
    var name = squeezed(text.precomposedStringWithCanonicalMapping)
    name = cut(name)
    name = trimmed(name)
    if name.isEmpty { name = "Untitled" }
    let stem = name.prefix { $0 != "." }.trimmingCharacters(in: .whitespaces).uppercased()
    return reserved.contains(stem) ? "_" + name : name
  }

  /// Removes control and bidirectional characters, replaces characters with a meaning for file systems, and merges
  /// whitespace.
  private static func squeezed(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(4000) {
      switch scalar.properties.generalCategory {
      case .control where scalar.value == 9 || scalar.value == 10 || scalar.value == 13,
        .spaceSeparator, .lineSeparator, .paragraphSeparator:
        if scalars.last != " " { scalars.append(" ") }
      case .control, .format, .privateUse, .surrogate, .unassigned: break
      default: scalars.append(#"<>:"/\|?*"#.unicodeScalars.contains(scalar) ? "-" : scalar)
      }
    }
    return String(scalars)
  }

  /// Cuts between characters if possible, otherwise between scalars, because one character can be longer than the
  /// limit.
  private static func cut(_ text: String) -> String {
    guard text.utf8.count > limit else { return text }
    var (name, bytes) = ("", 0)
    for character in text {
      bytes += character.utf8.count
      guard bytes <= limit else { break }
      name.append(character)
    }
    guard name.isEmpty else { return name }
    var scalars = String.UnicodeScalarView()
    bytes = 0
    for scalar in text.unicodeScalars {
      bytes += UTF8.width(scalar)
      guard bytes <= limit else { break }
      scalars.append(scalar)
    }
    return String(scalars)
  }

  /// No leading dot (hidden file, or `..`), no trailing dot (Windows drops it), and no leading minus (would be read
  /// as an option).
  private static func trimmed(_ text: String) -> String {
    let inner = text.drop { ".- ~".contains($0) }
    let end = inner.lastIndex { !". ".contains($0) }
    return end.map { String(inner[...$0]) } ?? ""
  }
}
