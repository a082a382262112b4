import AppCore
import Desktop
import Foundation
import Model
import Programs
import Services
import TOMLKit

/// An error in one of the listener's files.
struct ConfigurationProblem: Error, Equatable, CustomStringConvertible {
  var file: String
  var line: Int?
  var text: String

  var description: String { file + (line.map { ":\($0)" } ?? "") + ": " + text }
}

/// The settings of `config.toml`. An invalid line is reported and ignored, and the player starts nevertheless, unless
/// it would open another library than the listener's.
struct Configuration: Sendable {
  var preferences = Preferences()
  var keymap = Keymap()
  /// nil if the file has no theme. Then the theme that was chosen last is used.
  var theme: String?
  var mouse = true
  var graphics = GraphicsChoice.automatic
  /// The maximum number of simultaneous requests to one host.
  var maxPerHost = 4
  /// The limit for the copies of all streamed episodes on the disk; 0: no copies.
  var streamCacheBytes: Int64 = 500_000_000
  /// Minutes after which the player refreshes a feed by itself; 0: never.
  var refreshEvery: Double = 60
  /// Shows desktop notifications about new episodes.
  var notifies = false
  var downloads = DownloadPreferences()
  /// The `[discover]` table.
  var discover = DiscoverPreferences()
  var refreshing = RefreshPreferences()
  var sync = SyncPreferences()
  var transcribing = TranscribingPreferences()
  /// The `[sites]` table.
  var sitePreferences = SitePreferences()
  /// The `[video]` table.
  var video = VideoPreferences()
  /// nil if the file does not name yt-dlp.
  var sites: Sites? { sitePreferences.sites }
  /// The `[hooks]` table.
  var hooks: [Hook] = []
  var directories: Directories
  var problems: [ConfigurationProblem] = []
  /// `[directories]` could not be read. The library and the downloads may be elsewhere, so none may be opened.
  private(set) var lacksDirectories = false
  /// The settings of the top level that the file has. They override what was stored.
  private(set) var setNames: Set<String> = []
  /// nil: the device that was chosen last, else the system's default.
  var audioDevice: String?

  /// The maximum number of problems that are reported.
  private static let problemLimit = 50

  /// For screen readers and braille displays, as `--linear`.
  var isLinear = false

  init(directories: Directories) { self.directories = directories }

  /// Reads the file. A missing file is no problem.
  static func load(_ directories: Directories) -> Configuration {
    var configuration = Configuration(directories: directories)
    let file = directories.configFile
    // A link to a missing file is not missing itself: its disk may not be mounted.
    var status = stat()
    if lstat(file, &status) != 0, errno == ENOENT || errno == ENOTDIR { return configuration }
    do throws(ConfigurationProblem) {
      configuration.read(try ConfigurationFile.text(file), file: file)
    } catch {
      configuration.problems.append(error)
      configuration.lacksDirectories = true
    }
    return configuration
  }

  /// Reads the file for a command, which works only with a file without errors.
  static func loadForCommand() throws(SetupError) -> Configuration {
    let configuration = load(Directories())
    guard configuration.problems.isEmpty else { throw .configuration(configuration.problems) }
    return configuration
  }

  mutating func read(_ text: String, file: String) {
    let table: TOMLTable
    do throws(ConfigurationProblem) {
      table = try TOMLText.table(text, file: file)
    } catch {
      problems.append(error)
      lacksDirectories = true
      return
    }
    let lines = LineFinder(text)
    for key in table.keys {
      guard let value = table[key] else { continue }
      do {
        if let readEntry = Self.tables[key] {
          let before = problems.count
          readEntries(of: key, value, lines, file, readEntry)
          if key == "directories", problems.count > before { lacksDirectories = true }
          continue
        }
        guard let setting = Self.settingsByName[key] else {
          // `[directory]` for `[directories]`.
          let names = value.table?.keys ?? []
          if names.contains(where: { name in Self.directoryRows.contains { $0.name == name } }) {
            lacksDirectories = true
          }
          throw Self.unknownSetting(key, among: Array(Self.settingsByName.keys) + Array(Self.tables.keys))
        }
        try setting.read(&self, value)
        setNames.insert(key)
      } catch {
        problems.append(ConfigurationProblem(file: file, line: lines.line(of: key), text: "\(key): \(error)"))
      }
    }
    problems.sort { ($0.line ?? 0) < ($1.line ?? 0) }
    if problems.count > Self.problemLimit {
      let rest = problems.count - Self.problemLimit
      problems = Array(problems.prefix(Self.problemLimit))
      problems.append(ConfigurationProblem(file: file, line: nil, text: "\(rest) more lines are wrong"))
    }
    sitePreferences.begin()
    preferences.canTranscribe = transcribing.isConfigured
    // Linear mode overrides other settings, so it is applied last.
    if isLinear { preferences.enableLinearMode() }
  }

