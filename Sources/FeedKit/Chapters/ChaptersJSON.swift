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
    func malformed(_ reason: String) -> FeedError { .invalidData(.malformed(reason: "chapters: \(reason)")) }
    guard data.count <= maxBytes else { throw malformed("\(data.count) bytes are too many") }
    guard let value = ForeignJSON.value(Data(TextBytes.string(data).utf8)) else { throw malformed("this is not JSON") }
    guard let list = ((value as? [String: Any])?["chapters"] ?? value) as? [Any] else {
      throw malformed("the JSON has no list of chapters")
    }
    let chapters = list.prefix(chapterLimit).compactMap { ($0 as? [String: Any]).flatMap(chapter) }
    return ChapterTimes.completed(chapters)
  }

  private static func chapter(_ entry: [String: Any]) -> Chapter? {
    guard let start = seconds(entry["startTime"] ?? entry["start"]), start >= 0 else { return nil }
    return Chapter(
      start: start, end: seconds(entry["endTime"]).flatMap { $0 > start ? $0 : nil },
      title: (entry["title"] as? String).flatMap(title), url: address(entry["url"]),
      image: address(entry["img"] ?? entry["image"]),
      hidden: (entry["toc"] as? Bool) == false, location: (entry["location"] as? [String: Any]).flatMap(location))
  }

  private static func location(_ entry: [String: Any]) -> FeedLocation? {
    func line(_ key: String) -> String? { (entry[key] as? String).map(CleanText.line)?.nonEmpty }
    return line("name").map { FeedLocation(name: $0, geo: line("geo"), osm: line("osm")) }
  }

  /// A title is plain text, as that of an episode.
  static func title(_ text: String) -> String? { PlainTitle.text(CleanText.line(text)).nonEmpty }

  /// Seconds from a number or a text ("12.5", "1:02:03").
  static func seconds(_ value: Any?) -> Double? {
    if let number = value as? NSNumber {
      let seconds = number.doubleValue
      return seconds.isFinite && abs(seconds) <= MediaTime.maximum ? seconds : nil
    }
    return (value as? String).flatMap(NormalPlayTime.parse)
  }

  /// An http or https address.
  static func address(_ value: Any?) -> String? {
    guard let text = value as? String, let address = LinkResolver(baseURL: nil).resolve(text) else { return nil }
    return address.hasPrefix("mailto:") ? nil : address
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
