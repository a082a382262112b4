import AppCore
import ArgumentParser
import Desktop
import Model
import Services

/// The pages of the manual. They are made from the tables that the program uses.
enum ManualPages {
  static let all = [program, configuration, filters]

  // MARK: earshot(1)

  static let program = ManualDocument(
    name: "earshot", section: 1, summary: "podcast player for the terminal",
    blocks: introduction + keys + environment + files + exitStatus,
    related: [("earshot-config", 5), ("earshot-filters", 7), ("mpv", 1)])

  private static let introduction: [ManualDocument.Block] = [
    .section("Synopsis"),
    .list([
      ("earshot [--linear]", "Open the player."), ("earshot verb [arguments]", "Run one command without the player."),
    ]),
    .section("Description"),
    .paragraph(
      """
      Earshot is a full-screen podcast player that never loses your position. Without a verb the player opens. Press `?` to \
      see the keys.
      """),
    .section("Verbs"),
    .paragraph(
      """
      Every verb has `--json` for programs, and `--help`. Results go to standard output, messages to standard error.
      """),
    .list(verbs, isWide: true),
    .section("Keys"),
    .paragraph(
      """
      These are the default keys. The table `[keys]` of the configuration changes them. Every command can be typed after a \
      colon, by the name in parentheses.
      """),
  ]

  private static var verbs: [(term: String, text: String)] {
    let verbs = EarshotCommand.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    return verbs.flatMap { [$0] + $0.configuration.subcommands }.map {
      (EarshotCommand.usageString(for: $0), $0.configuration.abstract)
    }
      + [(HelpVerb.usageString(), HelpVerb.configuration.abstract)]
  }

  static var keys: [ManualDocument.Block] {
    Command.Group.allCases.flatMap { group -> [ManualDocument.Block] in
      let rows: [(term: String, text: String)] = Command.table.filter { $0.group == group }.map { command in
        let keys = command.keys.isEmpty ? ":\(command.name)" : command.keys.joined(separator: " ")
        return (keys, "\(command.help) (\(command.name)).")
      }
      return [.subsection(group.rawValue), .list(rows)]
    }
  }

  static let environment: [ManualDocument.Block] = [
    .section("Environment"),
    .list(
      [
        (
          "XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_CACHE_HOME, XDG_STATE_HOME",
          "The directories below. A relative path is ignored."
        ), ("NO_COLOR", "No colours, whatever the theme."),
        ("TERM", "The terminal type."),
        ("COLORTERM", "`truecolor` or `24bit`: the exact colours of themes, if terminfo describes such a terminal."),
        ("ESCDELAY", "Milliseconds to wait for the rest of a key after Esc, by default 25."),
        ("FORCE_HYPERLINK", "`1` or `0`: whether links are terminal hyperlinks."),
        ("http_proxy, https_proxy, all_proxy, no_proxy", "As curl reads them."),
        (
          "EARSHOT_PASSWORD, EARSHOT_SYNC_PASSWORD",
          "The passwords for `earshot add --user` and for `earshot sync login`."
        ),
        (
          "EARSHOT_PODCASTINDEX_KEY, EARSHOT_PODCASTINDEX_SECRET, EARSHOT_SPOTIFY_ID, EARSHOT_SPOTIFY_SECRET",
          "API keys, instead of those in the configuration."
        ),
      ], isWide: true),
  ]

  static let files: [ManualDocument.Block] = [
    .section("Files"),
    .list(
      [
        ("~/.config/earshot/config.toml", "Settings and keys: earshot-config(5)."),
        ("~/.config/earshot/themes/", "Your own themes."),
        ("~/.local/share/earshot/earshot.db", "The library: subscriptions, positions, all your data."),
        ("~/.local/share/earshot/downloads/", "Downloaded files."),
        ("~/.cache/earshot/", "Pictures and streamed episodes. May be deleted at any time."),
        ("~/.local/state/earshot/earshot.log", "The log, for bug reports."),
      ], isWide: true),
  ]

