import CMpv

/// An event of the core, copied out of its C pointers.
enum MpvEvent: Equatable {
  /// No event: the wait timed out or was woken.
  case none
  case startFile(entry: Int64)
  case fileLoaded
  /// Sound starts, after opening or after a seek. Positions are valid again.
  case playbackRestart
  /// mpv has started a seek. The next `playbackRestart` belongs to its target.
  case seek
  /// mpv has accepted the asynchronous command with this tag, or refused it with an error below 0 (`MPV_ERROR_…`).
  case replied(tag: UInt64, error: Int32)
  case endFile(entry: Int64, EndReason)
  case property(MpvProperty, MpvValue)
  case log(LogLine)
  case shutDown
  case other

  enum EndReason: Equatable {
    case endOfFile
    case stopped
    /// A client of `input-ipc-server` has told mpv to quit. `shutDown` follows.
    case quit
    /// mpv's error code (`MPV_ERROR_…`) and its text.
    case error(Int32, String)
    /// The file was a playlist. Earshot plays none.
    case redirected
  }
}

/// The properties that are observed, or read when a file has been opened.
enum MpvProperty: String, CaseIterable {
  case position = "time-pos"
  case duration
  case isPaused = "pause"
  case isPausedForCache = "paused-for-cache"
  /// The end of the continuously buffered part, in seconds.
  case bufferedUntil = "demuxer-cache-time"
  case speed
  case volume
  /// The file is at its end. With keep-open it stays open, so its properties can still be read.
  case isAtEnd = "eof-reached"
  case chapters = "chapter-list"

  /// The number by which mpv identifies the property in events. mpv uses 0 for "none".
  var tag: UInt64 { UInt64(Self.allCases.firstIndex(of: self) ?? 0) + 1 }
  init?(tag: UInt64) {
    guard tag > 0, tag <= UInt64(Self.allCases.count) else { return nil }
    self = Self.allCases[Int(tag) - 1]
  }
}

extension MpvEvent {
  init(_ event: mpv_event, errorText: (Int32) -> String) {
    switch event.event_id {
    case MPV_EVENT_NONE: self = .none
    case MPV_EVENT_SHUTDOWN: self = .shutDown
    case MPV_EVENT_FILE_LOADED: self = .fileLoaded
    case MPV_EVENT_PLAYBACK_RESTART: self = .playbackRestart
    case MPV_EVENT_SEEK: self = .seek
    case MPV_EVENT_COMMAND_REPLY: self = .replied(tag: event.reply_userdata, error: event.error)
    case MPV_EVENT_START_FILE:
      let data = event.data?.assumingMemoryBound(to: mpv_event_start_file.self).pointee
      self = .startFile(entry: data?.playlist_entry_id ?? 0)
    case MPV_EVENT_END_FILE: self = Self.endFile(event, errorText: errorText)
    case MPV_EVENT_PROPERTY_CHANGE: self = Self.property(event)
    case MPV_EVENT_LOG_MESSAGE: self = Self.log(event)
    default: self = .other
    }
  }

  private static func endFile(_ event: mpv_event, errorText: (Int32) -> String) -> MpvEvent {
    guard let data = event.data?.assumingMemoryBound(to: mpv_event_end_file.self).pointee else { return .other }
    let reason: EndReason =
      switch data.reason {
      case MPV_END_FILE_REASON_EOF: .endOfFile
      case MPV_END_FILE_REASON_ERROR: .error(data.error, errorText(data.error))
      case MPV_END_FILE_REASON_REDIRECT: .redirected
      case MPV_END_FILE_REASON_QUIT: .quit
      default: .stopped
      }
    return .endFile(entry: data.playlist_entry_id, reason)
  }

  private static func property(_ event: mpv_event) -> MpvEvent {
    guard let property = MpvProperty(tag: event.reply_userdata),
      let data = event.data?.assumingMemoryBound(to: mpv_event_property.self).pointee
    else { return .other }
    // The format is NONE when the property is unavailable. Between two files, most are.
    guard data.format == MPV_FORMAT_NODE, let node = data.data?.assumingMemoryBound(to: mpv_node.self) else {
      return .property(property, .none)
    }
    return .property(property, MpvValue(node.pointee))
  }

  private static func log(_ event: mpv_event) -> MpvEvent {
    guard let data = event.data?.assumingMemoryBound(to: mpv_event_log_message.self).pointee,
      let text = data.text
    else { return .other }
    return .log(LogLine(String(cString: text)))
  }
}
