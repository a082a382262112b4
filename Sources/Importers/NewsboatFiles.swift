import Foundation
import Model
import Programs

/// Parses newsboat's text files: `urls` beside the cache (or in the configuration directory if newsboat uses XDG), and
/// podboat's `queue`.
struct NewsboatFiles {
  struct Subscription {
    var url: String
    var title: String?
    var tags: [String] = []
    /// The address of the feed; nil for a query or a program that prints a feed.
    var address: String? {
      if url.hasPrefix("http://") || url.hasPrefix("https://") { return url }
      // Source: the manual, "Scripts and filters": the program with its arguments comes before the address.
      guard isFiltered, let range = url.range(of: #"https?://.*"#, options: .regularExpression) else { return nil }
      return String(url[range])
    }
    var isFiltered: Bool { url.hasPrefix("filter:") }
    /// A query, or a program that prints a feed.
    var isProgram: Bool { address == nil && ["query:", "exec:", "filter:"].contains { url.hasPrefix($0) } }
  }

  /// An entry of podboat's queue.
  struct Queued {
    var line: Int
    var isFinished: Bool
  }

  var urls: String?
  private var queueFile: String

  init(cache: String) {
    let environment = ProcessInfo.processInfo.environment
    let directory = (cache as NSString).deletingLastPathComponent
    let home = HomePath.directory(environment)
    let configuration = environment["XDG_CONFIG_HOME"] ?? home + "/.config"
    // The `urls` in the configuration directory belong only to the user's own cache.
    let isOwn = directory == (environment["XDG_DATA_HOME"] ?? home + "/.local/share") + "/newsboat"
    let paths = [directory + "/urls"] + (isOwn ? [configuration + "/newsboat/urls"] : [])
    urls = paths.first { FileManager.default.fileExists(atPath: $0) }
    queueFile = directory + "/queue"
  }

  /// The subscriptions; nil if there is no such file. Source: newsboat's manual, "The urls file": an address, then
  /// tags; `~` before a title, `!` hides, `#` comments.
  func subscriptions() throws -> [Subscription]? {
    guard let urls else { return nil }
    return Self.subscriptions(try Self.lines(urls))
  }

  static func subscriptions(_ lines: [String]) -> [Subscription] {
    lines.compactMap { line in
      let words = words(line)
      guard let url = words.first, !url.hasPrefix("#") else { return nil }
      var subscription = Subscription(url: url)
      for word in words.dropFirst() where word != "!" {
        if word.hasPrefix("~") { subscription.title = String(word.dropFirst()) } else { subscription.tags.append(word) }
      }
      return subscription
    }
  }

  /// The media addresses in the queue. A line has the address, the file name in quotation marks, and the state.
  func queue() throws -> [String: Queued] {
    guard FileManager.default.fileExists(atPath: queueFile) else { return [:] }
    var queue: [String: Queued] = [:]
    for (number, line) in try Self.lines(queueFile).enumerated() {
      let words = Self.words(line)
      guard let url = words.first else { continue }
      queue[url] = Queued(line: number, isFinished: words.last == "finished")
    }
    return queue
  }

  private static func lines(_ path: String) throws -> [String] {
    lines(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  fileprivate static func lines(_ data: Data) -> [String] {
    // Windows writes a byte order mark before UTF-8.
    let text = String(decoding: data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data, as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).map(String.init)
  }

  /// Splits a line into words. Quotation marks join words, and a backslash escapes the next character.
  static func words(_ line: String) -> [String] {
    var words: [String] = []
    var (word, isQuoted, isEscaped): (String?, Bool, Bool) = (nil, false, false)
    for character in line {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
        word = word ?? ""
      } else if character.isWhitespace, !isQuoted {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return words
  }
}

/// Reads a list of addresses, one on each line, with an optional title and tags: newsboat's `urls`.
public enum AddressListImport {
  /// What begins a line of a list. `feed:` and the others are schemes of feeds.
  private static let beginnings = ["http:", "https:", "feed:", "itpc:", "pcast:", "query:", "exec:", "filter:"]

  /// - Returns: nil if the text is no such list.
  public static func read(_ data: Data) -> ForeignLibrary? {
    // XML may be large, and on a single line.
    guard !data.prefix(64).contains(UInt8(ascii: "<")) else { return nil }
    let lines = NewsboatFiles.subscriptions(NewsboatFiles.lines(data))
    guard let first = lines.first?.url.lowercased(), beginnings.contains(where: first.hasPrefix) else { return nil }
    var library = ForeignLibrary(program: "list of addresses")
    var seen: Set<String> = []
    var special = 0
    for line in lines {
      guard !line.isProgram else {
        special += 1
        continue
      }
      // The first line of an address counts, because a later one may lack its tags.
      guard seen.insert(line.url).inserted else { continue }
      library.podcasts.append(
        ForeignPodcast(feedURL: line.address ?? line.url, title: line.title, tags: line.tags))
    }
    library.addNote(
      special, one: "line (a query or a program) is not a feed.", many: "lines (queries, programs) are not feeds.")
    return library
  }
}
