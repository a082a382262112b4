import Foundation
import Model

/// An mpv core that encodes instead of playing (mpv(1), "Encoding"). The option `o` names the target, and the sound
/// is written there as fast as it can be decoded. The core completes the file when it is terminated.
struct ClipEncoder {
  var library: MpvLibrary
  var source: MediaSource
  var clip: ClipExport
  var format: ClipFormat
  /// The path to write to.
  var target: String

  /// One way to fetch the clip.
  private struct Attempt {
    var seek = SeekStrategy.fast
    /// Whether to request bytes only up to `lastByte`.
    var isBounded: Bool
    /// How often the same was tried before.
    var repetitions = 0

    /// The same once more; nil after `maxRepetitions`.
    var repeated: Attempt? {
      repetitions < ClipEncoder.maxRepetitions
        ? Attempt(seek: seek, isBounded: isBounded, repetitions: repetitions + 1) : nil
    }
  }

  private static let maxRepetitions = 3

  func encode() throws(PlaybackError) {
    var attempt = Attempt(isBounded: lastByte != nil)
    while let next = try encode(attempt) { attempt = next }
  }

  /// The estimated byte of the clip's end, by proportion of the duration, plus a quarter of a megabyte or a tenth.
  /// Nil if the feed does not give the file's size and length. If the estimate is too low, the clip is too short and
  /// is fetched again without it.
  private var lastByte: Int64? {
    guard source.isStream, let bytes = clip.mediaBytes, let duration = clip.duration, bytes > 0, duration > clip.end
    else { return nil }
    let offset = Double(bytes) * clip.end / duration
    let bound = offset + max(262_144, Double(bytes) * (clip.end - clip.start) / duration * 0.1)
    return bound < Double(bytes) ? Int64(bound) : nil
  }

