import CMpv
import Foundation

/// One mpv core. Belongs to the thread that made it; only `MpvAlarm` may be used by others.
final class MpvCore {
  private let mpv: earshot_mpv
  private let handle: OpaquePointer
  let alarm: MpvAlarm
  /// Came while the log was read, in order.
  private var delayed: [MpvEvent] = []

  /// Starts a core with these options. Throws what keeps it from starting.
  init(library: MpvLibrary, options: [MpvOption]) throws(PlaybackError) {
    mpv = library.functions
    // Looked at first, because mpv prints its complaint on the terminal. The locale is the whole process's, so it is not
    // set from this thread: the program sets LC_CTYPE only.
    let locale = setlocale(LC_NUMERIC, nil).map { String(cString: $0) } ?? "unknown"
    guard ["C", "POSIX"].contains(locale.prefix { $0 != "." }) else { throw .numericLocale(locale) }
    guard let handle = mpv.create() else { throw .coreFailed("no memory, or LC_NUMERIC is not C but \(locale)") }
    self.handle = handle
    alarm = MpvAlarm(wakeup: mpv.wakeup, handle: handle)
    for option in options {
      let status = mpv.set_option_string(handle, option.name, option.value)
      // An option that only other versions of mpv have is no reason to stay silent; the table says which may be absent.
      if status < 0, !(option.mayBeAbsent && status == MPV_ERROR_OPTION_NOT_FOUND.rawValue) {
        let why = Self.text(of: status, mpv)
        mpv.terminate_destroy(handle)
        throw .coreFailed("\(option.name)=\(option.value): \(why)")
      }
    }
    let status = mpv.initialize(handle)
    guard status >= 0 else {
      let why = Self.text(of: status, mpv)
      mpv.terminate_destroy(handle)
      throw .coreFailed(why)
    }
    // FFmpeg tells why an address cannot be opened at this level; mpv itself only says "loading failed".
    _ = mpv.request_log_messages(handle, "warn")
  }

  /// Ends playback and waits until all of the core's threads are gone. The core must not be used afterwards.
  func terminate() { mpv.terminate_destroy(handle) }

  func observe(_ property: MpvProperty) {
    _ = mpv.observe_property(handle, property.tag, property.rawValue, MPV_FORMAT_NODE)
  }

  /// The result of a command with named arguments, which mean the same in every version: 0.38 moved `loadfile`'s
  /// positional ones.
  func command(_ name: String, _ arguments: [(key: String, value: MpvValue)] = []) throws(PlaybackError) -> MpvValue {
    let call = MpvValue.map([(key: "name", value: .string(name))] + arguments)
    var result = mpv_node()
    let status = call.withNode { mpv.command_node(handle, $0, &result) }
    guard status >= 0 else { throw .other("\(name): \(Self.text(of: status, mpv))") }
    defer { mpv.free_node_contents(&result) }
    return MpvValue(result)
  }

  /// Ends the file that is open, and empties the list; nothing happens when there is none.
  func stop() { run("stop") }

  /// A command without arguments that can only fail by having nothing to do.
  func run(_ name: String) {
    _ = MpvValue.map([(key: "name", value: .string(name))]).withNode { mpv.command_node(handle, $0, nil) }
  }

  /// `.none` when the property is not available now.
  func value(of name: String) -> MpvValue {
    var node = mpv_node()
    guard mpv.get_property(handle, name, MPV_FORMAT_NODE, &node) >= 0 else { return .none }
    defer { mpv.free_node_contents(&node) }
    return MpvValue(node)
  }

  func value(of property: MpvProperty) -> MpvValue { value(of: property.rawValue) }

  func set(_ property: MpvProperty, to value: MpvValue) { set(property.rawValue, to: value) }

  func set(_ name: String, to value: MpvValue) {
    _ = value.withNode { mpv.set_property(handle, name, MPV_FORMAT_NODE, $0) }
  }

  /// Asks for a seek to this second, and waits until mpv has taken the wish, which is long before it is fulfilled. mpv's
  /// answer, `.replied` with the tag, stands among the events where it came: whatever stands before it is of the time
  /// before the seek.
  func seek(to seconds: Double, tag: UInt64) throws(PlaybackError) {
    let call = MpvValue.map([
      (key: "name", value: .string("seek")), (key: "target", value: .string(LoadArguments.text(seconds))),
      (key: "flags", value: .string("absolute+exact")),
    ])
    let status = call.withNode { mpv.command_node_async(handle, tag, $0) }
    guard status >= 0 else { throw .other("seek: \(Self.text(of: status, mpv))") }
    while true {
      let event = next(timeout: -1)
      // The alarm: whoever rang it is heard after this command.
      if event == .none { continue }
      if case .replied(tag, let error) = event, error < 0 { throw .other("seek: \(Self.text(of: error, mpv))") }
      delayed.append(event)
      if case .replied(tag, _) = event { return }
    }
  }

  /// mpv's number for the file that it plays at this moment, whatever its events have told so far; nil: none.
  var playingEntry: Int64? {
    guard case .integer(let index) = value(of: "playlist-playing-pos"), index >= 0,
      case .integer(let entry) = value(of: "playlist/\(index)/id")
    else { return nil }
    return entry
  }

  /// What `read` finds out about a file, if mpv is with that file before and after: its present may be ahead of its events.
  func present<Result>(of entry: Int64, _ read: (MpvCore) -> Result) -> Result? {
    guard playingEntry == entry else { return nil }
    let result = read(self)
    return playingEntry == entry ? result : nil
  }

  /// Waits for the next event; `.none` when `timeout` (seconds, negative: for ever) ran out or the alarm rang. mpv has told
  /// all that had happened until then.
  ///
  /// The end of a file comes after the lines that were logged before it: mpv itself hands out everything else first
  /// (`mpv_wait_event` in its player/client.c), so that the end would overtake the line that says why.
  func wait(timeout: Double) -> MpvEvent {
    let event = delayed.isEmpty ? next(timeout: timeout) : delayed.removeFirst()
    guard case .endFile = event else { return event }
    let isLog: (MpvEvent) -> Bool = { if case .log = $0 { true } else { false } }
    let lines = delayed.filter(isLog) + logged().map(MpvEvent.log)
    delayed = lines + [event] + delayed.filter { !isLog($0) }
    return delayed.removeFirst()
  }

  /// What has been logged up to now, before anything else is told.
  func logged() -> [LogLine] {
    var lines: [LogLine] = []
    // No log is that long; a server that provokes a line with every byte shall not keep us here.
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

/// Wakes the thread that waits in `MpvCore.wait`.
///
/// `@unchecked`: `mpv_wakeup` may be called by any thread (client.h) as long as the core lives; `PlayerMailbox` forgets
/// the alarm before the core is terminated.
struct MpvAlarm: @unchecked Sendable {
  fileprivate let wakeup: @convention(c) (OpaquePointer?) -> Void
  fileprivate let handle: OpaquePointer

  func ring() { wakeup(handle) }
}
