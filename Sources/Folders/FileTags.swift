import Foundation
import Model

/// What the tags of a file say.
public struct FileTags: Sendable, Equatable {
  public var title: String?
  public var album: String?
  public var artist: String?
  public var albumArtist: String?
  public var track: Int?
  public var disc: Int?
  public var date: Date?
  public var summary: String?
  /// Seconds.
  public var duration: Double?
  public var chapters: [Chapter]
  /// Whether a picture is in the file.
  public var hasPicture: Bool

  /// - Parameter metadata: as FFmpeg names the tags of all formats. Case does not matter.
  public init(
    metadata: [String: String] = [:], duration: Double? = nil, chapters: [Chapter] = [], hasPicture: Bool = false
  ) {
    let tags = Dictionary(metadata.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
    func text(_ names: String...) -> String? {
      names.lazy.compactMap { tags[$0]?.trimmingCharacters(in: .whitespacesAndNewlines) }.first { !$0.isEmpty }
    }
    title = text("title")
    album = text("album")
    artist = text("artist", "author")
    albumArtist = text("album_artist", "albumartist", "album artist")
    track = Self.number(text("track", "tracknumber"))
    disc = Self.number(text("disc", "discnumber"))
    date = text("date", "year", "creation_time").flatMap(Self.date)
    summary = text("description", "synopsis")
    // Matroska stores any number.
    self.duration = duration.flatMap { $0 > 0 && $0 < 1e8 ? $0 : nil }
    self.chapters = chapters
    self.hasPicture = hasPicture
  }

  /// "3" and "3/12".
  private static func number(_ text: String?) -> Int? {
    text.flatMap { Int($0.prefix { $0 != "/" }.trimmingCharacters(in: .whitespaces)) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// "2012", "2012-03" or "2012-03-04", with or without a time, which is left out.
  static func date(_ text: String) -> Date? {
    let parts = text.prefix(10).split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard let year = parts.first ?? nil, (1000...9999).contains(year) else { return nil }
    func part(_ index: Int, _ range: ClosedRange<Int>) -> Int {
      parts.count > index ? parts[index].flatMap { range.contains($0) ? $0 : nil } ?? 1 : 1
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: "UTC") ?? .gmt
    return calendar.date(from: DateComponents(year: year, month: part(1, 1...12), day: part(2, 1...31)))
  }
}
