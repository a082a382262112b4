/// Merges the chapters of feed, JSON file and media file into one list.
///
/// The rules of AntennaPod (`ChapterMerger`): the longer list wins. Lists of equal length whose starts differ by less
/// than a second are merged field by field. Otherwise the list with more titles, links and pictures wins, and in doubt
/// the first.
public enum ChapterMerge {
  /// Seconds by which two starts of the same chapter may differ.
  static let tolerance = 1.0

  /// - Parameter sources: best first: JSON, Podlove, file. Empty lists are ignored.
  public static func merge(_ sources: [[Chapter]]) -> [Chapter] {
    sources.filter { !$0.isEmpty }.map(sorted).reduce(into: []) { best, other in
      best = best.isEmpty ? other : merged(best, other)
    }
  }

  private static func sorted(_ chapters: [Chapter]) -> [Chapter] {
    chapters.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
  }

  private static func merged(_ first: [Chapter], _ second: [Chapter]) -> [Chapter] {
    guard first.count == second.count else { return first.count > second.count ? first : second }
    guard zip(first, second).allSatisfy({ abs($0.start - $1.start) <= tolerance }) else {
      return richness(second) > richness(first) ? second : first
    }
    return zip(first, second).map { one, other in
      Chapter(
        start: one.start, end: one.end ?? other.end, title: one.title ?? other.title, url: one.url ?? other.url,
        image: one.image ?? other.image, hidden: one.hidden)
    }
  }

  private static func richness(_ chapters: [Chapter]) -> Int {
    chapters.reduce(0) { sum, chapter in
      sum + [chapter.title, chapter.url, chapter.image].count { $0?.isEmpty == false }
    }
  }
}
