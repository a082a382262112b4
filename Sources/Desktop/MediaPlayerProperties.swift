#if canImport(CSDBus)
  import Foundation
  import Model

  /// The state of the player as properties of MPRIS 2.2 (https://specifications.freedesktop.org/mpris-spec/latest).
  struct MediaPlayerProperties: Equatable {
    static let rootInterface = "org.mpris.MediaPlayer2"
    static let playerInterface = "org.mpris.MediaPlayer2.Player"
    static let path = "/org/mpris/MediaPlayer2"
    static let busName = "org.mpris.MediaPlayer2.earshot"
    /// "There is no current track". Players may not use other paths below /org/mpris.
    static let noTrack = "/org/mpris/MediaPlayer2/TrackList/NoTrack"

    /// The properties of `org.mpris.MediaPlayer2`. A terminal cannot be raised, and other programs cannot open
    /// addresses. `DesktopEntry` is the name of the installed earshot.desktop without its ending.
    static let root: [String: BusValue] = [
      "CanQuit": .bool(true), "CanRaise": .bool(false), "HasTrackList": .bool(false), "Identity": .string("Earshot"),
      "DesktopEntry": .string("earshot"), "SupportedUriSchemes": .strings([]), "SupportedMimeTypes": .strings([]),
    ]

    /// The properties of `org.mpris.MediaPlayer2.Player`, except Position, whose changes are not emitted.
    let player: [String: BusValue]

    init(_ now: NowPlaying) {
      let hasTrack = now.title != nil
      let status: String =
        switch now.status {
        case .playing, .loading: "Playing"
        case .paused: "Paused"
        case .stopped: "Stopped"
        }
      player = [
        "PlaybackStatus": .string(status), "Rate": .double(now.speed),
        "MinimumRate": .double(RemoteCommand.speeds.lowerBound),
        "MaximumRate": .double(RemoteCommand.speeds.upperBound), "Volume": .double(now.volume / 100),
        "Metadata": .dictionary(Self.metadata(now)), "CanGoNext": .bool(now.hasNext),
        "CanGoPrevious": .bool(now.hasPrevious), "CanPlay": .bool(hasTrack || now.hasNext), "CanPause": .bool(hasTrack),
        "CanSeek": .bool(now.status == .playing || now.status == .paused), "CanControl": .bool(true),
      ]
    }

    /// The properties that have changed.
    func changes(since old: MediaPlayerProperties?) -> [String: BusValue] {
      guard let old else { return player }
      return player.filter { old.player[$0.key] != $0.value }
    }

    static func trackID(_ now: NowPlaying) -> String {
      if let episode = now.episode { return "/org/earshot/episode/\(max(0, episode.rawValue))" }
      return now.title == nil ? noTrack : "/org/earshot/load/\(max(0, now.generation))"
    }

    private static func metadata(_ now: NowPlaying) -> [String: BusValue] {
      var metadata: [String: BusValue] = ["mpris:trackid": .path(trackID(now))]
      func set(_ key: String, _ text: String?) {
        let text = clean(text)
        if !text.isEmpty { metadata[key] = .string(text) }
      }
      set("xesam:title", now.title)
      set("xesam:album", now.podcast)
      let podcast = clean(now.podcast)
      if !podcast.isEmpty { metadata["xesam:artist"] = .strings([podcast]) }
      set("xesam:url", now.address.map { url($0.description) })
      if let image = now.imageURL?.description,
        image.hasPrefix("http://") || image.hasPrefix("https://") || image.hasPrefix("/")
      {
        set("mpris:artUrl", url(image))
      }
      if let duration = now.duration { metadata["mpris:length"] = .int64(microseconds(duration)) }
      if let date = now.pubDate, abs(date.timeIntervalSince1970) < 1e11 {
        metadata["xesam:contentCreated"] = .string(date.formatted(.iso8601))
      }
      return metadata
    }

    /// A path as a file address; other addresses unchanged.
    private static func url(_ address: String) -> String {
      address.hasPrefix("/") ? URL(fileURLWithPath: address).absoluteString : address
    }

    /// Removes characters that are harmful in a status bar or a notification: control characters (D-Bus forbids NUL),
    /// direction marks, invisible characters, and those that sd-bus refuses (noncharacters of Unicode). A zero-width
    /// joiner stays, because emoji need it.
    static func clean(_ text: String?) -> String {
      String(
        String.UnicodeScalarView(
          (text ?? "").unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: false
            case .format: scalar.value == 0x200D
            case .unassigned: !scalar.properties.isNoncharacterCodePoint
            default: true
            }
          }.prefix(1000)))
    }

    static func microseconds(_ seconds: Double) -> Int64 {
      Int64(min(max(0, seconds.isFinite ? seconds : 0), 1e9) * 1_000_000)
    }
  }
#endif