  /// - Returns: how to try again if this attempt was not good enough. Nil when the clip is written.
  private func encode(_ attempt: Attempt) throws(PlaybackError) -> Attempt? {
    let seek = attempt.seek
    let core = try MpvCore(library: library, options: MpvOption.table(for: clip.options) + encoding)
    // A process has one core at a time, so the encoder ends before `length` begins.
    var isTerminated = false
    func terminate() {
      if !isTerminated { core.terminate() }
      isTerminated = true
    }
    defer { terminate() }
    let entry = try core.load(address(seeking: seek), options(for: attempt).sorted { $0.key < $1.key })
    var reason = FailureReason()
    var seekReliability = SeekReliability()
    var expected = clip.end - clip.start
    var isMeasured = false
    // If `start` is 0, or the file is read from its start, the clip is right in any case.
    var isSeekKnown = seek == .readThrough || seek == .decodeThrough || clip.start <= 0
    var hasStarted = false
    var lastProgress: Progress?
    func read(_ line: LogLine) throws(PlaybackError) -> Attempt? {
      reason.read(line)
      seekReliability.read(line)
      // The position is an estimate.
      if seek == .fast, seekReliability.method == .scaled || seekReliability.isIndexFalse {
        return Attempt(seek: .indexed, isBounded: attempt.isBounded)
      }
      if seekReliability.isChained, seek != .decodeThrough {
        return Attempt(seek: .decodeThrough, isBounded: false)
      }
      if reason.hasExhaustedRetries, attempt.isBounded { return Attempt(seek: seek, isBounded: false) }
      if reason.hasExhaustedRetries { throw cause(reason, code: 0, text: line.text) }
      return nil
    }
    while true {
      switch core.wait(timeout: hasStarted ? -1 : OverdueSound.firstWait) {
      case .log(let line): if let next = try read(line) { return next }
      case .playbackRestart: hasStarted = true
      case .none:
        // libmpv sometimes waits forever at the start of a short part (`OverdueSound`). A new core begins again.
        let progress = Progress(core)
        guard !hasStarted, let progress, progress == lastProgress, progress.hasData(at: clip.start, of: source) else {
          lastProgress = progress
          continue
        }
        guard let again = attempt.repeated else { throw .other("mpv does not start to read it") }
        return again
      case .fileLoaded:
        // mpv delivers the log lines of opening after this event.
        for line in core.logged() { if let next = try read(line) { return next } }
        // On a busy machine mpv may have played a short clip to its end and closed the file already.
        if let isSeekable = core.value(of: "seekable").bool {
          if !isSeekable, !isSeekKnown { return Attempt(seek: .readThrough, isBounded: false) }
          isSeekKnown = true
        }
        // In a chained file the duration is that of the first stream.
        if seek != .decodeThrough, let duration = core.duration(isStream: source.isStream),
          core.isDurationReliable(reason)
        {
          try checkStart(in: duration)
          isMeasured = true
          expected = min(clip.end, duration) - clip.start
        }
      case .endFile(entry, .error) where attempt.isBounded: return Attempt(seek: seek, isBounded: false)
      case .endFile(entry, .error(let code, let text)):
        // If the recording ends before `start`, the file can end before its length was read.
        if !isMeasured, clip.start > 0 {
          terminate()
          if let duration = try sourceLength(seeking: seek) { try checkStart(in: duration) }
        }
        let error = cause(reason, code: code, text: text)
        // In encoding mode, mpv reports a failing encoder as a missing sound device.
        throw error == .noSoundDevice ? .other("FFmpeg here cannot write .\(format.rawValue)") : error
      case .endFile(entry, let ended):
        guard ended == .endOfFile else { throw .other("it was stopped") }
        guard isSeekKnown else { return attempt.repeated ?? Attempt(seek: .readThrough, isBounded: false) }
        terminate()
        // A broken stream also ends with "end of file", so the length is checked.
        let length = try Self.length(of: target, library, clip.options)
        // The length of some files is not known before they are read.
        if clip.isWhole, !isMeasured { return nil }
        var isShort: Bool { length < expected - max(1, expected * 0.01) }
        if isShort, attempt.isBounded { return Attempt(seek: seek, isBounded: false) }
        if isShort, !isMeasured, let duration = try sourceLength(seeking: seek) {
          try checkStart(in: duration)
          expected = min(clip.end, duration) - clip.start
        }
        guard !isShort else { throw .brokeOff(at: clip.start + length, of: clip.start + expected) }
        return nil
      case .shutDown: throw .coreFailed("it ended by itself")
      default: break
      }
    }
  }

  /// How far mpv has read. Nil before the file is open.
  private struct Progress: Equatable {
    var streamPosition: Int64
    var cache: MpvValue

    init?(_ core: MpvCore) {
      guard let position = core.value(of: "stream-pos").integer else { return nil }
      streamPosition = position
      cache = core.value(of: "demuxer-cache-state")
    }

    /// Whether there is sound to decode at this second.
    func hasData(at seconds: Double, of source: MediaSource) -> Bool {
      guard source.isStream else { return true }
      // The encoder reads only two seconds ahead.
      return OverdueSound.isCached(cache, from: seconds, until: seconds + 1)
    }
  }

  /// Why it cannot be read: the relay's reason if there is one, or else mpv's and FFmpeg's.
  private func cause(_ reason: FailureReason, code: Int32, text: String) -> PlaybackError {
    source.failure(in: clip.options.streams) ?? reason.error(code: code, text: text)
  }

  /// The length of the recording in seconds. Nil if it cannot be read, or is a doubtful estimate.
  private func sourceLength(seeking strategy: SeekStrategy) throws(PlaybackError) -> Double? {
    guard strategy != .decodeThrough else { return nil }
    let length = try Self.length(
      of: address(seeking: strategy), library, clip.options, options(seeking: strategy))
    return length > 0 ? length : nil
  }

  private func checkStart(in duration: Double) throws(PlaybackError) {
    guard duration > clip.start else { throw .other("the recording is only \(TimeText.clock(duration)) long") }
  }

  /// mpv's default `stream-lavf-o` of this player. A per-file option would replace it, so it is included there.
  private var streamOptions: String? {
    MpvOption.table(for: clip.options).last { $0.name == "stream-lavf-o" }?.value
  }

