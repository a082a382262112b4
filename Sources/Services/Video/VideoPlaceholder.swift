/// The listener's player of videos: `open` of the table `[video]`.
package typealias VideoCommand = CommandTemplate<VideoPlaceholder>

package enum VideoPlaceholder: String, CommandPlaceholder {
  /// The address or the path of the video.
  case url
  /// Where to begin, in seconds.
  case position
  case title
  /// The path of the socket for mpv's JSON IPC. mpv gets it in any case.
  case ipc

  package static func problem(using placeholders: Set<Self>) -> String? {
    placeholders.contains(.url) ? nil : "must contain {url}, the video to open"
  }
}
