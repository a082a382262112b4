import Foundation
import Model

/// Parser for JSON chapters of the podcast namespace, version 1.2 (github.com/Podcastindex-org/podcast-namespace,
/// docs/examples/chapters/jsonChapters.md).
///
/// It is lenient: times may be strings, a bare list is accepted, and entries without a time, or with one before the
/// start, are left out.
public enum ChaptersJSON {
  static let maxBytes = 8_000_000
  static let chapterLimit = 10_000

  /// The chapters in order of time. Chapters with `"toc": false` are hidden, not dropped. A chapter ends at its
  /// `endTime`, or else where the next visible one starts. The last one has no end.
  public static func parse(_ data: Data) throws(FeedError) -> [Chapter] {
    guard data.count <= maxBytes else { throw malformed("\(data.count) bytes are too many") }
    guard let value = JSONValue(TextBytes.string(data)) else { throw malformed("this is not JSON") }
    guard let list = (value["chapters"] ?? value).array else { throw malformed("the JSON has no list of chapters") }
    return ChapterTimes.completed(list.prefix(chapterLimit).compactMap(chapter))
  }

  static func malformed(_ reason: String) -> FeedError { .invalidData(.malformed(reason: "chapters: \(reason)")) }

  private static func chapter(_ entry: JSONValue) -> Chapter? {
    guard let start = (entry["startTime"] ?? entry["start"])?.seconds, start >= 0 else { return nil }
    return Chapter(
      start: start, end: entry["endTime"]?.seconds.flatMap { $0 > start ? $0 : nil },
      title: entry["title"]?.string.flatMap(title), url: address(entry["url"]?.string),
      image: address((entry["img"] ?? entry["image"])?.string), hidden: entry["toc"]?.bool == false,
      location: entry["location"].flatMap(location))
  }

  private static func location(_ entry: JSONValue) -> FeedLocation? {
    func line(_ key: String) -> String? { entry[key]?.string.map(CleanText.line)?.nonEmpty }
    return line("name").map { FeedLocation(name: $0, geo: line("geo"), osm: line("osm")) }
  }

  /// A title is plain text, as that of an episode.
  static func title(_ text: String) -> String? { PlainTitle.text(CleanText.line(text)).nonEmpty }

  /// An http or https address.
  static func address(_ text: String?) -> String? {
    guard let text, let address = LinkResolver(baseURL: nil).resolve(text) else { return nil }
    return address.hasPrefix("mailto:") ? nil : address
  }
}

extension JSONValue {
  /// Seconds from a number or a text ("12.5", "1:02:03").
  var seconds: Double? {
    switch self {
    case .number(let seconds): abs(seconds) <= MediaTime.maximum ? seconds : nil
    case .string(let text): NormalPlayTime.parse(text)
    default: nil
    }
  }
}

/// Sorting and end times of chapters.
enum ChapterTimes {
  /// Sorted by start (equal starts keep their order). Each chapter before a visible one gets an end.
  static func completed(_ chapters: [Chapter]) -> [Chapter] {
    var result = chapters.sorted { $0.start < $1.start }
    var nextStart: Double?
    for index in result.indices.reversed() {
      if result[index].end == nil, let nextStart, nextStart > result[index].start { result[index].end = nextStart }
      if !result[index].hidden { nextStart = result[index].start }
    }
    return result
  }
}