  // MARK: Tables

  private static func unknownSetting(_ name: String, among names: [String]) -> ReportedError {
    ReportedError("there is no setting of this name" + NearestName.question(for: name, among: names))
  }

  /// Reads one line of a table: its key and its value.
  private typealias EntryReader = @Sendable (inout Configuration, String, any TOMLValueConvertible) throws -> Void

  /// The tables of `config.toml`.
  private static let tables: [String: EntryReader] = [
    "keys": { try $0.readKey($1, $2) },
    "downloads": reader(DownloadPreferences.settings, into: \.downloads),
    "discover": reader(DiscoverPreferences.settings, into: \.discover),
    "sync": reader(SyncPreferences.settings, into: \.sync),
    "transcribe": reader(TranscribingPreferences.settings, into: \.transcribing),
    "sites": reader(SitePreferences.settings, into: \.sitePreferences),
    "video": reader(VideoPreferences.settings, into: \.video),
    "hooks": { try $0.readHook($1, $2) },
    "directories": { try $0.readDirectory($1, $2) },
  ]

  /// Reads a table such as `[sync]`, which has these settings.
  private static func reader<Target>(
    _ settings: [SettingRow<Target>], into target: WritableKeyPath<Configuration, Target> & Sendable
  ) -> EntryReader {
    { configuration, key, value in
      guard let setting = settings.first(where: { $0.name == key }) else {
        throw unknownSetting(key, among: settings.map(\.name))
      }
      try setting.read(&configuration[keyPath: target], value)
    }
  }

  /// Reads each line of a table. A wrong line is a problem, and the others are read.
  private mutating func readEntries(
    of name: String, _ value: any TOMLValueConvertible, _ lines: LineFinder, _ file: String,
    _ read: EntryReader
  ) {
    guard let table = value.table else {
      let line = lines.line(of: name)
      problems.append(ConfigurationProblem(file: file, line: line, text: "\(name): must be a table"))
      return
    }
    for key in table.keys {
      guard let value = table[key] else { continue }
      do {
        try read(&self, key, value)
      } catch {
        problems.append(
          ConfigurationProblem(file: file, line: lines.line(of: key, in: name), text: "[\(name)] \(key): \(error)"))
      }
    }
  }

  private mutating func readKey(_ name: String, _ value: any TOMLValueConvertible) throws {
    if let one = value.string {
      try keymap.rebind(name, to: [one])
    } else if let many = value.array {
      try keymap.rebind(name, to: try many.map { try Self.string($0) })
    } else {
      throw ReportedError("must be a key or a list of keys")
    }
  }

  /// Reads a program and its arguments.
  private mutating func readHook(_ name: String, _ value: any TOMLValueConvertible) throws {
    guard let event = Hook.events.first(where: { $0.rawValue == name }) else {
      let names = Hook.events.map(\.rawValue)
      throw ReportedError(
        "there is no event of this name" + NearestName.question(for: name, among: names)
          + "; there are \(names.joined(separator: ", "))")
    }
    let words = try Self.words(value, wanted: "a program, or a list of a program and its arguments")
    hooks.append(try Hook(event, words.map { HomePath.expanding($0) }))
  }

  private mutating func readDirectory(_ key: String, _ value: any TOMLValueConvertible) throws {
    guard let property = Self.directoryRows.first(where: { $0.name == key })?.path else {
      throw ReportedError("there is no directory of this name")
    }
    let path = try Self.string(value)
    let expanded = HomePath.expanding(path)
    guard expanded.hasPrefix("/") else { throw ReportedError("must begin with / or ~/") }
    let movesDownloads = property == \.data && directories.downloads == directories.data + "/downloads"
    directories[keyPath: property] = expanded
    if movesDownloads { directories.downloads = expanded + "/downloads" }
  }

