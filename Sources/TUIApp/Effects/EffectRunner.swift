import AppCore
import FeedKit
import Foundation
import Logging
import Model
import Playback
import Services
import Store
import Synchronization

/// Does in the world what `update` wants, off the main thread, and posts what comes of it as actions.
///
/// Reads run on one queue and writes on another, each in order; a position that was written is seen by the next play,
/// because plays are looked up on the writers' queue.
final class EffectRunner: Sendable {
  let mailbox: Mailbox<Action>
  let library: Library
  /// Writes what the player notes, or remembers it until that is possible.
  let keeper: ListeningRecorder
  /// The load that is read up to its place where that cannot be sought. Asked for on the main thread, used on `writes`.
  let readUpTo = Mutex(0)
  let answers: LibraryAnswers
  let refresher: Refresher
  let player: Player
  let streams: StreamService
  let search: SearchService
  let sound: SoundService
  let chapters: ChapterService
  let rewindsAfterPause: Bool
  /// For copies of other programs' databases.
  let scratchDirectory: String
  let downloads: DownloadRunner
  let resources: Resources
  let themes: ThemeFiles
  let companions: TranscriptService
  let covers: CoverLoader
  let directories: DiscoverService
  /// Refreshes and podcasts that are being added, to be cancelled.
  let running = Mutex<[RequestID: Task<Void, Never>]>([:])
  /// nil in a player that only reads: it plays nothing, and is not to be steered.
  let desktop = Mutex<DesktopBridge?>(nil)
  private let syncing: SyncScheduler?
  /// nil in a player that only reads.
  var sync: SyncScheduler? { refusal == nil ? syncing : nil }
  let notifies: Bool
  let unattended = Mutex<UnattendedRefresh?>(nil)
  private let whyNot: Mutex<String?>
  /// Why this process must not play and write, when another one does.
  var refusal: String? { whyNot.withLock { $0 } }
  /// The lock that has become free, until it is taken.
  private let freeLock = Mutex<PlayerLock?>(nil)
  let log: Logger
  let clock: @Sendable () -> Date
  /// When this run began: undo asks before it takes back what is older.
  let start: Date
  let reads = DispatchQueue(label: "earshot.reads", qos: .userInitiated)
  let writes = DispatchQueue(label: "earshot.writes", qos: .userInitiated)

  struct Parts {
    var mailbox: Mailbox<Action>
    var library: Library
    var refresher: Refresher
    var player: Player
    var streams: StreamService
    var client: FeedClient
    var preferences: Preferences
    var scratchDirectory: String
    var downloads: DownloadRunner
    var resources: Resources
    var themes: ThemeFiles
    var companions: TranscriptService
    var covers: CoverLoader
    var directories: DiscoverService
    var sync: SyncScheduler?
    /// Whether the desktop is told of new episodes.
    var notifies = false
    var refusal: String?
    var log: Logger
    var clock: @Sendable () -> Date = { Date() }
  }

  init(_ parts: Parts) {
    mailbox = parts.mailbox
    library = parts.library
    keeper = ListeningRecorder(parts.library)
    answers = LibraryAnswers(library: parts.library)
    refresher = parts.refresher
    player = parts.player
    streams = parts.streams
    search = SearchService(library: parts.library, mailbox: parts.mailbox)
    sound = SoundService(library: parts.library, player: parts.player, general: parts.preferences.sound)
    chapters = ChapterService(client: parts.client, library: parts.library, log: parts.log) {
      [mailbox = parts.mailbox] in
      mailbox.post(.library(.chapters(generation: $0, $1)))
    }
    rewindsAfterPause = parts.preferences.rewindsAfterPause
    scratchDirectory = parts.scratchDirectory
    downloads = parts.downloads
    resources = parts.resources
    themes = parts.themes
    companions = parts.companions
    covers = parts.covers
    directories = parts.directories
    syncing = parts.sync
    notifies = parts.notifies
    whyNot = Mutex(parts.refusal)
    log = parts.log
    clock = parts.clock
    start = parts.clock()
  }

  /// Starts one effect and returns at once. Each family is handled in a file of its own.
  func run(_ effect: Effect) {
    switch effect {
    case .ask(let request, let question): ask(request, question)
    case .cancel(let request): cancel(request)
    case .write(let change): write(change)
    case .player(let task): handle(task)
    case .network(let task): handle(task)
    case .file(let task): handle(task)
    // The event loop's own, which has the terminal: `PlayerProgram`.
    case .terminal: break
    }
  }

