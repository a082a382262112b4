import AppCore
import Foundation
import Model
import TemporaryFiles
import TerminalKit

@testable import Importers
@testable import Store
@testable import Streams
@testable import TUIApp

/// The readers of untrusted bytes that are not in FeedKit (`ForeignReader` has those), for fuzzing.
enum ProgramReader: String, CaseIterable {
  case relay, input, configuration, theme, database, backup

  func read(_ data: Data) {
    let text = String(decoding: data, as: UTF8.self)
    switch self {
    case .relay: if let request = RelayRequest(text) { precondition(request.start >= 0) }
    case .input: Self.type(text)
    case .configuration:
      var configuration = Configuration(directories: Directories(environment: ["HOME": "/nowhere"]))
      configuration.read(text, file: "config.toml")
      precondition(configuration.preferences.speed > 0 && configuration.maxPerHost > 0)
      let lines = text.split(separator: "\n").prefix(20).map(String.init)
      for line in lines { _ = (KeyNotation.parse(line), try? EpisodeFilter(parsing: line)) }
    case .theme:
      Self.withFile("theme.toml", data) { folder, _ in
        _ = try? ThemeFiles(directories: [folder], depth: .palette256).load("theme")
      }
    case .database:
      Self.withFile("changed.db", data) { folder, path in
        _ = try? Importer(scratchDirectory: folder + "/scratch").read(path)
      }
    case .backup:
      Self.withFile("backup.db", data) { folder, path in
        _ = try? Library.restore(path, to: folder + "/earshot.db", now: Date(timeIntervalSince1970: 0))
      }
    }
  }

  /// Everything that a terminal sends is taken. A character of a private use area stands for a key of ncurses.
  private static func type(_ text: String) {
    let codes = text.unicodeScalars.map { scalar -> InputDecoder.Code in
      (0xE000..<0xF8FF).contains(scalar.value) ? .function(scalar.value - 0xE000) : .character(scalar.value)
    }
    var decoder = InputDecoder()
    var rest = codes[...]
    while !rest.isEmpty {
      let events = InputEvent.joined(decoder.events(milliseconds: 0) { rest.popFirst() })
      precondition(events.count <= codes.count)
    }
  }

  /// Writes the file into an empty directory, which is deleted afterwards.
  private static func withFile(_ name: String, _ data: Data, _ body: (String, String) -> Void) {
    guard let folder = try? TemporaryDirectory(), let path = try? folder.write([UInt8](data), as: name) else { return }
    withExtendedLifetime(folder) { body(folder.path, path) }
  }
}
