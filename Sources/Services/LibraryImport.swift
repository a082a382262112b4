import FeedKit
import Foundation
import HTTP
import Importers
import Model
import Store

/// Why nothing could be taken over.
package enum ImportFailure: Error, CustomStringConvertible {
  /// The file cannot be read.
  case unreadable(String)
  case invalid(String)

  package var description: String {
    switch self {
    case .unreadable(let text), .invalid(let text): text
    }
  }
}

/// Takes over what another program kept, or an OPML file.
package struct LibraryImport {
  /// What came and what could not.
  package struct Outcome: Encodable {
    package var program: String
    package var added = 0
    package var known = 0
    /// As they are shown.
    package var refused: [String] = []
    package var played = 0
    package var begun = 0
    package var deleted = 0
    package var queued = 0
    var tagged = 0
    /// Episodes that stay as they are here.
    package var kept = 0
    package var notes: [String] = []

    /// What came of episodes: "3 played".
    package var states: [String] {
      [
        (played, "played"), (begun, "begun"), (deleted, "deleted"), (queued, "queued"), (tagged, "tagged"),
        (kept, "kept as they are here"),
      ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    }
  }

  package let library: Library
  /// For copies of databases.
  package let scratchDirectory: String

  package init(library: Library, scratchDirectory: String) {
    self.library = library
    self.scratchDirectory = scratchDirectory
  }

  /// - Parameter file: a file, or a directory that holds one.
  package static func read(_ file: String, scratchDirectory: String) throws(ImportFailure) -> ForeignLibrary {
    do throws(ImportError) {
      if let library = try Importer(scratchDirectory: scratchDirectory).read(file) { return library }
    } catch {
      throw error.isUsage ? .unreadable(error.description) : .invalid(error.description)
    }
    let data: Data
    do { data = try Data(contentsOf: URL(fileURLWithPath: file)) } catch {
      throw .unreadable("\(file) cannot be read: \(error.localizedDescription)")
    }
    return try read(data, file)
  }

  /// OPML.
  package static func read(_ data: Data, _ file: String) throws(ImportFailure) -> ForeignLibrary {
    do { return library(try OPML.read(data)) } catch { throw .invalid("\(file): invalid data: \(error)") }
  }

  /// Addresses that are none of a feed are left out and told.
  package func adopt(_ foreign: ForeignLibrary, now: Date) throws(StoreError) -> Outcome {
    var foreign = foreign
    var outcome = Outcome(program: foreign.program, notes: foreign.notes)
    var passwords: [String: Credentials] = [:]
    foreign.podcasts = foreign.podcasts.compactMap { podcast in
      guard let address = try? FeedAddress.parse(podcast.feedURL), case .urls(let urls) = address.target,
        let url = urls.first
      else {
        outcome.refused.append(ShownAddress(podcast.feedURL).description)
        return nil
      }
      var podcast = podcast
      podcast.feedURL = url
      let named = podcast.user.flatMap { user in
        (try? WebAddress(url)).map { Credentials(user: user, password: podcast.password ?? "", for: $0) }
      }
      if let credentials = address.credentials ?? named { passwords[url] = credentials }
      return podcast
    }
    let result = try library.importLibrary(foreign, now: now)
    // What the listener gave here stays.
    for (url, credentials) in passwords {
      guard let id = try library.podcastID(feedURL: url) else { continue }
      try library.addCredentials(credentials, of: id)
    }
    (outcome.added, outcome.known) = (result.added.count, result.known)
    (outcome.played, outcome.begun, outcome.deleted) = (result.played, result.begun, result.deleted)
    (outcome.queued, outcome.tagged, outcome.kept) = (result.queued, result.tagged, result.kept)
    return outcome
  }

  private static func library(_ entries: [OPMLEntry]) -> ForeignLibrary {
    ForeignLibrary(
      program: "OPML",
      podcasts: entries.map { entry in
        ForeignPodcast(
          feedURL: entry.url, title: entry.title, link: entry.htmlURL, tags: entry.tags,
          episodes: entry.progress.map { progress in
            let position = progress.position ?? 0
            let status: EpisodeStatus =
              progress.isDeleted ? .deleted : progress.isPlayed ? .played : position > 0 ? .paused : .new
            return ForeignEpisode(
              title: progress.title, mediaURL: progress.mediaURL, status: status,
              position: status == .paused ? position : 0)
          }.filter(\.isTouched))
      })
  }
}

extension ImportError {
  /// The file cannot even be read.
  fileprivate var isUsage: Bool { if case .unreadable = self { true } else { false } }
}
