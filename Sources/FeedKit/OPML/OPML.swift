import Foundation

/// Subscription lists that podcast players exchange: OPML 1.0, 1.1 and 2.0 (opml.org/spec2.opml).
public enum OPML {
  static let maxBytes = 64 << 20

  /// What a file contains.
  public struct Contents: Sendable {
    /// All subscriptions in document order, without duplicates (with the tags of all occurrences).
    public var entries: [OPMLEntry]
    /// Addresses of subscriptions that cannot be fetched, as they are written.
    public var refused: [String]
    /// What is wrong with the file, so that subscriptions may be missing. Nil: nothing.
    public var damage: Damage?
  }

  public enum Damage: Sendable, Equatable {
    /// The file ends before its root element.
    case cutOff
    /// The file has no `<opml>` element around its outlines.
    case noRoot
    /// This many outlines with an address could not be read.
    case unreadable(Int)
  }

  /// Reads a file.
  ///
  /// Accepts what clients write: attributes in any case, with or without folders, unescaped `&`, a `<body>` or
  /// `<outline>`s without surrounding elements. A damaged file is read as far as possible.
  public static func contents(_ data: Data) throws(OPMLError) -> Contents {
    guard data.count <= maxBytes else { throw .tooLarge(bytes: data.count) }
    var (reader, collector) = parse(data)
    guard let root = reader.rootName else { throw .notOPML(root: reader.firstName.map(CleanText.line)) }
    var hasRoot = true
    if root.lowercased() != "opml" {
      // A fragment is accepted, but not the inside of another kind of document.
      guard reader.firstName == root else { throw .notOPML(root: reader.firstName.map(CleanText.line)) }
      hasRoot = false
      if let framed = framed(data, before: root) { (reader, collector) = parse(framed) }
    } else if !collector.hasBody {
      throw .noBody
    }
    let missed = OPMLAddresses.count(in: data) - collector.addresses
    let damage: Damage? =
      hasRoot && reader.isCutOff ? .cutOff : missed > 0 ? .unreadable(missed) : hasRoot ? nil : .noRoot
    return Contents(entries: collector.entries, refused: collector.refused, damage: damage)
  }

  private static func parse(_ data: Data) -> (XMLReader, OPMLCollector) {
    let collector = OPMLCollector()
    let reader = XMLReader(sink: collector, roots: ["opml", "OPML", "Opml", "body", "outline"])
    data.withUnsafeBytes { reader.feed($0) }
    reader.finish()
    return (reader, collector)
  }

  /// The file with `<opml>` before its first element, because a document ends with its first element.
  private static func framed(_ data: Data, before root: String) -> Data? {
    guard let start = data.range(of: Data("<\(root)".utf8)) else { return nil }
    let frame = root.lowercased() == "body" ? "<opml>" : "<opml><body>"
    return data[..<start.lowerBound] + Data(frame.utf8) + data[start.lowerBound...]
  }

  /// Writes an OPML 2.0 document: a folder for each entry's first tag, and all tags as `category`.
  /// - Parameter keepsPasswords: includes user names and passwords in addresses.
  public static func write(
    title: String, entries: [OPMLEntry], date: Date, keepsPasswords: Bool = false
  ) -> Data {
    var writer = OPMLWriter(keepsPasswords: keepsPasswords)
    writer.head(title: title, date: date)
    var folders: [String] = []
    var inside: [String: [OPMLEntry]] = [:]
    for entry in entries {
      guard let folder = entry.tags.first else {
        writer.entry(entry, indent: 2)
        continue
      }
      if inside[folder] == nil { folders.append(folder) }
      inside[folder, default: []].append(entry)
    }
    for folder in folders { writer.folder(folder, entries: inside[folder] ?? []) }
    writer.foot()
    return Data(writer.text.utf8)
  }
}

/// Why subscriptions could not be read from a file.
public enum OPMLError: Error, Equatable, Sendable, CustomStringConvertible {
  /// More bytes than a subscription list can reasonably have.
  case tooLarge(bytes: Int)
  /// Another kind of document: the name of its first element, nil if it has none.
  case notOPML(root: String?)
  /// `<opml>` without a `<body>`.
  case noBody

  public var description: String {
    switch self {
    case .tooLarge(let bytes): "OPML: \(bytes) bytes are too many"
    case .notOPML(let root?): "OPML: this document begins with <\(root)>"
    case .notOPML(nil): "OPML: this is not XML"
    case .noBody: "OPML: the document has no body"
    }
  }
}

/// Counts the attributes `xmlUrl` in the bytes of a file, besides those in comments. If the reader has seen fewer, the
/// file is damaged: a quotation mark is missing, or the document ends early.
enum OPMLAddresses {
  static func count(in data: Data) -> Int {
    data.withUnsafeBytes { bytes in
      let bytes = bytes.bindMemory(to: UInt8.self)
      guard var at = bytes.baseAddress else { return 0 }
      let end = at + bytes.count
      var (count, commentEnd, commentsEnd) = (0, at, true)
      while at < end {
        switch ByteScan.lower(at.pointee) {
        case UInt8(ascii: "x") where at >= commentEnd && ByteScan.has("xmlurl", at, end, ignoringCase: true):
          at += 6
          let sign = ByteScan.blanks(at, end)
          if sign < end, sign.pointee == UInt8(ascii: "=") { count += 1 }
        case UInt8(ascii: "<") where commentsEnd && at >= commentEnd && ByteScan.has("<!--", at, end):
          at += 4
          // A comment without an end is none, and no later one has an end.
          if let close = ByteScan.endOfComment(at, end) { commentEnd = close } else { commentsEnd = false }
        default: at += 1
        }
      }
      return count
    }
  }
}
