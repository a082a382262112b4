import FeedKit
import Foundation
import HTTP
import Model
import Synchronization

/// Sites whose sound yt-dlp finds: the lists of their videos, and the files behind their pages.
///
/// The address of a file is kept until it expires. A page that is being looked for is not looked for twice.
package final class Sites: PageResolver {
  package typealias Found = @Sendable (FeedEpisode) -> Void
  private typealias Completion = @Sendable (Result<PageFile, HTTPError>) -> Void

  private struct State {
    var known: [String: (file: PageFile, expires: Date)] = [:]
    var waiting: [String: [Completion]] = [:]
    var found: Found = { _ in }
  }

  package let program: SiteProgram
  private let clock: @Sendable () -> Date
  private let state = Mutex(State())

  /// How many videos of a list are fetched by a refresh, and how many when the listener asks for all.
  package static let newest = 50
  package static let all = 5_000

  package init(_ program: SiteProgram, clock: @escaping @Sendable () -> Date = { Date() }) {
    self.program = program
    self.clock = clock
  }

  /// Sets what is called with the description of a video whose file was found.
  package func whenFound(_ found: @escaping Found) { state.withLock { $0.found = found } }

  // MARK: Files

  package func resolve(
    _ page: WebAddress, refused: WebAddress?, completion: @escaping @Sendable (Result<PageFile, HTTPError>) -> Void
  ) {
    let now = clock()
    let (known, isFirst) = state.withLock { state -> (PageFile?, Bool) in
      if let known = state.known[page.text], known.expires > now, known.file.address != refused {
        return (known.file, false)
      }
      let isFirst = state.waiting[page.text] == nil
      state.waiting[page.text, default: []].append(completion)
      return (nil, isFirst)
    }
    if let known { return completion(.success(known)) }
    guard isFirst else { return }
    program.ask(.file(page)) { [self] answer in
      let file = answer.flatMap(\.file)
      let (waiting, found) = state.withLock { state -> ([Completion], Found) in
        state.known = state.known.filter { $0.value.expires > now }
        state.known[page.text] = (try? file.get()).map { ($0, Self.expiry(of: $0.address, now: clock())) }
        return (state.waiting.removeValue(forKey: page.text) ?? [], state.found)
      }
      for completion in waiting { completion(file.mapError { .page($0) }) }
      if case .success(let answer) = answer, answer.isVideo, let episode = answer.episodes.first { found(episode) }
    }
  }

  /// Seconds for which an address is kept that does not say when it expires.
  private static let lifetime = 3600.0

  /// When the address expires, as some sites say in it: `expire=1795774021` or `/expire/1795774021/`. A minute earlier,
  /// so that a request does not come too late.
  static func expiry(of address: WebAddress, now: Date) -> Date {
    let standard = now.addingTimeInterval(lifetime)
    guard let match = address.text.firstMatch(of: /(?i)[?&\/](?:expires?|exp)[=\/](\d{10})(?:[&\/]|$)/),
      let seconds = Double(match.1)
    else { return standard }
    let expiry = Date(timeIntervalSince1970: seconds - 60)
    return min(expiry, now.addingTimeInterval(24 * lifetime))
  }

  // MARK: Lists

  /// What is at a page.
  package func look(at page: WebAddress, limit: Int = Sites.newest) async throws(FeedError) -> SiteAnswer {
    let result: Result<SiteAnswer, PageFailure> = await withCheckedContinuation { continuation in
      program.ask(.list(page, limit: limit)) { continuation.resume(returning: $0) }
    }
    do { return try result.get() } catch { throw .http(.page(error)) }
  }

  /// Why nothing can be done with a page if the listener has no yt-dlp.
  package static let advice = PageFailure(
    "a page with a video; set yt_dlp in the table [sites] of the configuration to play its sound (docs/SITES.md)")
}