  static let exitStatus: [ManualDocument.Block] = [
    .section("Exit status"),
    .list([
      ("0", "Done."), ("1", "Stopped, or failed for another reason."), ("64", "Wrong usage of the command line."),
      ("65", "The input is damaged or invalid."),
      ("69", "No connection, the server refused, or the player has no terminal."),
      ("73, 74", "A file cannot be created or written."), ("77", "The password of the sync server is wrong."),
      ("78", "The configuration has an error."),
    ]),
  ]

  // MARK: earshot-config(5)

  static let configuration = ManualDocument(
    name: "earshot-config", section: 5, summary: "configuration of the podcast player earshot",
    blocks: [
      .section("Description"),
      .paragraph(
        """
        The file `~/.config/earshot/config.toml` is in TOML. The file and all its settings are optional. When the player \
        starts, it reports each error with its line, and ignores that line only. It does not start if the file cannot be read, \
        or if the error is in `[directories]`. A verb that reads the configuration does nothing if any line is wrong: it \
        reports the errors and ends with status 78. `earshot doctor` reports errors, too.
        """),
      .sample(
        """
        theme = "nord"
        seek_forward = 45

        [downloads]
        auto = 3

        [keys]
        "next-chapter" = [">", "."]
        """),
      .section("Settings"),
      .list(Configuration.settings.map(row), isWide: true),
      .section("Downloads"),
      .paragraph("These settings are in the table `[downloads]`."),
      .list(DownloadPreferences.settings.map(row), isWide: true),
      .section("Sync"),
      .paragraph("These settings are in the table `[sync]`, for `earshot sync`."),
      .list(SyncPreferences.settings.map(row), isWide: true),
      .section("Transcripts"),
      .paragraph(
        "These settings are in the table `[transcribe]`: the program or the server that makes transcripts of episodes."),
      .list(TranscribingPreferences.settings.map(row), isWide: true),
      .section("Sites"),
      .paragraph("These settings are in the table `[sites]`: the program that finds the sound of videos."),
      .list(SitePreferences.settings.map(row), isWide: true),
      .paragraph("This setting is in the table `[video]`: the player that shows videos."),
      .list(VideoPreferences.settings.map(row), isWide: true),
      .section("Discover"),
      .paragraph(
        """
        These settings are in the table `[discover]`: the podcast directories that are searched. API keys may also come from the \
        variables `EARSHOT_PODCASTINDEX_KEY`, `EARSHOT_PODCASTINDEX_SECRET`, `EARSHOT_SPOTIFY_ID` and `EARSHOT_SPOTIFY_SECRET`.
        """),
      .list(DiscoverPreferences.settings.map(row), isWide: true),
      .section("Hooks"),
      .paragraph(
        """
        The table `[hooks]` names programs that run when something happens. The names are the events: \
        \(Hook.events.map { "`\($0.rawValue)`" }.joined(separator: ", ")). The value is a program with arguments, split as \
        a shell splits them, or a list such as `["tag-and-copy", "{file}"]`. No shell reads it. A placeholder is a whole argument: \
        \(Hook.Field.allCases.map { "`{\($0.rawValue)}`" }.joined(separator: ", ")). The program gets the event as JSON on \
        standard input, and its name in `EARSHOT_EVENT`. After 30 seconds it is ended. What it prints goes to the log.
        """),
      .section("Directories"),
      .paragraph("These settings are in the table `[directories]`. A path begins with `/` or `~/`."),
      .list(Configuration.directoryRows.map { ($0.name, $0.help) }),
      .section("Keys"),
      .paragraph(
        """
        The table `[keys]` replaces the default keys of a command by one key or a list. An empty list removes all keys. A key \
        that another command has by default is taken from it. Two commands in the table must not have the same key. \
        Run `earshot help keys` for the names of commands.
        """),
      .paragraph(
        """
        A character stands for itself. Other keys are names in angle brackets: <Enter>, <Esc>, <Tab>, <Space>, <BS>, <Del>, \
        <Insert>, <Up>, <Down>, <Left>, <Right>, <Home>, <End>, <PageUp>, <PageDown>, <F1>, and <lt> for < itself. C-, A- and \
        S- inside the brackets are control, alt and shift: <C-d>, <A-x>, <S-Left>. Several in a row are a sequence: gg.
        """),
      .section("One podcast"),
      .paragraph(
        """
        Type `:show` in the player to see and change the settings of one podcast: \
        \(PodcastSettingArgument.names.joined(separator: ", ")), reset.
        """),
    ],
    related: [("earshot", 1), ("earshot-filters", 7)])

