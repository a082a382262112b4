import Downloads
import Foundation
import HTTP
import Model
import Programs
import Services

// The tables of `config.toml` that configure one service each. `settings` has all settings of a table, in the order of
// the manuals. To add one: a row here, a line in docs/CONFIGURATION.md.

/// The `[downloads]` table of `config.toml`.
struct DownloadPreferences: Sendable {
  /// Without the directory, which is that of `[directories]`.
  var options = DownloadOptions(directory: "")
  /// How many of each podcast's newest episodes are downloaded after a refresh, if the podcast has no setting of its
  /// own.
  var automatic = 0

  static let settings: [SettingRow<DownloadPreferences>] = [
    .whole("at_once", 1...16, "3", \.options.atOnce, "Downloads at the same time."),
    .whole("per_host", 1...16, "2", \.options.perHost, "How many of them come from one server."),
    .init(
      "template", "a text with {podcast}, {date}, {title}, {season}, {number}, {id}", #""{podcast}/{date} {title}""#,
      "The names of files, without the extension."
    ) { $0.options.template = try FileNameTemplate(try Configuration.string($1)) },
    .whole("auto", 0...100, "0", \.automatic, "How many new episodes of every podcast are downloaded after a refresh."),
    .init(
      "keep", "0 to 10000", nil,
      "How many files of each podcast are kept; queued and begun episodes are always kept. Without it, all are kept."
    ) { $0.options.cleanUp.keepPerPodcast = Int(try Configuration.number($1, in: 0...10_000)) },
    .flag("delete_played", false, \.options.cleanUp.deletesPlayed, "Delete the files of played episodes."),
    .init(
      "max_gb", "gigabytes, 0.001 to 1000000", nil,
      "The limit for all files; played and old ones are deleted first. Without it, there is no limit."
    ) { $0.options.cleanUp.maxBytes = Int64(try Configuration.number($1, in: 0.001...1_000_000) * 1e9) },
    .init("reserve_mb", "megabytes, 0 to 1000000", "50", "How much space to leave free on the disk.") {
      $0.options.reserve = Int64(try Configuration.number($1, in: 0...1_000_000) * 1e6)
    },
  ]
}

/// The `[sync]` table of `config.toml`.
struct SyncPreferences: Sendable {
  /// Minutes between two syncs that the player starts by itself. 0: it starts none; `:sync` still works.
  var every = 30.0
  /// A shell command. The first line of its output is the password.
  var passwordCommand: String?
  /// Whether a folder carries the transcripts that the listener has made.
  var transcripts = false

  static let settings: [SettingRow<SyncPreferences>] = [
    .number("every", unit: "minutes", 0...1440, "30", \.every, "How often the player syncs by itself; 0: never."),
    .text(
      "password_command", "a command for the shell", \.passwordCommand,
      "Prints the password of the sync server. Without it, the keyring or a private file has the password."),
    .flag(
      "transcripts", false, \.transcripts,
      "Whether a sync folder carries the transcripts that you have made or imported."),
  ]
}

extension TranscribingPreferences {
  static let settings: [SettingRow<TranscribingPreferences>] = [
    .init(
      "command", "a command line, or a list of words", nil,
      "The program that makes transcripts. It is split into words as in a shell, but no shell runs it. `{wav}` is the sound as a file, `{audio}` the downloaded file, `{output}` a path without ending for the result, `{language}`, `{title}` and `{podcast}` are those of the feed. See docs/TRANSCRIPTS.md."
    ) {
      $0.command = try TranscribingCommand(
        try Configuration.words($1), home: HomePath.directory(), path: ProcessEnvironment.variables["PATH"])
    },
    .init(
      "url", "an address", nil,
      "A server that makes transcripts: the address of a call like OpenAI's `/v1/audio/transcriptions`. The sound is sent to it. `command` comes first."
    ) {
      let text = try Configuration.address($1)
      guard (try? WebAddress(text)) != nil else { throw ReportedError("names no server") }
      $0.url = text
    },
    .text(
      "model", "a text", \.model, "The name of the model. It is sent to the server, and shown with the transcript."),
    .text("key_command", "a command for the shell", \.keyCommand, "Prints the key of the server."),
    .init(
      "auto", "a filter", nil,
      "Episodes that get a transcript by themselves once they are downloaded, such as `podcast:\"Daily\" and not has:transcript`. Without it: none."
    ) {
      let text = try Configuration.string($1)
      $0.automatic = try text.isEmpty ? nil : EpisodeFilter(parsing: text)
    },
    .flag("on_battery", false, \.worksOnBattery, "Make transcripts while the machine runs on its battery, too."),
  ]
}

/// The `[sites]` table of `config.toml`.
struct SitePreferences: Sendable {
  /// A name or a path. Nil: no program is run.
  var program: String?
  var usesConfiguration = false
  /// The same for all parts of the program, so that only one process runs at a time. Made when the file has been read.
  private(set) var sites: Sites?

  mutating func begin() {
    sites = program.map { program in
      var settings = SiteProgram.Settings(program: program, environment: ProcessEnvironment.variables)
      settings.usesConfiguration = usesConfiguration
      return Sites(SiteProgram(settings))
    }
  }

  static let settings: [SettingRow<SitePreferences>] = [
    .init(
      "yt_dlp", "a name or a path", nil,
      "yt-dlp, the program that finds the sound of videos at YouTube and other sites. Without this line no such program is run. See docs/SITES.md."
    ) {
      let text = try Configuration.string($1)
      guard !text.isEmpty, !text.hasPrefix("-"), !text.contains("\0") else {
        throw ReportedError("must be the name or the path of a program")
      }
      $0.program = HomePath.expanding(text)
    },
    .flag(
      "yt_dlp_config", false, \.usesConfiguration,
      "Let yt-dlp read your own configuration of it, such as cookies for what only signed-in people can see."),
  ]
}

/// The `[video]` table of `config.toml`.
struct VideoPreferences: Sendable {
  /// The command with placeholders. Its program need not exist until it is used.
  var command = ["mpv", "--start={position}", "{url}"]

  static let settings: [SettingRow<VideoPreferences>] = [
    .init(
      "open", "a command line, or a list of words", #""mpv --start={position} {url}""#,
      "What `:video` runs to show a video. It is split into words as in a shell, but no shell runs it. `{url}` is the address or the downloaded file, `{position}` the position in seconds, `{title}` the title of the feed, and `{ipc}` a socket on which it can speak mpv's JSON IPC, so that Earshot gets the position back. mpv gets that socket in any case. See docs/SITES.md."
    ) {
      let words = try Configuration.words($1)
      _ = try VideoCommand(words, home: "/", path: nil)
      $0.command = words
    }
  ]
}
