/// Makes one list of the chapters that feed, JSON and media file each have.
///
/// AntennaPod's rules (`ChapterMerger`): the longer list wins; lists as long as each other, with starts within a
/// second, are merged field by field; otherwise the one with more titles, links and pictures wins, in doubt the first.
public enum ChapterMerge {
  /// Seconds that two starts of the same chapter may be apart.
  static let tolerance = 1.0

  /// `sources` best first: JSON, Podlove, file. Empty ones do not count.
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