  /// Options for encoding, added to the common ones. Later rows override earlier ones.
  private var encoding: [MpvOption] {
    var rows = [
      // Without keep-open, the file ends and so does the encoder. `gapless-audio` avoids a gap where the device would
      // be reopened.
      MpvOption("keep-open", "no"), MpvOption("gapless-audio", "yes"),
      // No need to read far beyond the clip's end.
      MpvOption("demuxer-readahead-secs", "2"), MpvOption("cache", "no"),
    ]
    guard let (container, codec, settings) = format.encoding else {
      let speech = [MpvOption("audio-samplerate", "16000"), MpvOption("audio-channels", "mono")]
      return rows + [MpvOption("ao", "pcm"), MpvOption("ao-pcm-file", target), MpvOption("audio-format", "s16")]
        + (clip.isForSpeech ? speech : [])
    }
    rows += [MpvOption("o", target), MpvOption("of", container), MpvOption("oac", codec)]
    if let settings { rows.append(MpvOption("oacopts", settings)) }
    // The source's tags and picture describe the episode, not the clip.
    rows.append(MpvOption("ocopy-metadata", "no", mayBeAbsent: true))
    if let title = clip.title {
      rows.append(MpvOption("oset-metadata", "title=\(Self.listItem(title))", mayBeAbsent: true))
    }
    return rows
  }

  private func address(seeking strategy: SeekStrategy) -> String {
    source.address(through: clip.options.streams, seeking: strategy)
  }

  private func options(seeking strategy: SeekStrategy) -> [String: String] {
    let options = source.options(seeking: strategy) + strategy.fileOptions
    return Dictionary(options.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
  }

  private func options(for attempt: Attempt) -> [String: String] {
    var options = options(seeking: attempt.seek)
    if let start = attempt.seek.startOption(clip.start) { options[start.key] = start.value }
    if let filter = attempt.seek.filter(startingAt: clip.start) { options["af"] = filter }
    if !clip.isWhole { options["end"] = LoadArguments.cut(PlayRequest.position(clip.end)) }
    if source.isStream {
      // Keeps the system's receive buffer small, because what it takes in beyond the clip is fetched for nothing.
      var stream = ["recv_buffer_size=65536", streamOptions].compactMap { $0 }
      if attempt.isBounded, let lastByte { stream.append("end_offset=\(lastByte)") }
      options["stream-lavf-o"] = stream.joined(separator: ",")
    }
    return options
  }

  /// Quotes a value for mpv's list options (`%n%` followed by n bytes), whatever it contains.
  private static func listItem(_ text: String) -> String {
    let clean = LogLine(text).text
    return "%\(clean.utf8.count)%\(clean)"
  }

  /// The length of a file or a stream in seconds; 0 when it cannot be read, or is a doubtful estimate.
  /// - Parameter fileOptions: per-file options of mpv.
  static func length(
    of path: String, _ library: MpvLibrary, _ options: PlayerOptions, _ fileOptions: [String: String] = [:]
  ) throws(PlaybackError) -> Double {
    var silent = options
    silent.output = .null(isTimed: false)
    let core = try MpvCore(library: library, options: MpvOption.table(for: silent) + [MpvOption("pause", "yes")])
    defer { core.terminate() }
    let isWhole = path.hasPrefix("/") || path.contains("://")
    let address = isWhole ? path : FileManager.default.currentDirectoryPath + "/" + path
    _ = try core.load(address, fileOptions.sorted { $0.key < $1.key })
    var reason = FailureReason()
    while true {
      switch core.wait(timeout: 30) {
      case .log(let line): reason.read(line)
      case .fileLoaded:
        for line in core.logged() { reason.read(line) }
        return core.isDurationReliable(reason) ? core.duration(isStream: path.contains("://")) ?? 0 : 0
      case .endFile, .shutDown, .none: return 0
      default: break
      }
    }
  }
}
