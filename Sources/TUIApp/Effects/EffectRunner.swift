import AppCore
import FeedKit
import Foundation
import Logging
import Model
import Playback
import Store
import Synchronization

/// Does in the world what `update` wants, off the main thread, and posts what comes of it as actions.
///
/// Reads run on one queue and writes on another, each in order; a position that was written is seen by the next play,
/// because plays are looked up on the writers' queue.
final class EffectRunner: Sendable {
  let mailbox: Mailbox<Action>
  let library: Library
  private let answers: LibraryAnswers
  private let refresher: Refresher
  let player: Player
  let streams: StreamService
  private let search: SearchService
  let sound: SoundService
  let chapters: ChapterService
  let rewindsAfterPause: Bool
  let downloads: DownloadRunner
  let resources: Resources
  private let themes: ThemeFiles
  private let companions: TranscriptService
  private let covers: CoverLoader
  /// The refresh that was started last, to be cancelled.
  private let refreshing = Mutex<Task<Void, Never>?>(nil)
  /// Podcasts that are being added, to be cancelled too.
  private let adding = Mutex<[RequestID: Task<Void, Never>]>([:])
  private let desktop: DesktopBridge?
  private let notifies: Bool
  /// Why this process must not play and write, when another one does.
  let refusal: String?
  let log: Logger
  let clock: @Sendable () -> Date
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
    var downloads: DownloadRunner
    var resources: Resources
    var themes: ThemeFiles
    var companions: TranscriptService
    var covers: CoverLoader
    var desktop: DesktopBridge?
    /// Whether the desktop is told of new episodes.
    var notifies = false
    var refusal: String?
    var log: Logger
    var clock: @Sendable () -> Date = { Date() }
  }

  init(_ parts: Parts) {
    mailbox = parts.mailbox
    library = parts.library
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
    downloads = parts.downloads
    resources = parts.resources
    themes = parts.themes
    companions = parts.companions
    covers = parts.covers
    desktop = parts.desktop
    notifies = parts.notifies
    refusal = parts.refusal
    log = parts.log
    clock = parts.clock
  }

  /// Starts one effect and returns at once. Effects of the terminal (`.redraw`, `.suspend`, `.quit`, `.setTitle`) are
  /// the event loop's own.
  func run(_ effect: Effect) {
    switch effect {
    case .loadPodcasts, .loadEpisodes, .loadRows, .loadEpisode, .loadPodcast, .loadQueue, .loadPlaylists,
      .loadPlaylist:
      reads.async { [self] in
        if let answer = answers.answer(effect) { mailbox.post(.library(answer)) }
      }
    case .find(let request, let words): search.find(request, words)
    case .stopFinding: search.stop()
    case .add(let request, let address): add(request, address)
    case .refresh(let podcasts): refresh(podcasts)
    case .play(let id, let from, let generation, let speed, let volume):
      play(id, from: from, generation, speed: speed, volume: volume)
    case .prepare(let upcoming): prepare(upcoming)
    // One that only reads plays nothing.
    case .warmUpPlayer: if refusal == nil { player.warmUp() }
    case .setPaused(let isPaused): player.setPaused(isPaused)
    case .seek(let second): player.seek(to: second)
    case .setSpeed(let speed): player.setSpeed(speed)
    case .setVolume(let percent): player.setVolume(percent)
    case .stopPlayer: player.stop()
    case .setSound(let shape): sound.setGeneral(shape)
    case .setFade(let share): player.setFade(share)
    case .setDevice(let name): player.setDevice(name)
    case .listDevices: player.listDevices()
    case .mergeChapters(let generation, let found): reads.async { [self] in chapters.found(generation, found) }
    case .loadShow(let podcast): loadShow(podcast)
    case .openLink(let address): LinkOpener(mailbox: mailbox).open(address)
    case .loadTheme(let name): loadTheme(name)
    case .loadTranscript(let id): loadTranscript(id)
    case .loadCover(let request): covers.load(request) { [mailbox] in mailbox.post(.cover(request, $0)) }
    case .cancelAdd(let request): adding.withLock { $0[request] }?.cancel()
    case .cancelRefresh: refreshing.withLock { $0?.cancel() }
    case .redraw, .suspend, .quit, .setTitle, .copy: break
    case .download, .pauseDownloads, .dropDownloads, .setAutomaticDownload, .setKeptDownloads: download(effect)
    default: write(effect)
    }
  }

  /// Notes that a player runs, so that the next start knows whether this one ended as it should.
  func markStarted() {
    writes.async { [self] in
      do throws(StoreError) { try library.markStarted() } catch { log.error("\(error)") }
    }
  }

  /// What keeps the library whole and fast, some time after the start, when nobody waits: the day's backup, and the
  /// index in few pieces.
  func lookAfterLibrary() {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + 20) { [self] in
      do throws(StoreError) {
        if let backup = try library.backUpWhenDue(now: clock()) { log.info("backup: \(backup.path)") }
        try library.tidySearch()
      } catch {
        log.error("looking after the library: \(error)")
        mailbox.post(.message(Message(.warning, "No backup was made: \(error)")))
      }
    }
  }

  /// After a crash, a power cut or a kill: looks whether the library is whole, and says so only when it is not.
  func checkLibrary() {
    reads.async { [self] in
      do throws(StoreError) {
        let problems = try library.integrityCheck()
        guard let first = problems.first else { return log.info("the last stop was not clean; the library is whole") }
        mailbox.post(.message(Message(.error, "The library is damaged (\(first)): see earshot doctor")))
      } catch {
        mailbox.post(.library(.failed(ReportedError(error.description))))
      }
    }
  }

  /// Waits until everything that was to be written is written, then ends the player. Called once, at the end.
  func finish() {
    writes.sync {}
    player.shutDown()
    streams.cache?.save()
    downloads.downloader.shutDown()
  }

  // MARK: The network

  private func add(_ request: RequestID, _ address: String) {
    if let refusal { return mailbox.post(.added(request, .failure(ReportedError(refusal)))) }
    // Begun within the lock, so that it is noted before it can be over.
    adding.withLock { adding in
      adding[request] = Task { [self] in
        let result = await refresher.add(address) { [mailbox] in mailbox.post(.arriving(request, $0)) }
        mailbox.post(.added(request, result.mapError { ReportedError($0.text) }))
        self.adding.withLock { $0[request] = nil }
        await refresher.index()
      }
    }
  }

  private func refresh(_ podcasts: [PodcastID]?) {
    if let refusal { return mailbox.post(.message(Message(.warning, refusal))) }
    let task = Task { [self] in
      let notice = NewEpisodeNotice()
      await refresher.refresh(podcasts) { [mailbox, desktop, notifies] report in
        mailbox.post(.refresh(report))
        if notifies, let text = notice.add(report) { desktop?.notify(title: text.title, body: text.body) }
      }
      fetchNewDownloads()
    }
    refreshing.withLock { $0 = task }
  }

  // MARK: The rest

  private func loadTranscript(_ id: EpisodeID) {
    Task { [mailbox, companions] in
      do throws(ReportedError) {
        mailbox.post(.library(.transcript(id, .success(try await companions.transcript(of: id)))))
      } catch {
        mailbox.post(.library(.transcript(id, .failure(error))))
      }
    }
  }

  private func loadTheme(_ name: String) {
    reads.async { [self] in
      do throws(ConfigurationProblem) {
        mailbox.post(.theme(try themes.load(name)))
      } catch {
        mailbox.post(.message(Message(.error, error.description)))
      }
    }
  }
}
