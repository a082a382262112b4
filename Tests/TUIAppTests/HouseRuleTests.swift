import AppCore
import Foundation
import HTTP
import SyncBackends
import Testing

/// Checks the rules of docs/ARCHITECTURE.md that the compiler does not check.
@Suite(InTurn()) struct HouseRuleTests {
  /// A C library, and the prefixes of the files that may import it.
  private static let edges: [(module: String, allowed: [String])] = [
    ("CNcurses", ["Sources/TUIApp/Terminal/Terminal"]),
    ("CMpv", ["Sources/Playback/Mpv"]),
    ("CSDBus", ["Sources/Desktop/"]),
    ("CCurl", ["Sources/HTTP/"]),
    ("CZlib", ["Sources/HTTP/"]),
    ("CLibXML2", ["Sources/FeedKit/XML/"]),
    ("CSQLite", ["Sources/Store/Database/", "Sources/Importers/ForeignDatabase"]),
    ("CZstd", ["Sources/Store/Notes/"]),
    ("GRDB", ["Sources/Store/", "Sources/Importers/ForeignDatabase"]),
    ("TOMLKit", ["Sources/TUIApp/Configuration/"]),
  ]

  @Test(arguments: edges) func librariesAreImportedOnlyAtTheirEdge(module: String, allowed: [String]) throws {
    let importers = try SourceTree.files().filter { $0.imports.contains(module) }.map(\.path)
    #expect(!importers.isEmpty, "nobody imports \(module): is the rule still of use?")
    for path in importers { #expect(allowed.contains(where: path.hasPrefix), "\(path) imports \(module)") }
  }

  /// The services and the command line know the values of Model, not the screens.
  @Test(arguments: ["Sources/Services/", "Sources/TUIApp/Verbs/"]) func screensAreNotImported(folder: String) throws {
    let files = try SourceTree.files().filter { $0.path.hasPrefix(folder) }
    #expect(files.count > 20)
    for file in files { #expect(!file.imports.contains("AppCore"), "\(file.path) imports AppCore") }
  }

  /// Words that the pure modules must not use: clocks, files, processes, random numbers. These values arrive in
  /// actions.
  private static let impure = [
    "Date()", "Date.now", ".now()", "ContinuousClock", "SuspendingClock", "DispatchTime", "FileManager", "FileHandle",
    "ProcessInfo", "Process(", "URLSession", "Thread", "Task {", "TimeZone.current", "Locale.current",
    "Calendar.current", ".random(", "UUID()", "getenv", "NSHomeDirectory", "Bundle.", "UserDefaults",
  ]

  @Test(arguments: ["AppCore", "Session", "Sync", "TerminalKit", "Model"]) func pureModulesUseNoClocksFilesOrProcesses(
    module: String
  ) throws {
    let files = try SourceTree.files(module)
    #expect(!files.isEmpty)
    for file in files {
      for word in Self.impure {
        for line in file.lines(with: word) { Issue.record("\(file.path):\(line.number) knows the world: \(line.text)") }
      }
    }
  }

  /// The constant of a command names a row of the command table. So every hint has a key, or a name that can be typed.
  @Test func commandConstantsHaveARow() throws {
    let constants = try SourceTree.files("AppCore").flatMap { file in
      file.code.compactMap { line -> String? in
        guard line.contains("static let "), let value = line.firstRange(of: " = named(\"") else { return nil }
        return String(line[value.upperBound...].prefix { $0 != "\"" })
      }
    }
    #expect(constants.count > 80)
    #expect(Set(constants).count == constants.count)
    #expect(Set(constants).subtracting(Command.table.map(\.name.description)) == [])
  }

  /// The example of CONTRIBUTING.md can be followed: no other command has its key.
  @Test func keyOfTheFirstChangeIsFree() throws {
    let text = try String(contentsOfFile: "\(SourceTree.root)/CONTRIBUTING.md", encoding: .utf8)
    let key = try #require(text.firstMatch(of: /bind the key `(.)`/).map { String($0.1) })
    #expect(text.contains("Add `keys: [\"\(key)\"]`"))
    let owners = Command.table.filter { $0.keys.contains(key) }.map(\.name.description)
    #expect(owners.allSatisfy { $0 == "stop" })
  }

  /// A back end that is not in the table can never be chosen.
  @Test func everyBackEndIsInTheTable() throws {
    let types = try SourceTree.files("SyncBackends").flatMap { file in
      file.code.compactMap { line in
        line.firstMatch(of: /(?:struct|class|actor|enum) (\w+):.*\bAccountBackend\b/).map { String($0.1) }
      }
    }
    #expect(Set(types) == Set(BackendTable.all.map { "\($0)" }))
  }

  /// Output is written through `Report`, and a failure is an error instead of a crash.
  @Test func sourcesUseNeitherPrintNorFatalError() throws {
    for file in try SourceTree.files() {
      for word in ["print(", "debugPrint(", "fatalError(", "try!", "as!"] {
        for line in file.lines(with: word) where !line.text.contains(".print(") {
          Issue.record("\(file.path):\(line.number): \(line.text)")
        }
      }
    }
  }

  /// `padding(toLength:)` cuts longer texts and counts UTF-16. `rightPadded` and `leftPadded` do neither.
  @Test func textsAreNotPaddedByFoundation() throws {
    for file in try SourceTree.files() {
      for line in file.lines(with: ".padding(toLength") { Issue.record("\(file.path):\(line.number): \(line.text)") }
    }
  }

  /// A random test must be repeatable. So random numbers come from `SplitMix64`, with a seed in the test's message.
  @Test func randomNumbersInTestsAreSeeded() throws {
    let files = try SourceTree.files(in: "Tests").filter { !$0.path.hasSuffix("HouseRuleTests.swift") }
    #expect(files.count > 50)
    for file in files {
      for line in file.lines(with: "SystemRandomNumberGenerator") {
        Issue.record("\(file.path):\(line.number): no seed")
      }
      for word in [".random(", ".shuffled(", ".randomElement("] where file.contains(word) {
        for (index, line) in file.code.enumerated() where line.contains(word) && !line.contains("using:") {
          // The generator may be passed on as an argument, or the call may continue in the next line.
          let isSeeded = file.code[index...].prefix(4).contains { $0.contains("using:") || $0.contains("{ 0 }") }
          if !isSeeded { Issue.record("\(file.path):\(index + 1): no seed") }
        }
      }
    }
  }

  /// `Process.waitUntilExit` runs a run loop. On a thread of Swift's thread pool it may wait forever.
  @Test(arguments: ["Sources", "Tests"]) func processesAreAwaitedWithoutARunLoop(folder: String) throws {
    for file in try SourceTree.files(in: folder) where !file.path.hasSuffix("HouseRuleTests.swift") {
      for line in file.lines(with: ".waitUntilExit()") { Issue.record("\(file.path):\(line.number): \(line.text)") }
    }
  }

  /// The tests with real components take turns. Otherwise all of them run at once, and their time limits pass on a busy
  /// machine. Suites of real players are serialized.
  @Test func testsWithRealComponentsTakeTurns() throws {
    let folders = ["TUIApp", "Downloads", "Streams", "Desktop", "FeedKitTests/HTTP"]
    let files = try SourceTree.files(in: "Tests").filter { file in
      folders.contains { file.path.hasPrefix("Tests/" + $0) } && file.contains("@Test")
    }
    #expect(files.count > 70)
    for file in files where !file.path.hasSuffix("HouseRuleTests.swift") {
      if file.lines(with: "@Suite").isEmpty { Issue.record("\(file.path): a suite without turns") }
      for line in file.lines(with: "@Suite") {
        let suite = file.code[(line.number - 1)...].prefix(2).joined()
        let takesTurns = ["InTurn(", "InTerminal(", ".serialized"].contains(where: suite.contains)
        if !takesTurns { Issue.record("\(file.path):\(line.number): a suite without turns") }
      }
      for line in file.lines(with: ".timeLimit") { Issue.record("\(file.path):\(line.number): it begins too early") }
    }
  }

  /// Names that write to the standard streams, and the files that may use them. Other code would not notice a full
  /// disk.
  private static let streams: [(word: String, allowed: [String])] = [
    (
      "STDOUT_FILENO",
      [
        "Verbs/Output/Answers", "Terminal/OutputDiversion", "Terminal/TerminalDevice", "Verbs/DoctorVerb",
        "Verbs/HelpVerb", "Terminal/NoteEditor",
      ]
    ),
    (
      "STDERR_FILENO",
      [
        "Verbs/Output/", "Verbs/Report", "Terminal/CrashGuard", "Terminal/OutputDiversion", "Terminal/Terminal",
        "Terminal/NoteEditor",
      ]
    ),
    ("FileHandle.standardOutput", []),
    ("FileHandle.standardError", []), ("puts(", []), ("fputs(", []), ("fwrite(", []), ("putchar(", []),
    ("printf(", []),
    ("vprintf(", []), ("TextOutputStream", []),
  ]

  @Test(arguments: streams) func standardStreamsAreWrittenOnlyThroughReport(word: String, allowed: [String]) throws {
    for file in try SourceTree.files() where !allowed.contains(where: { file.path.hasPrefix("Sources/TUIApp/" + $0) }) {
      for line in file.lines(with: word) where !line.text.contains("\"") {
        Issue.record("\(file.path):\(line.number): \(line.text)")
      }
    }
  }

  /// `JSONFormat` escapes control characters. Foundation's encoders do not. What is not `Codable`, `JSONValue` reads.
  @Test(arguments: ["JSONEncoder", "JSONSerialization"]) func jsonHasOneWriterAndTwoReaders(word: String) throws {
    for file in try SourceTree.files() {
      for line in file.lines(with: word) { Issue.record("\(file.path):\(line.number): \(line.text)") }
    }
  }

  /// Only one place marks a download as complete, and it accepts only a checked file.
  @Test func downloadsAreCompletedInOneFile() throws {
    let places = try SourceTree.files().flatMap { file in
      file.lines(with: "downloadComplete: true").map { "\(file.path): \($0.text)" }
    }
    #expect(places.count == 1 && places[0].hasPrefix("Sources/Downloads/Downloader+Transfer.swift"), "\(places)")
  }

  /// Only one place adds a password to a request, and it checks the origin.
  @Test func authorizationHeadersAreMadeInOneFile() throws {
    // The headers of directories contain API keys for fixed hosts, and their requests follow no redirects.
    let allowed = [
      "Sources/HTTP/BasicAuthorization.swift", "Sources/HTTP/CurlEasy.swift",
      "Sources/Directories/SpotifyDirectory.swift", "Sources/Directories/PodcastIndexDirectory.swift",
    ]
    for file in try SourceTree.files() where !allowed.contains(file.path) {
      for word in ["Authorization:", "\"Authorization\"", "Basic \\(", "CURLOPT_USERPWD", "CURLOPT_PASSWORD"] {
        for line in file.lines(with: word) { Issue.record("\(file.path):\(line.number): \(line.text)") }
      }
    }
  }

  /// Tests the scanner itself, because a fault in it would hide violations.
  @Test func sourceScannerFindsViolations() {
    let file = SourceTree.File(
      path: "x",
      text: """
        @preconcurrency import CMpv
          let now = Date() // not here: Process(
        let then = FeedDate()
        import struct Foundation.Date
        """)
    #expect(file.imports == ["CMpv", "Foundation"])
    #expect(file.lines(with: "Date()").map(\.number) == [2] && file.lines(with: "Process(").isEmpty)
  }
}
