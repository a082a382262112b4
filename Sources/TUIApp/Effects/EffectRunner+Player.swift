import AppCore
import Foundation
import Model
import Playback
import Services
import Store

/// Player tasks.
extension EffectRunner {
  func handle(_ task: PlayerTask) {
    switch task {
    case .play(let id, let from, let generation, let speed, let volume):
      changedSound.withLock { $0 = ChangedSound() }
      play(id, from: from, generation, speed: speed, volume: volume)
    case .readUpToPosition(let generation): readUpTo.withLock { $0 = generation }
    case .prepare(let upcoming): prepare(upcoming)
    // A player that may only read plays nothing.
    case .warmUp: if refusal == nil { player.warmUp() }
    case .setPaused(let isPaused): player.setPaused(isPaused)
    case .seek(let second, let id): player.seek(to: second, id)
    case .setSpeed(let speed):
      changedSound.withLock {
        $0.speed = speed
        player.setSpeed(speed)
      }
    case .setVolume(let percent):
      changedSound.withLock {
        $0.volume = percent
        player.setVolume(percent)
      }
    case .stop: player.stop()
    case .setSound(let shape): sound.setGeneral(shape)
    case .setFade(let share): player.setFade(share)
    case .setDevice(let name): player.setDevice(name)
    case .listDevices: player.listDevices()
    case .mergeChapters(let generation, let found): reads.async { [self] in chapters.found(generation, found) }
    }
  }

  /// Looks up the episode and loads it. On the queue for writes, because its position may be waiting to be written.
  private func play(_ id: EpisodeID, from second: Double?, _ generation: Int, speed: Double, volume: Double) {
    @Sendable func fail(_ message: String, concernsFile: Bool = false) {
      mailbox.post(
        .player(.failed(generation: generation, seconds: nil, message: message, concernsFile: concernsFile)))
    }
    if let refusal { return fail(refusal) }
    writes.async { [self] in
      do throws(StoreError) {
        guard var detail = try library.episode(id) else {
          return fail("it is no longer in the library", concernsFile: true)
        }
        // A position that could not be written yet is newer than the library's.
        if let second = recorder.position(of: id) { detail.row.position = second }
        if let status = recorder.status(of: id) { detail.row.status = status }
        let podcast = detail.row.podcast
        let playback = try library.effectiveSettings(of: podcast)
        guard let address = try address(of: detail) else {
          return fail("the feed has no audio file for it", concernsFile: true)
        }
        guard streams.playsPages || !detail.feed.isVideoPage(address) else {
          return fail(VideoPage.cause, concernsFile: true)
        }
        let start = try EpisodeStart(
          detail, from: second, settings: playback, rewinds: rewindsAfterPause, library: library, now: Date())
        noticeAbsentFile(of: detail)
        positionSaved.withLock { $0 = (generation, start.saved) }
        downloads.downloader.protect([id])
        mailbox.post(.library(.playbackSettings(podcast, playback)))
        mailbox.post(
          .library(.storedDuration(generation: generation, start.total, feed: detail.feed.duration.map(Double.init))))
        let known = try chapters.begin(generation, detail, address: address)
        mailbox.post(.library(.playing(generation: generation, detail.row, known, from: start.second)))
        let shape = sound.begin(podcast, playback)
        changedSound.withLock { changed in
          player.load(
            PlayRequest(
              detail, address: address, generation: generation, start: start.second,
              seekFallback: readUpTo.withLock { $0 == generation } ? .readThrough : .ask,
              speed: changed.speed ?? playback.speed ?? speed, volume: changed.volume ?? volume, sound: shape))
        }
        // A refresh must not delete or merge it before it plays. Playing does not depend on it.
        try? library.setSetting(Setting.loaded.rawValue, "\(id.rawValue)")
        storeTranscript(of: detail)
      } catch {
        fail(error.description)
      }
    }
  }

  /// Prepares the next episode as `play` would load it. On the queue for writes, to keep the order. Errors are reported
  /// when it is played.
  private func prepare(_ upcoming: UpcomingEpisode?) {
    writes.async { [self] in
      do throws(StoreError) {
        guard let upcoming, let detail = try library.episode(upcoming.episode) else { return player.prepare(nil) }
        let playback = try library.effectiveSettings(of: detail.row.podcast)
        guard let address = try address(of: detail) else { return player.prepare(nil) }
        let start = try EpisodeStart(
          detail, from: nil, settings: playback, rewinds: rewindsAfterPause, library: library, now: Date())
        player.prepare(
          PlayRequest(
            detail, address: address, generation: 0, start: start.second, speed: playback.speed ?? upcoming.speed,
            volume: upcoming.volume, sound: sound.shape(playback)))
      } catch {
        player.prepare(nil)
      }
    }
  }

  /// The address for mpv: the downloaded file, a file of the welcome podcast, or the enclosure that the listener has
  /// chosen.
  private func address(of detail: EpisodeDetail) throws(StoreError) -> String? {
    if let file = downloads.files.file(of: detail) { return file }
    guard let address = try library.withPreferredMedia(detail).feed.mediaURL else { return nil }
    if let file = resources.file(of: address) { return file }
    streams.authorize(address, of: detail.row.podcast, in: library)
    return address
  }

  /// Notices that a downloaded file was deleted or changed by another program. If the whole directory is empty, its
  /// disk may not be mounted, and nothing is changed. A changed file may be the listener's work, and stays.
  private func noticeAbsentFile(of detail: EpisodeDetail) {
    let state = downloads.files.state(of: detail)
    guard let notice = detail.streamingNotice(state) else { return }
    mailbox.post(.message(Message(.warning, notice)))
    if state == .missing, downloads.files.hasFiles { downloads.downloader.drop([detail.id]) }
  }
}

/// A speed, and a volume in percent, that the listener has set.
struct ChangedSound: Sendable {
  var speed: Double?
  var volume: Double?
}

extension PlayRequest {
  fileprivate init(
    _ detail: EpisodeDetail, address: String, generation: Int, start: Double, seekFallback: SeekFallback = .ask,
    speed: Double, volume: Double, sound: SoundShape
  ) {
    self.init(
      address: address, generation: generation, start: start, seekFallback: seekFallback, speed: speed, volume: volume,
      sound: sound, feedDuration: detail.feed.duration.map(Double.init),
      title: "\(detail.row.title) – \(detail.row.podcastTitle)")
  }
}
