import Foundation
import Model
import Services
import Store

/// The items that `earshot play` was asked to play, in order. An item that cannot be played is reported at its turn and
/// skipped.
struct PlayItems {
  /// An item to play, with its podcast's settings.
  struct Item {
    let target: PlayTarget
    /// Seconds.
    var start: Double
    /// The listener chose the start, so the stored position is left by a jump.
    var isStartChosen = false
    /// The duration of the file when it was last played, in seconds.
    var storedDuration: Double?
    let playback: PlaybackSettings
  }

  /// What the listener has named. A failure is a link that leads to no episode.
  typealias Source = Result<String, any Error>

  private let context: VerbContext
  private let streams: StreamService
  private let rewinds: Bool
  private let storesPosition: Bool
  private let showMessage: (String) -> Void
  private var rest: ArraySlice<Source>
  /// The start of the first item, in seconds; nil: its stored position.
  private var start: Double?
  private var ahead: Item?
  /// Addresses that were already played. An item that is named twice is played twice.
  private var begun: Set<String> = []
  /// Held from the first episode on, because only one player may change positions.
  private var lock: FileLock?
  /// The exit status of the first item that could not be played.
  private(set) var failure: ExitStatus?

  /// - Parameters:
  ///   - rewinds: starts a little before the stored position.
  ///   - storesPosition: false for samples, which nobody listens to.
  ///   - showMessage: tells the listener.
  init(
    _ sources: [Source], start: Double?, rewinds: Bool, storesPosition: Bool, _ context: VerbContext,
    _ streams: StreamService,
    showMessage: @escaping (String) -> Void
  ) {
    rest = sources[...]
    self.start = start
    self.rewinds = rewinds
    self.storesPosition = storesPosition
    self.context = context
    self.streams = streams
    self.showMessage = showMessage
  }

  /// How many items are left.
  var count: Int { rest.count + (ahead == nil ? 0 : 1) }

  /// The next item; nil if none is left that can be played.
  mutating func peek() -> Item? {
    while ahead == nil, let source = rest.popFirst() { ahead = item(source) }
    return ahead
  }

  mutating func take() -> Item? {
    defer { ahead = nil }
    return peek()
  }

  mutating func fail(_ status: ExitStatus) { failure = failure ?? status }

  private mutating func item(_ source: Source) -> Item? {
    // It belongs to the first item, even if that cannot be played.
    defer { start = nil }
    do {
      let target = try PlayTarget(try source.get(), context, playsPages: streams.playsPages)
      guard try holdsPlayer(for: target) else { return nil }
      if let notice = target.notice { showMessage(notice) }
      return try item(target)
    } catch {
      showMessage(String(describing: error))
      fail(Report.status(of: error))
      return nil
    }
  }

  private mutating func item(_ target: PlayTarget) throws -> Item {
    let isAgain = !begun.insert(target.address).inserted
    guard let detail = target.detail else {
      if VideoPage.isAddress(target.address) { streams.authorizePage(target.address) }
      return Item(target: target, start: start ?? (isAgain ? 0 : target.position), playback: PlaybackSettings())
    }
    streams.authorize(target.address, of: detail.row.podcast, in: context.library)
    let playback = try context.library.effectiveSettings(of: detail.row.podcast)
    let isStartChosen = start != nil
    let wanted = start ?? (isAgain ? playback.intro(of: detail.row.duration) ?? 0 : nil)
    let start = try EpisodeStart(
      detail, from: wanted, settings: playback, rewinds: rewinds, library: context.library, now: Date())
    return Item(
      target: target, start: start.second, isStartChosen: isStartChosen, storedDuration: start.total, playback: playback
    )
  }

  /// Acquires the lock of the player if needed. An item outside of the library has a position of its own and needs no
  /// lock.
  private mutating func holdsPlayer(for target: PlayTarget) throws -> Bool {
    guard target.episode != nil, storesPosition, lock == nil, !context.library.isTemporary else { return true }
    switch try PlayerLock.acquire(library: context.configuration.directories.database) {
    case .held(let lock):
      self.lock = lock
      return true
    case .taken(let holder):
      let who = holder.map { " (process \($0))" } ?? ""
      showMessage("Another Earshot\(who) is running. Run “earshot ctl” to control it, “earshot ctl quit” to end it.")
      fail(.unavailable)
      return false
    }
  }
}
