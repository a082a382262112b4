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
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
    let parts = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
    func two(_ value: Int?) -> String { value.map { $0 < 10 ? "0\($0)" : "\($0)" } ?? "00" }
    func name(_ names: [String], _ number: Int?) -> String {
      guard let number, names.indices.contains(number - 1) else { return "" }
      return names[number - 1]
    }
    let day = name(["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"], parts.weekday)
    let month = name(
      ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"], parts.month)
    return "\(day), \(two(parts.day)) \(month) \(parts.year ?? 1970) "
      + "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) GMT"
  }
}
