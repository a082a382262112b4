import Foundation

/// Collects subscriptions from the outlines of an OPML document.
final class OPMLCollector: XMLSink {
  private(set) var entries: [OPMLEntry] = []
  /// The addresses of subscriptions that cannot be fetched.
  private(set) var refused: [String] = []
  private(set) var hasBody = false
  /// How many outlines have an address, whatever became of it.
  private(set) var addresses = 0

  private static let entryLimit = 100_000
  private static let refusedLimit = 1000
  private static let progressLimit = 500_000
  private static let tagLimit = 16

  private enum Outline {
    /// A folder with the tag that it gives. Nil: none.
    case folder(String?)
    /// A subscription, by its index in `entries`.
    case feed(Int)
    case other
  }
  private var open: [Outline] = []
  private var indexes: [String: Int] = [:]
  private var progressCount = 0
  private var opmlDepth = 0

  func start(_ name: XMLName, _ attributes: XMLAttributes) {
    switch name.local.lowercased() {
    case "opml": opmlDepth += 1
    case "body": hasBody = true
    case "outline":
      let attributes = OutlineAttributes(attributes)
      if attributes.hasAddress { addresses += 1 }
      // Inside <opml>, only the body counts.
      open.append(hasBody || opmlDepth == 0 ? outline(attributes) : .other)
    default: break
    }
  }

  func end(_ name: XMLName) {
    if name.local.lowercased() == "outline" { _ = open.popLast() }
  }

  func text(_ bytes: UnsafeBufferPointer<UInt8>) {}

  private func outline(_ attributes: OutlineAttributes) -> Outline {
    switch attributes.kind {
    case .feed(let url): return .feed(add(url, attributes))
    case .episode:
      if case .feed(let index)? = open.last, entries.indices.contains(index), progressCount < Self.progressLimit,
        let progress = attributes.progress
      {
        progressCount += 1
        entries[index].progress.append(progress)
      }
      return .other
    case .folder: return .folder(attributes.folderName)
    case .refused(let address):
      if refused.count < Self.refusedLimit { refused.append(address) }
      return .other
    case .other: return .other
    }
  }

  /// The index of the new or known entry. Out of range if there are too many.
  private func add(_ url: String, _ attributes: OutlineAttributes) -> Int {
    var tags = open.compactMap { if case .folder(let tag) = $0 { tag } else { nil } }
    tags += attributes.categories
    if let index = indexes[url] {
      for tag in tags { append(tag, to: &entries[index].tags) }
      if entries[index].title == nil { entries[index].title = attributes.title }
      return index
    }
    guard entries.count < Self.entryLimit else { return entries.count }
    var entry = OPMLEntry(url: url, title: attributes.title, htmlURL: attributes.htmlURL)
    for tag in tags { append(tag, to: &entry.tags) }
    entries.append(entry)
    indexes[url] = entries.count - 1
    return entries.count - 1
  }

  private func append(_ tag: String, to tags: inout [String]) {
    if tags.count < Self.tagLimit, !tags.contains(tag) { tags.append(tag) }
  }
}