  private static func row<Target>(_ row: SettingRow<Target>) -> (term: String, text: String) {
    let standard = row.standard.map { " Default: \($0)." } ?? ""
    return ("\(row.name) = \(row.values)", row.help + standard)
  }

  // MARK: earshot-filters(7)

  static let filters = ManualDocument(
    name: "earshot-filters", section: 7,
    summary: "the language of smart playlists and lists of the podcast player earshot",
    blocks: [
      .section("Description"),
      .paragraph(
        """
        A smart playlist consists of a title and a filter. The filter runs each time the playlist is shown. Lists use the same \
        language, as in `earshot episodes --filter`.
        """),
      .sample("unplayed and duration < 30m and tag:news and not title ~ \"best of\""),
      .section("Conditions"),
      .list([
        ("a and b", "Both. The word is optional."), ("a or b", "Either; `and` binds more closely."),
        ("not a", "The opposite."), ("( a )", "Grouping."), ("\"some words\"", "In the title."),
        ("<20m", "Short for `duration < 20m`; so are `<=`, `>` and `>=`."),
      ]),
      .paragraph(
        """
        In the player, press `f` (`:filter`) to narrow the list on the screen while you type. There, other words are searched \
        in the titles. Type `:save-filter` to make a smart playlist of it.
        """),
      .section("Words"),
      .paragraph("A word is true for an episode that is, or has:"),
      .list(FilterFlag.allCases.map { ($0.rawValue, sentence($0.help)) }),
      .section("Comparisons"),
      .list(
        FilterField.allCases.map { ("\($0.rawValue) \($0.kind.operators)", sentence($0.help) + $0.kind.values) },
        isWide: true),
      .paragraph(
        """
        Case and diacritics are ignored. If a feed does not have a value, a comparison with it is false: `duration < 30m` \
        excludes an episode without a duration, and `not duration < 30m` includes it. Deleted episodes are found \
        only by a filter that names them, with `deleted`. Episodes of unsubscribed podcasts are never found.
        """),
      .section("Order and number"),
      .paragraph(
        """
        `order` and one of these words, then `limit` and a number, may follow at the end: \
        \(EpisodeFilter.Order.allCases.map(\.rawValue).joined(separator: ", ")). By default all episodes, newest first.
        """),
      .sample("unplayed tag:comedy order shortest limit 10"),
    ],
    related: [("earshot", 1), ("earshot-config", 5)])

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix("…") ? "" : ".")
  }
}

extension FilterField.Kind {
  /// The operators between the field and its value.
  fileprivate var operators: String {
    switch self {
    case .text(let hasEquality): hasEquality ? ": ~ !~ = !=" : ": ~ !~"
    case .status, .feature: ":"
    case .weekday: ": = !="
    case .length, .age, .bytes, .number, .date: "< <= > >= = !="
    }
  }

  /// The form of its values.
  fileprivate var values: String {
    switch self {
    case .text(let hasEquality): hasEquality ? "" : " The last word may be a beginning."
    case .length: " `20m`, `1h30m`, `1:30:00`."
    case .age: " `36h`, `7d`, `2w`, `3mo`, `1y`."
    case .bytes: " `500kB`, `50MB`, `1GB`."
    case .number: ""
    case .date: " `2026-11-22`, `2026-11`, `2026`, `today`, `yesterday`: the whole of it."
    case .weekday: " `monday`, `tue` and so on."
    case .status: " `new`, `playing`, `paused`, `played`, `deleted`."
    case .feature: " \(FilterFeature.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "))."
    }
  }
}