  /// Sets `cover_art`: true, false, or how pictures are drawn.
  mutating func setCoverArt(_ value: any TOMLValueConvertible) throws {
    if let isOn = value.bool {
      preferences.coverArt = isOn
    } else if value.string == "off" {
      preferences.coverArt = false
    } else if let choice = value.string.flatMap(GraphicsChoice.init(rawValue:)) {
      graphics = choice
    } else {
      let names = GraphicsChoice.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", ")
      throw ReportedError("must be true, false, \(names) or “off”")
    }
  }

  // MARK: Values. An error is a text about the value, without its line.

  static func string(_ value: any TOMLValueConvertible) throws -> String {
    guard let string = value.string else { throw ReportedError("must be a text in quotes") }
    return string
  }

  static func address(_ value: any TOMLValueConvertible) throws -> String {
    let text = try string(value)
    guard text.hasPrefix("https://") || text.hasPrefix("http://") else {
      throw ReportedError("must begin with https:// or http://")
    }
    return text
  }

  /// The words of a command: a text, which is split as a shell does, or a list of texts.
  /// - Parameter wanted: what it must be, for a message.
  static func words(
    _ value: any TOMLValueConvertible, wanted: String = "a text in quotes, or a list of words"
  ) throws -> [String] {
    if let list = value.array?.map({ $0.string }), !list.contains(nil) { return list.compactMap { $0 } }
    guard let text = value.string else { throw ReportedError("must be \(wanted)") }
    return try CommandWords.split(text)
  }

  static func bool(_ value: any TOMLValueConvertible) throws -> Bool {
    guard let bool = value.bool else { throw ReportedError("must be true or false") }
    return bool
  }

  static func number(_ value: any TOMLValueConvertible, in range: ClosedRange<Double>) throws -> Double {
    guard let number = value.double ?? value.int.map(Double.init) else { throw ReportedError("must be a number") }
    guard range.contains(number) else {
      throw ReportedError("must be from \(range.lowerBound.shortText) to \(range.upperBound.shortText)")
    }
    return number
  }
}

/// Reads a file of the listener as a whole: `config.toml` or a theme.
enum ConfigurationFile {
  /// The largest file in bytes. Real files have a hundredth of it. The parser takes a second for a few megabytes.
  static let limit = 256 * 1024

  static func text(_ path: String) throws(ConfigurationProblem) -> String {
    func problem(_ text: String) -> ConfigurationProblem { ConfigurationProblem(file: path, line: nil, text: text) }
    // O_NONBLOCK, because the file may be a pipe without a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw problem("cannot be read: \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw problem("cannot be read: not a file")
    }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var count = 0
    while count <= limit {
      let more = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + count, $0.count - count) }
      if more < 0, errno == EINTR { continue }
      guard more >= 0 else { throw problem("cannot be read: \(String(cString: strerror(errno)))") }
      guard more > 0 else { break }
      count += more
    }
    guard count <= limit else { throw problem("cannot be read: it has more than \(limit / 1024) kB") }
    guard let text = String(validating: bytes[..<count], as: UTF8.self) else {
      throw problem("cannot be read: it is not UTF-8")
    }
    return text
  }
}

/// Finds the line of a key. TOMLKit does not tell the lines of valid values.
struct LineFinder {
  /// The first line (from 1) of each key and of each table. Computed once, because a file may have many invalid keys.
  private let keys: [String: [String: Int]]
  private let tables: [String: Int]

  init(_ text: String) {
    var (keys, tables) = ([String: [String: Int]](), [String: Int]())
    var current = ""
    for (index, line) in text.allLines.enumerated() {
      let text = line.drop { $0 == " " || $0 == "\t" }
      if text.first == "[" {
        current = String(text.drop { $0 == "[" }.prefix { $0 != "]" }).trimmingCharacters(in: .whitespaces)
        if tables[current] == nil { tables[current] = index + 1 }
      } else if let equals = text.firstIndex(of: "=") {
        let name = text[..<equals].trimmingCharacters(in: CharacterSet(charactersIn: " \t\"'"))
        if keys[current]?[name] == nil { keys[current, default: [:]][name] = index + 1 }
        // `roles.text = …` at the top level (TOML 1.0, "Dotted keys").
        if current.isEmpty, let dot = name.firstIndex(of: ".") {
          let (table, key) = (String(name[..<dot]), String(name[name.index(after: dot)...]))
          if keys[table]?[key] == nil { keys[table, default: [:]][key] = index + 1 }
        }
      }
    }
    (self.keys, self.tables) = (keys, tables)
  }

  /// The line (from 1) that sets `key` of `table` ("" is the top level), or where the table itself begins.
  func line(of key: String, in table: String = "") -> Int? {
    keys[table]?[key] ?? (table.isEmpty ? tables[key] : nil)
  }
}
