import Services
import TOMLKit

/// The `[video]` table of `config.toml`.
struct VideoPreferences: Sendable {
  /// The command with placeholders. Its program need not exist until it is used.
  var command = ["mpv", "--start={position}", "{url}"]

  /// All settings of the table, in the order of the manuals. To add one: a row here, a line in docs/CONFIGURATION.md.
  static let settings: [SettingRow<VideoPreferences>] = [
    .init(
      "open", "a command line, or a list of words", #""mpv --start={position} {url}""#,
      "What `:video` runs to show a video. It is split into words as in a shell, but no shell runs it. `{url}` is the address or the downloaded file, `{position}` the place in seconds, `{title}` the title of the feed, and `{ipc}` a socket on which it can speak mpv's JSON IPC, so that the place comes back. mpv gets that socket in any case. See docs/SITES.md."
    ) {
      let words = try Configuration.words($1)
      do throws(VideoCommand.Failure) { _ = try VideoCommand(words, home: "/", path: nil) } catch {
        throw Configuration.InvalidValue(error.description)
      }
      $0.command = words
    }
  ]
}
