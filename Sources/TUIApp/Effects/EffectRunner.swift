import AppCore
import CoverArt
import Foundation
import Logging
import Model
import Playback
import Services
import Store
import Synchronization
import TerminalKit

/// Performs the effects of `update` outside of the main thread, and posts the results as actions.
///
/// Reads run on one queue and writes on another, each in order. Episodes are looked up for playing on the queue for
/// writes, so that a stored position is seen by the next play.
final class EffectRunner: Sendable {
  let mailbox: Mailbox<Action>
  let library: Library
  /// Writes positions and events, or keeps them until they can be written.
  let recorder: ListeningRecorder
  /// The generation of the load that reads its stream up to the start position if the server does not support seeking.
  /// Set on the main thread, used on `writes`.
  let readUpTo = Mutex(0)
  /// What the listener has set since the newest `.play`, whose episode may still be looked up.
  let changedSound = Mutex(ChangedSound())
  /// When the position was saved that the load of this generation resumes.
  let positionSaved = Mutex<(generation: Int, at: Date?)>((0, nil))
  let refresher: Refresher
  let player: Player
  let streams: StreamService
  let search: SearchService
  let sound: SoundService
  let chapters: ChapterService
  let rewindsAfterPause: Bool
  /// The directory for temporary copies of other programs' databases.
  let scratchDirectory: String
  let downloads: DownloadRunner
  let resources: Resources
  let themes: ThemeFiles
  let transcripts: TranscriptService
  /// Nil if the configuration names neither a program nor a server.
  let transcriber: Transcriber?
  let covers: CoverLoader
  let directories: DiscoverService
  /// The running refreshes and additions, which can be cancelled.
  let running = Mutex<[RequestID: Task<Void, Never>]>([:])
  /// Nil in a player that may only read: it plays nothing and takes no remote commands.
  let desktop = Mutex<DesktopBridge?>(nil)
  private let syncing: SyncScheduler
  /// Nil in a player that may only read.
  var sync: SyncScheduler? { refusal == nil ? syncing : nil }
  let video: VideoWindow
  let notifies: Bool
  let unattended = Mutex<UnattendedRefresh?>(nil)
  private let currentRefusal: Mutex<String?>
  /// Why this process must not play and write, because another one does. Nil if it may.
  var refusal: String? { currentRefusal.withLock { $0 } }
  /// The player's lock, between the moment it was acquired and the moment the event loop takes it.
  private let freeLock = Mutex<FileLock?>(nil)
  let log: Logger
  /// The start of this run. `undo` asks before it undoes older changes.
  let start = Date()
  let reads = DispatchQueue(label: "earshot.reads", qos: .userInitiated)
  let writes = DispatchQueue(label: "earshot.writes", qos: .userInitiated)

  init(
    _ context: VerbContext, _ preferences: Preferences, depth: ColorDepth, refusal: String?, mailbox: Mailbox<Action>,
    log: Logger
  ) throws {
    let (configuration, library, client) = (context.configuration, context.library, context.client)
    (self.mailbox, self.library, self.log) = (mailbox, library, log)
    (refresher, resources) = (context.refresher, context.resources)
    recorder = ListeningRecorder(library)
    streams = StreamService(configuration)
    player = Player(options: try .chosen(configuration, library, streams)) { mailbox.post(.player($0)) }
    search = SearchService(library: library, mailbox: mailbox)
    sound = SoundService(library: library, player: player, general: preferences.sound)
    chapters = ChapterService(
      client: client, library: library, media: MediaChapters(streams: streams.cache), log: log
    ) { mailbox.post(.library(.chapters(generation: $0, $1))) }
    rewindsAfterPause = preferences.rewindsAfterPause
    scratchDirectory = configuration.directories.cache
    let transcriber =
      configuration.transcribing.isConfigured
      ? Transcriber(library: library, configuration) { mailbox.post(.transcribing($0)) } : nil
    self.transcriber = transcriber
    downloads = DownloadRunner(
      library: library, configuration: configuration, streams: streams.cache
    ) { [writes] report in
      mailbox.post(.download(report))
      transcriber?.notice(report, on: writes)
    }
    themes = ThemeFiles(directories: [configuration.directories.themes] + resources.themes, depth: depth)
    transcripts = TranscriptService(library: library, client: client, resources: Resources())
    covers = CoverLoader(
      client: client, resources: resources, directory: configuration.directories.cache + "/covers",
      painter: CoverPainter(depth: depth, ascii: configuration.preferences.ascii), log: log,
      // If the library cannot be read, the picture is missing.
      access: { origin in (try? library.access(at: origin)) ?? RequestAccess() })
    directories = DiscoverService(access: context.podcastDirectories, country: configuration.discover.settings.country)
    syncing = SyncScheduler(SyncService(library: library, configuration), refresher: refresher, log: log) {
      mailbox.post(.sync($0))
    }
    video = VideoWindow(configuration, mailbox: mailbox)
    notifies = configuration.notifies
    currentRefusal = Mutex(refusal)
  }

  /// Starts an effect and returns at once. Each family has its own file.
  func run(_ effect: Effect) {
    switch effect {
    case .ask(let request, let question): ask(request, question)
    case .cancel(let request): cancel(request)
    case .write(let change): write(change)
    case .note(let episode, let note): record(.note(episode, note))
    case .setting(let setting, let value): record(.setting(setting.rawValue, value))
    case .player(let task): handle(task)
    case .network(let task): handle(task)
    case .file(let task): handle(task)
    // `PlayerProgram` handles the terminal.
    case .terminal: break
    }
  }