  /// Notes that a player runs, so that the next start knows whether this one ended as it should.
  func markStarted() {
    writes.async { [self] in
      do throws(StoreError) { try library.markStarted() } catch { log.error("\(error)") }
    }
  }

  /// What keeps the library whole and fast, some time after the start, when nobody waits: the day's backup, old
  /// notes packed, and the index in few pieces.
  func lookAfterLibrary() {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 20) { [self] in
      do throws(StoreError) {
        // This player holds the lock: nobody is restoring.
        Library.removeLeftovers(of: library.path, now: clock())
        if let backup = try library.backUpIfDue(now: clock()) { log.info("backup: \(backup.path)") }
        deleteVisited(before: start)
        deletePastLive()
        try library.tidy()
      } catch {
        log.error("looking after the library: \(error)")
        mailbox.post(.message(Message(.warning, "No backup was made: \(error)")))
      }
    }
  }

  /// After a crash, a power cut or a kill: looks whether the library is whole, and says so only when it is not. That reads
  /// the whole file, so no list may have to wait for it.
  func checkLibrary() {
    DispatchQueue.global(qos: .utility).async { [self] in
      do throws(StoreError) {
        let problems = try library.integrityCheck()
        guard let first = problems.first else { return log.info("the last stop was not clean; the library is whole") }
        mailbox.post(.message(Message(.error, "The library is damaged (\(first)): see earshot doctor")))
      } catch {
        mailbox.post(.library(.failed(ReportedError(error.description))))
      }
    }
  }

  /// Looks now and then whether the library is still in its place, and can be written. Twice a minute, with the leeway
  /// that lets the system wake for several things at once.
  func watchLibrary() {
    guard refusal == nil else { return }
    writes.asyncAfter(deadline: .now() + 25) { [weak self] in
      guard let self else { return }
      tell(keeper.retry(now: clock()))
      watchLibrary()
    }
  }

  /// From now on this process plays and writes.
  func becomePlayer(_ desktop: DesktopBridge) {
    self.desktop.withLock { $0 = desktop }
    whyNot.withLock { $0 = nil }
  }

  /// The player's lock, once, when the other Earshot has given it back.
  func takeLock() -> PlayerLock? {
    freeLock.withLock { lock in
      defer { lock = nil }
      return lock
    }
  }

  /// Takes the player over as soon as the other Earshot has ended.
  private func askForPlayer() {
    guard refusal != nil, freeLock.withLock({ $0 == nil }) else { return }
    do throws(StoreError) {
      guard case .held(let lock) = try PlayerLock.acquire(library: library.path) else { return }
      freeLock.withLock { $0 = lock }
      mailbox.post(.playerIsFree)
    } catch {
      log.error("asking for the player: \(error)")
    }
  }

  /// Notices what other processes write (verbs, a timer's refresh, another player), and that another player has ended.
  /// `known`: the version that was seen last.
  func watchOthers(known: Int? = nil) {
    writes.asyncAfter(deadline: .now() + 3) { [weak self] in
      guard let self else { return }
      let version = try? library.externalVersion()
      if let version, let known, version != known { mailbox.post(.library(.changed)) }
      askForPlayer()
      watchOthers(known: version ?? known)
    }
  }

  /// Waits until everything that was to be written is written, then ends the player. Called once, at the end.
  /// - Returns: why what was noted last could not be written; nil when all was.
  @discardableResult
  func finish() -> StoreError? {
    unattended.withLock { $0 }?.stop()
    let trouble = writes.sync { () -> StoreError? in
      if refusal == nil, keeper.trouble != nil { _ = keeper.retry(now: clock()) }
      if keeper.trouble == nil { deleteVisited(before: .distantFuture) }
      return keeper.trouble
    }
    sync?.finish()
    player.shutDown()
    streams.cache?.save()
    downloads.downloader.shutDown()
    return trouble
  }

  /// What the listener should know of the library's disk.
  func tell(_ news: ListeningRecorder.Notice?) {
    guard let news else { return }
    log.warning("\(news.text)")
    mailbox.post(.message(Message(news.isGrave ? .error : .success, news.text)))
    if !library.isReadOnly { mailbox.post(.library(.writable)) }
  }
}
