import Foundation
import Model

/// Podlove simple chapters (podlove.org/simple-chapters) as a file of their own, which an item links to. Those in a
/// feed are read by `FeedBuilder`.
enum SimpleChapters {
  /// Whether a file of chapters is XML, and not JSON.
  static func isXML(_ data: Data) -> Bool {
    // The marks of byte order in UTF-8 and UTF-16. The other byte of a character in UTF-16 is 0.
    data.prefix(64).first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains($0) } == UInt8(ascii: "<")
  }

  /// The chapters in order of time.
  /// - Parameter url: the base of relative addresses.
  static func parse(_ data: Data, url: String?) throws(FeedError) -> [Chapter] {
    let collector = Collector(resolver: LinkResolver(baseURL: url))
    let reader = XMLReader(sink: collector, roots: ["chapters"])
    if data.count <= ChaptersJSON.maxBytes { data.withUnsafeBytes { reader.feed($0) } }
    reader.finish()
    guard reader.foundRoot else { throw ChaptersJSON.malformed("this is neither JSON nor a Podlove list") }
    // The rest may follow at the next attempt. A part must not replace a list that is stored.
    guard !reader.isCutOff else { throw ChaptersJSON.malformed("the list is cut off") }
    return ChapterTimes.completed(collector.chapters)
  }

  private final class Collector: XMLSink {
    private let resolver: LinkResolver
    private(set) var chapters: [Chapter] = []

    init(resolver: LinkResolver) { self.resolver = resolver }

    func start(_ name: XMLName, _ attributes: XMLAttributes) {
      guard name.local == "chapter", chapters.count < ChaptersJSON.chapterLimit,
        let chapter = Chapter(attributes, resolve: resolver.resolve)
      else { return }
      chapters.append(chapter)
    }

    func end(_ name: XMLName) {}
    func text(_ bytes: UnsafeBufferPointer<UInt8>) {}
  }
}

extension Chapter {
  /// The attributes of psc:chapter. Nil without a valid start.
  init?(_ attributes: XMLAttributes, resolve: (String) -> String?) {
    guard let start = attributes["start"].flatMap(NormalPlayTime.parse) else { return nil }
    self.init(
      start: start, title: attributes["title"].flatMap(ChaptersJSON.title), url: attributes["href"].flatMap(resolve),
      image: attributes["image"].flatMap(resolve))
  }
}
