import FeedKit
import Foundation
import HTTP
import Importers
import Model
import Store

/// Imports the library of another program, or an OPML file.
package struct LibraryImport {
  /// The result of an import.
  package struct Outcome {
    package var program: String
    package var result: ImportResult
    /// Refused addresses, without secrets.
    package var refused: [String]
    package var notes: [String]

    /// Texts about imported episode states, such as "3 played".
    package var states: [String] {
      [
        (result.played, "played"), (result.begun, "begun"), (result.deleted, "deleted"), (result.queued, "queued"),
        (result.tagged, "tagged"), (result.kept, "kept as they are here"),
      ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    }
  }

  package let library: Library

  package init(library: Library) { self.library = library }

  /// - Parameters:
  ///   - file: a file, or a directory that contains one.
  ///   - scratchDirectory: for temporary copies of databases.
  package static func read(_ file: String, scratchDirectory: String) throws(ImportError) -> ForeignLibrary {
    if let library = try Importer(scratchDirectory: scratchDirectory).read(file) { return library }
    let data: Data
    do { data = try Data(contentsOf: URL(fileURLWithPath: file)) } catch {
      throw .unreadable(path: file, why: FileFailure.text(error))
    }
    return try read(data, file)
  }

  /// Reads OPML, or a list of addresses.
  package static func read(_ data: Data, _ file: String) throws(ImportError) -> ForeignLibrary {
    if let list = AddressListImport.read(data) { return list }
    do { return library(try OPML.contents(data)) } catch { throw .damaged(path: file, detail: "\(error)") }
  }

  /// Imports into the library. Addresses that are not feeds are skipped and listed in the outcome.
  package func adopt(_ foreign: ForeignLibrary, now: Date) throws(StoreError) -> Outcome {
    var foreign = foreign
    var (refused, notes) = (foreign.refused.map { ShownAddress($0).description }, foreign.notes)
    var passwords: [String: Credentials] = [:]
    foreign.podcasts = foreign.podcasts.compactMap { podcast in
      guard let address = try? FeedAddress.parse(podcast.feedURL), let url = address.urls.first else {
        refused.append(ShownAddress(podcast.feedURL).description)
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
    for folder in foreign.folders {
      if let podcast = try self.podcast(folder) {
        foreign.podcasts.append(podcast)
      } else {
        notes.append(folder.note)
      }
    }
    let result = try library.importLibrary(foreign, now: now)
    // Credentials that the listener has entered here are kept.
    for (url, credentials) in passwords {
      guard let id = try library.podcastID(feedURL: url) else { continue }
      try library.addCredentials(credentials, of: id)
    }
    return Outcome(program: foreign.program, result: result, refused: refused, notes: notes)
  }

  private static func library(_ contents: OPML.Contents) -> ForeignLibrary {
    ForeignLibrary(
      program: "OPML",
      podcasts: contents.entries.map { entry in
        ForeignPodcast(
          feedURL: entry.url, title: entry.title, link: entry.htmlURL, tags: entry.tags,
          episodes: entry.progress.map { progress in
            let position = progress.position ?? 0
            let status: EpisodeStatus =
              progress.isDeleted ? .deleted : progress.isPlayed ? .played : position > 0 ? .paused : .new
            return ForeignEpisode(
              title: progress.title, mediaURL: progress.mediaURL, status: status,
              position: status == .paused ? position : 0)
          }.filter(\.hasListenerData))
      }, refused: contents.refused, notes: contents.damage.map { [$0.note(found: contents.entries.count)] } ?? [])
  }
}

extension OPML.Damage {
  /// A note for the listener.
  /// - Parameter found: how many podcasts were found.
  fileprivate func note(found: Int) -> String {
    let found = "\(Counted.text(found, "podcast")) found"
    return switch self {
    case .cutOff: "the file is cut off: \(found), others may be missing"
    case .noRoot: "the file is damaged (it has no <opml> element): \(found)"
    case .unreadable(let count): "the file is damaged: \(found), \(count) could not be read"
    }
  }
}
