import CMpv
import Foundation

/// The only mpv core of the process. Only the thread that created it may use it; other threads may only use its
/// `waker`.
final class MpvCore {
  /// FFmpeg's log goes only to the first core of a process (`init_libav` in mpv's common/av_log.c). A second core would
  /// not know why an address cannot be opened, or that a seek was wrong. So a new core waits for the end of the last.
  private static let turn = DispatchSemaphore(value: 1)
  /// The longest wait, in seconds. The end of a core may wait for the network.
  private static let longestWait = 30.0

  private let mpv: earshot_mpv
  private let handle: OpaquePointer
  let waker: MpvWaker
  /// Events that arrived while log lines or a reply were read, in order.
  private var delayed: [MpvEvent] = []

  /// Starts a core with these options. Throws the reason if it cannot start.
  init(library: MpvLibrary, options: [MpvOption]) throws(PlaybackError) {
    mpv = library.functions
    // Checked before `mpv_create`, which would print its complaint to the terminal. The locale belongs to the whole
    // process, so this thread must not change it. Earshot sets only LC_CTYPE.
    let locale = setlocale(LC_NUMERIC, nil).map { String(cString: $0) } ?? "unknown"
    guard ["C", "POSIX"].contains(locale.prefix { $0 != "." }) else { throw .numericLocale(locale) }
    guard Self.turn.wait(timeout: .now() + Self.longestWait) == .success else {
      throw .coreFailed("another one is running")
    }
    guard let handle = mpv.create() else {
      Self.turn.signal()
      throw .coreFailed("no memory, or LC_NUMERIC is not C but \(locale)")
    }
    self.handle = handle
    waker = MpvWaker(wakeup: mpv.wakeup, handle: handle)
    for option in options {
      let status = mpv.set_option_string(handle, option.name, option.value)
      // Options that exist only in other versions of mpv are skipped if the table allows it.
      if status < 0, !(option.mayBeAbsent && status == MPV_ERROR_OPTION_NOT_FOUND.rawValue) {
        let why = Self.text(of: status, mpv)
        terminate()
        throw .coreFailed("\(option.name)=\(option.value): \(why)")
      }
    }
    let status = mpv.initialize(handle)
    guard status >= 0 else {
      let why = Self.text(of: status, mpv)
      terminate()
      throw .coreFailed(why)
    }
    // At this level, FFmpeg logs why an address cannot be opened; mpv only says "loading failed".
    _ = mpv.request_log_messages(handle, "warn")
  }

  /// Stops playback and waits until all threads of the core have ended. The core must not be used afterwards.
  func terminate() {
    mpv.terminate_destroy(handle)
    Self.turn.signal()
  }

  func observe(_ property: MpvProperty) {
    _ = mpv.observe_property(handle, property.tag, property.rawValue, MPV_FORMAT_NODE)
  }

  /// Runs a command with named arguments and returns its result. Named arguments mean the same in every version; mpv
  /// 0.38 moved the positional arguments of `loadfile`.
  func command(_ name: String, _ arguments: [MpvEntry] = []) throws(PlaybackError) -> MpvValue {
    let call = MpvValue.map([MpvEntry("name", .string(name))] + arguments)
    var result = mpv_node()
    let status = call.withNode { mpv.command_node(handle, $0, &result) }
    guard status >= 0 else { throw .other("\(name): \(Self.text(of: status, mpv))") }
    defer { mpv.free_node_contents(&result) }
    return MpvValue(result)
  }

  /// Asks mpv to open a file, which it does in the background.
  /// - Parameters:
  ///   - options: of this file.
  ///   - behind: append to mpv's playlist instead of replacing the current file.
  /// - Returns: its playlist entry id.
  func load(
    _ address: String, _ options: [(key: String, value: String)] = [], behind: Bool = false
  ) throws(PlaybackError) -> Int64 {
    let arguments = [
      MpvEntry("url", .string(address)), MpvEntry("flags", .string(behind ? "append" : "replace")),
      MpvEntry("options", .map(options.map { MpvEntry($0.key, .string($0.value)) })),
    ]
    guard let entry = try command("loadfile", arguments)["playlist_entry_id"].integer else {
      throw .coreFailed("loadfile gave no entry")
    }
    return entry
  }

  /// Stops the open file and clears the playlist. Does nothing if there is none.
  func stop() { run("stop") }

  /// Runs a command without arguments. The only way it can fail is that there is nothing to do.
  func run(_ name: String) {
    _ = MpvValue.map([MpvEntry("name", .string(name))]).withNode { mpv.command_node(handle, $0, nil) }
  }