  /// Stores that a player is running, so that the next start notices a crash.
  func markStarted() {
    writes.async { [self] in
      do throws(StoreError) { try library.markStarted() } catch { log.error("\(error)") }
    }
  }

  /// Maintains the library some time after the start, and then each day: makes the daily backup, compresses old notes,
  /// and optimizes the search index.
  func maintainLibrary() {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 20) { [weak self] in
      self?.maintainLibrary(isFirst: true)
    }
  }

  private func maintainLibrary(isFirst: Bool) {
    do throws(StoreError) {
      // This player holds the lock, so no restore is running.
      if isFirst { Library.removeLeftovers(of: library.path, now: Date()) }
      let backup = try library.backUpIfDue(now: Date())
      if let backup { log.info("backup: \(backup.path)") }
      if isFirst || backup != nil {
        deleteVisited(before: start)
        deletePastLive()
        try library.maintain()
      }
    } catch {
      log.error("maintaining the library: \(error)")
      mailbox.post(.message(Message(.warning, "No backup was made: \(error)")))
    }
    // A player may run for weeks.
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.backupCheckSeconds) { [weak self] in
      self?.maintainLibrary(isFirst: false)
    }
  }

  /// Seconds between two looks at whether a backup is due.
  private static let backupCheckSeconds = 3600.0

  /// Checks the library after a crash, a power cut or a kill, and reports damage. It reads the whole file on a
  /// background queue, so that no list waits.
  func checkLibrary() {
    DispatchQueue.global(qos: .utility).async { [self] in
      do throws(StoreError) {
        let problems = try library.integrityCheck()
        guard let first = problems.first else { return log.info("the last stop was not clean; the library is whole") }
        mailbox.post(.message(Message(.error, "The library is damaged (\(first)). Run “earshot doctor” for details.")))
      } catch {
        mailbox.post(.library(.failed(ReportedError(error.description))))
      }
    }
  }

  /// Checks twice a minute whether the library's file is still at its path and can be written. The timer has a leeway,
  /// so that the system can wake for several things at once.
  func watchLibrary() {
    guard refusal == nil else { return }
    writes.asyncAfter(deadline: .now() + 25) { [weak self] in
      guard let self else { return }
      showNews(recorder.retry(now: Date()))
      runTimedRules()
      desktop.withLock { $0 }?.keepReachable()
      watchLibrary()
    }
  }

  /// Lets this process play and write.
  func becomePlayer(_ desktop: DesktopBridge) {
    self.desktop.withLock { $0 = desktop }
    currentRefusal.withLock { $0 = nil }
  }

  /// Returns the player's lock once, after the other Earshot has ended.
  func takeLock() -> FileLock? {
    freeLock.withLock { lock in
      defer { lock = nil }
      return lock
    }
  }

  /// Tries to acquire the player's lock, which succeeds once the other instance has ended.
  private func askForPlayer() {
    guard refusal != nil, freeLock.withLock({ $0 == nil }) else { return }
    do throws(StoreError) {
      guard case .held(let lock) = try PlayerLock.acquire(library: library.path) else { return }
      freeLock.withLock { $0 = lock }
      mailbox.post(.becamePlayer)
    } catch {
      log.error("asking for the player: \(error)")
    }
  }

  /// Notices writes by other processes (commands, a timer's refresh, another player), and the end of another player.
  /// - Parameters:
  ///   - known: the data version before the library was read last.
  ///   - last: the episodes of the player. A command, such as `earshot sync`, may have moved them meanwhile.
  func watchOtherProcesses(known: Int?, last: [EpisodeRow] = []) {
    writes.asyncAfter(deadline: .now() + 3) { [weak self] in
      guard let self else { return }
      let version = try? library.externalVersion()
      let isChanged = version != nil && known != nil && version != known
      let rows = (try? library.episodesOfPlayer()) ?? last
      if isChanged {
        mailbox.post(.library(.changed))
        downloads.downloader.noticeOtherProcesses()
        let before = Dictionary(uniqueKeysWithValues: last.map { ($0.id, $0.position) })
        for row in rows where [.playing, .paused].contains(row.status) && recorder.failure == nil {
          guard let position = before[row.id], position != row.position else { continue }
          mailbox.post(.library(.movedElsewhere(row.id, row.position)))
        }
      }
      askForPlayer()
      watchOtherProcesses(known: version ?? known, last: rows)
    }
  }

  /// Waits until everything is written, then ends the player. Called once, at the end.
  /// - Parameter onWait: called if the writes take longer than a second.
  /// - Returns: why the last notes could not be written; nil if they were.
  @discardableResult
  func finish(onWait: () -> Void = {}) -> StoreError? {
    unattended.withLock { $0 }?.stop()
    transcriber?.stop()
    video.close()
    writes.async { [self] in
      if refusal == nil { recorder.saveAtEnd() }
      if recorder.failure == nil { deleteVisited(before: .distantFuture) }
    }
    if !writes.awaitEarlierWork(atMost: 1000) {
      onWait()
      writes.sync {}
    }
    let failure = recorder.failure
    sync?.finish()
    transcriber?.finish()
    player.shutDown()
    streams.cache?.save()
    downloads.downloader.shutDown()
    return failure
  }

  /// Shows news about the library's disk.
  func showNews(_ news: ListeningRecorder.Notice?) {
    guard let news else { return }
    log.warning("\(news.text)")
    mailbox.post(.message(Message(news.isSerious ? .error : .success, news.text)))
    if !library.isReadOnly { mailbox.post(.library(.writable)) }
  }
}
