import Foundation
import Model

/// Writes an OPML document.
struct OPMLWriter {
  /// Exports are sent by mail and published, so `user:password@` is left out unless requested.
  var keepsPasswords = false
  private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n"

  mutating func head(title: String, date: Date) {
    text += "  <head>\n    <title>\(Self.escaped(title))</title>\n"
    text += "    <dateCreated>\(Self.rfc822(date))</dateCreated>\n  </head>\n  <body>\n"
  }

  mutating func folder(_ name: String, entries: [OPMLEntry]) {
    let name = Self.escaped(name)
    text += "    <outline text=\"\(name)\" title=\"\(name)\">\n"
    for entry in entries { self.entry(entry, indent: 3) }
    text += "    </outline>\n"
  }

  mutating func entry(_ entry: OPMLEntry, indent: Int) {
    let url = keepsPasswords ? entry.url : entry.url.withoutUserInfo
    // `text` is required (OPML 2.0), and many readers want `title` too.
    let title = Self.escaped(entry.title.flatMap { $0.isEmpty ? nil : $0 } ?? url.withoutUserInfo)
    text += String(repeating: "  ", count: indent)
    text += "<outline text=\"\(title)\" title=\"\(title)\" type=\"rss\" xmlUrl=\"\(Self.escaped(url))\""
    if let page = entry.htmlURL, !page.isEmpty {
      text += " htmlUrl=\"\(Self.escaped(page.withoutUserInfo))\""
    }
    let categories = Self.categories(entry.tags)
    if !categories.isEmpty { text += " category=\"\(Self.escaped(categories.joined(separator: ",")))\"" }
    text += "/>\n"
  }

  /// The tags for `category`. A single tag needs none, because the folder has its name, unless readers take that folder
  /// for a container. A comma separates categories, so the first tag is left out if it has one.
  private static func categories(_ tags: [String]) -> [String] {
    guard let first = tags.first, tags.count > 1 || OutlineAttributes.isContainer(first) else { return [] }
    let others = tags.dropFirst().map { $0.replacing(",", with: " ") }
    return first.contains(",") ? others : [first] + others
  }

  mutating func foot() { text += "  </body>\n</opml>\n" }

  private static func escaped(_ value: String) -> String {
    var result = ""
    for scalar in CleanText.line(value).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// RFC 822 with a four-digit year, as OPML requires: "Sat, 21 Nov 2026 12:00:00 GMT".
  static func rfc822(_ date: Date) -> String {
    var (seconds, parts) = (time_t(date.timeIntervalSince1970.rounded(.down)), tm())
    gmtime_r(&seconds, &parts)
    // The names are English, because the program sets no LC_TIME.
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
