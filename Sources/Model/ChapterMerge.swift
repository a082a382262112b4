/// Merges the chapters of feed, JSON file and media file into one list.
///
/// The rules of AntennaPod (`ChapterMerger`): the longer list wins. Lists of equal length whose starts differ by less
/// than a second are merged field by field. Otherwise the list with more titles, links and pictures wins, and in doubt
/// the first. One rule is added: if the media file has as many chapters at other times, its times are right, because
/// the feed does not know what was inserted into this copy of the file.
public enum ChapterMerge {
  /// Seconds by which two starts of the same chapter may differ.
  static let tolerance = 1.0

  /// - Parameters:
  ///   - sources: of the feed, best first: JSON, Podlove. Empty lists are ignored.
  ///   - file: the chapters in the media file.
  ///   - duration: of the media file in seconds; nil if unknown. What starts after the end is left out.
  public static func merge(_ sources: [[Chapter]], file: [Chapter] = [], duration: Double? = nil) -> [Chapter] {
    let stated = sources.map { listed($0, duration: duration) }.reduce(into: [Chapter]()) { best, other in
      best = merged(best, other)
    }
    let file = listed(file, duration: duration)
    guard !file.isEmpty, stated.count == file.count, !isSame(stated, file) else { return merged(stated, file) }
    return described(file, by: stated)
  }

  /// The chapters that can be reached in a file of this duration, in order of time, each once. Some writers store the
  /// whole list twice.
  /// - Parameter duration: in seconds; nil if unknown.
  public static func listed(_ chapters: [Chapter], duration: Double?) -> [Chapter] {
    let reachable = chapters.filter { chapter in
      chapter.start.isFinite && chapter.start >= 0 && chapter.start < duration ?? .infinity
    }
    return reachable.sorted { $0.start < $1.start }.reduce(into: []) { list, chapter in
      let double = list.indices.reversed().prefix { chapter.start - list[$0].start <= tolerance }.first {
        isSame(list[$0], chapter)
      }
      if let double { list[double] = joined(list[double], chapter) } else { list.append(chapter) }
    }
  }

  /// Whether two chapters of one list, which start within the tolerance, are the same one.
  private static func isSame(_ one: Chapter, _ other: Chapter) -> Bool {
    guard one.hidden == other.hidden else { return false }
    if let title = one.title, title == other.title { return true }
    // Without a title only the time tells.
    return one.start == other.start && (one.title == nil || other.title == nil)
      && (one.image == other.image || one.title != other.title)
  }

  private static func merged(_ first: [Chapter], _ second: [Chapter]) -> [Chapter] {
    guard first.count == second.count else { return first.count > second.count ? first : second }
    guard isSame(first, second) else { return richness(second) > richness(first) ? second : first }
    return zip(first, second).map(joined)
  }

  /// Whether lists of equal length have the same times.
  private static func isSame(_ first: [Chapter], _ second: [Chapter]) -> Bool {
    zip(first, second).allSatisfy { abs($0.start - $1.start) <= tolerance }
  }

  private static func joined(_ one: Chapter, _ other: Chapter) -> Chapter {
    Chapter(
      start: one.start, end: one.end ?? other.end, title: one.title ?? other.title, url: one.url ?? other.url,
      image: one.image ?? other.image, hidden: one.hidden, origin: one.origin,
      location: one.location ?? other.location)
  }

  /// The chapters of the file with links, pictures and missing titles of the feed, if their titles show that they are
  /// the same ones.
  private static func described(_ file: [Chapter], by stated: [Chapter]) -> [Chapter] {
    let isSame = zip(file, stated).allSatisfy { chapter, other in
      guard let title = chapter.title, let otherTitle = other.title else { return true }
      return title.lowercased() == otherTitle.lowercased()
    }
    guard isSame else { return file }
    return zip(file, stated).map { chapter, other in
      var chapter = joined(
        chapter, Chapter(start: 0, title: other.title, url: other.url, image: other.image, location: other.location))
      chapter.hidden = other.hidden
      return chapter
    }
  }

  private static func richness(_ chapters: [Chapter]) -> Int {
    chapters.reduce(0) { sum, chapter in
      sum + [chapter.title, chapter.url, chapter.image].count { $0?.isEmpty == false }
    }
  }
}

extension [Chapter] {
  /// The title of the list. Nobody has stated the chapters of show notes as such, so it says where they are from.
  public var heading: String { first?.origin == .notes ? "Chapters from the notes" : "Chapters" }

  /// The picture at a position: that of a hidden chapter until its end, or that of the visible chapter.
  public func picture(at second: Double) -> String? {
    for chapter in prefix(while: { $0.start <= second }).reversed() {
      guard chapter.hidden else { return chapter.image }
      if let image = chapter.image, chapter.end ?? .infinity > second { return image }
    }
    return nil
  }

  /// The title to show for a chapter of a list: its own, or its number.
  public func title(at index: Int) -> String {
    (indices.contains(index) ? self[index].title : nil) ?? "Chapter \(index + 1)"
  }

  /// The title to show for one of the chapters of the list.
  public func title(of chapter: Chapter) -> String {
    chapter.title ?? firstIndex(of: chapter).map { title(at: $0) } ?? "A chapter without a title"
  }
}