  /// The value of a property, or `.none` when it is not available now.
  func value(of name: String) -> MpvValue {
    var node = mpv_node()
    guard mpv.get_property(handle, name, MPV_FORMAT_NODE, &node) >= 0 else { return .none }
    defer { mpv.free_node_contents(&node) }
    return MpvValue(node)
  }

  func value(of property: MpvProperty) -> MpvValue { value(of: property.rawValue) }

  /// The size of the open file in bytes, or nil when it is not known. When a server refuses to send the rest of a
  /// stream, FFmpeg 5 forgets the size, and FFmpeg 9 says 0.
  var fileSize: Int64? { value(of: "file-size").integer.flatMap { $0 > 0 ? $0 : nil } }

  func set(_ property: MpvProperty, to value: MpvValue) { set(property.rawValue, to: value) }

  func set(_ name: String, to value: MpvValue) {
    _ = value.withNode { mpv.set_property(handle, name, MPV_FORMAT_NODE, $0) }
  }

  /// Seeks to this second. Returns when mpv has accepted the seek, long before it is done. The reply (`.replied` with
  /// the tag) stays in order among the events: everything before it describes the time before the seek.
  func seek(to seconds: Double, tag: UInt64) throws(PlaybackError) {
    let call = MpvValue.map([
      MpvEntry("name", .string("seek")), MpvEntry("target", .string(LoadArguments.text(seconds))),
      MpvEntry("flags", .string("absolute+exact")),
    ])
    let status = call.withNode { mpv.command_node_async(handle, tag, $0) }
    guard status >= 0 else { throw .other("seek: \(Self.text(of: status, mpv))") }
    while true {
      let event = next(timeout: -1)
      // The waker was called, and the call is used up. `PlayerThread` looks for a command before it waits again.
      if event == .none { continue }
      if case .replied(tag, let error) = event, error < 0 { throw .other("seek: \(Self.text(of: error, mpv))") }
      delayed.append(event)
      if case .replied(tag, _) = event { return }
    }
  }

  /// The playlist entry id of the file that mpv plays now, even if its events have not been handled yet. Nil: none.
  var playingEntry: Int64? {
    guard let index = value(of: "playlist-playing-pos").integer, index >= 0 else { return nil }
    return value(of: "playlist/\(index)/id").integer
  }

  /// Reads properties if mpv plays this file both before and after reading. Its current state can be ahead of its
  /// events.
  func present<Result>(of entry: Int64, _ read: (MpvCore) -> Result) -> Result? {
    guard playingEntry == entry else { return nil }
    let result = read(self)
    return playingEntry == entry ? result : nil
  }

  /// Waits for the next event. `.none` means that `timeout` passed (seconds, negative: forever) or that `waker` was
  /// called; all events up to then have been handed out.
  ///
  /// The end of a file is returned after the log lines that preceded it. mpv returns log lines last (`mpv_wait_event`
  /// in its player/client.c), so the end would otherwise overtake the line that gives its reason.
  func wait(timeout: Double) -> MpvEvent {
    let event = delayed.isEmpty ? next(timeout: timeout) : delayed.removeFirst()
    guard case .endFile = event else { return event }
    let isLog: (MpvEvent) -> Bool = { if case .log = $0 { true } else { false } }
    let lines = delayed.filter(isLog) + logged().map(MpvEvent.log)
    delayed = lines + [event] + delayed.filter { !isLog($0) }
    return delayed.removeFirst()
  }

  /// All log lines up to now. Other events are kept for later.
  func logged() -> [LogLine] {
    var lines: [LogLine] = []
    // A limit, in case a server provokes a log line with every byte.
    for _ in 0..<1000 {
      switch next(timeout: 0) {
      case .none: return lines
      case .log(let line): lines.append(line)
      case let other: delayed.append(other)
      }
    }
    return lines
  }

  private func next(timeout: Double) -> MpvEvent {
    guard let event = mpv.wait_event(handle, timeout) else { return .none }
    return MpvEvent(event.pointee) { Self.text(of: $0, mpv) }
  }

  private static func text(of status: Int32, _ mpv: earshot_mpv) -> String {
    mpv.error_string(status).map { String(cString: $0) } ?? "error \(status)"
  }
}

/// Wakes the thread that waits in `MpvCore.wait`. Every event that mpv returns uses up the calls before it
/// (`mpv_wait_event` in its player/client.c).
///
/// `@unchecked`: any thread may call `mpv_wakeup` (client.h) while the core exists. `PlayerMailbox` drops the waker
/// before the core is terminated.
struct MpvWaker: @unchecked Sendable {
  fileprivate let wakeup: @convention(c) (OpaquePointer?) -> Void
  fileprivate let handle: OpaquePointer

  func wake() { wakeup(handle) }
}
