import Foundation

/// Lists of subscriptions as podcast players exchange them: OPML 1.0, 1.1 and 2.0 (opml.org/spec2.opml).
public enum OPML {
  static let longest = 64 << 20

  /// Every subscription of a file, in document order, each address once (its tags from all its places).
  ///
  /// Read as clients write it rather than as the specification has it: attributes in any case, folders or none, bare
  /// `&`, a `<body>` or `<outline>`s without anything around them. What can be read of a damaged file is read.
  public static func read(_ data: Data) throws(OPMLError) -> [OPMLEntry] {
    guard data.count <= longest else { throw .tooLarge(bytes: data.count) }
    let collector = OPMLCollector()
    let reader = XMLReader(sink: collector, roots: ["opml", "OPML", "Opml", "body", "outline"])
    data.withUnsafeBytes { reader.feed($0) }
    reader.finish()
    guard let root = reader.rootName else { throw .notOPML(root: reader.firstName.map(CleanText.line)) }
    if root.lowercased() != "opml" {
      // A fragment is welcome, the inside of some other document is not.
      guard reader.firstName == root else { throw .notOPML(root: reader.firstName.map(CleanText.line)) }
    } else if !collector.hasBody {
      throw .noBody
    }
    return collector.entries
  }

  /// An OPML 2.0 document: a folder for each entry's first tag, all tags as `category`.
  /// - Parameter keepsPasswords: user names and passwords in the entries' addresses are written too.
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
