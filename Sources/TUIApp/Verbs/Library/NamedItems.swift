import ArgumentParser
import Foundation
import Model
import Store
import TerminalKit

/// Finds the episodes, clips and playlists that arguments name.
extension VerbContext {
  /// Finds an episode by its number, its media address, its guid, or a link to another player's site.
  func episode(_ text: String, withDeleted: Bool = false) throws -> EpisodeDetail {
    if let number = Int64(text), let detail = try library.episode(EpisodeID(number)) { return detail }
    let found = try library.episodes(named: text, withDeleted: withDeleted)
    guard found.count < 2 else {
      throw StoreError.invalid(
        "\(found.count) episodes are named \(text): \(found.map(\.description).joined(separator: ", ")).")
    }
    guard let id = try found.first ?? episode(behind: text), let detail = try library.episode(id) else {
      throw StoreError.unknown("episode \(text)")
    }
    return detail
  }

  /// Finds all episodes before anything is done with one of them.
  func episodes(_ texts: [String], withDeleted: Bool = false) throws -> [EpisodeID] {
    try texts.map { try episode($0, withDeleted: withDeleted).id }
  }

  /// Finds a clip or bookmark by its number, with or without `clip:` before it.
  /// - Parameter skipped: finds a part that is skipped instead.
  func clip(_ text: String, skipped: Bool = false) throws -> Clip {
    let digits = text.hasPrefix("clip:") ? String(text.dropFirst(5)) : text
    guard let number = Int64(digits), let clip = try library.clip(ClipID(number)),
      clip.kind == (skipped ? .skip : .clip)
    else {
      throw StoreError.unknown("\(skipped ? "skipped part" : "clip") \(text)")
    }
    return clip
  }

  /// Finds a playlist by its number, slug or title. An exact title comes first. Sync and undo may bring two playlists
  /// with the same slug or title.
  func playlist(_ text: String) throws -> Playlist {
    let all = try library.playlists()
    if let number = Int64(text), let playlist = all.first(where: { $0.id == PlaylistID(number) }) { return playlist }
    let exact = all.filter { $0.title == text }
    let named =
      exact.isEmpty
      ? all.filter { $0.slug == text || TextFolding.fold($0.title) == TextFolding.fold(text) } : exact
    guard named.count < 2 else {
      throw StoreError.invalid(
        "\(named.count) playlists are named \(text): use a number that “earshot playlist list” shows.")
    }
    guard let playlist = named.first else { throw StoreError.unknown("playlist \(text)") }
    return playlist
  }

  /// Finds an item of a playlist: an episode, or `clip:` with the number of a clip.
  func item(_ text: String) throws -> Playlist.Item {
    text.hasPrefix("clip:") ? .clip(try clip(text).id) : .episode(try episode(text).id)
  }

  /// Parses a filter. Prints on stderr where it is wrong. Commands check it in `validate`, before the library is open.
  static func filter(_ text: String) throws -> EpisodeFilter {
    do throws(FilterError) {
      return try EpisodeFilter(parsing: text)
    } catch {
      Report.message(error.description)
      // The mark below a line of many rows points at nothing.
      let lines = text.utf8.count < 500 ? error.pointing(into: text) : ""
      for line in lines.split(separator: "\n") { Report.detail(String(line)) }
      throw ExitStatus.usage.error
    }
  }
}

/// A position in an episode: `93`, `93.5`, `1:33` or `1:02:03`. In seconds.
struct Second: ExpressibleByArgument {
  var seconds: Double

  init?(argument: String) {
    guard case .absolute(let seconds)? = TimeArgument(argument) else { return nil }
    self.seconds = seconds
  }
}

/// Shell completions from the library. Without a library there are none, and no message.
enum VerbCompletion {
  static let playlist = CompletionKind.custom { _, _, _ in
    answers { try $0.playlists().map { $0.slug ?? $0.title } }
  }

  static let podcast = CompletionKind.custom { _, _, _ in answers { try $0.podcasts().map(\.title) } }

  static let tag = CompletionKind.custom { _, _, _ in answers { try $0.allTags() } }

  /// The word before the cursor, completed.
  static let filter = CompletionKind.custom { words, _, _ in
    let text = words.last ?? ""
    return answers { library in
      let completion = try library.completion(ofFilter: text)
      let kept = String(text.prefix(completion.replaces.lowerBound))
      return completion.candidates.map { kept + $0 }
    }
  }

  static func answers(_ ask: (Library) throws -> [String]) -> [String] {
    let path = Configuration.load(Directories()).directories.database
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    do {
      let names = try ask(try Library(path: path)).map { Sanitize.line($0) }
      return CompletionShell.requesting == .bash ? names.map(quotedForBash) : names
    } catch {
      return []
    }
  }

  /// The script that ArgumentParser makes for bash passes the names to `compgen -W`, which expands them as bash expands
  /// a command (bash(1), "Programmable Completion"): a title with `$(…)` would run one.
  static func quotedForBash(_ name: String) -> String {
    name.unicodeScalars.reduce(into: "") { quoted, scalar in
      let isPlain = !scalar.isASCII || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      if !isPlain { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
  }
}
