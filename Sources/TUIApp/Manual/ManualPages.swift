import AppCore
import ArgumentParser
import Model

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
    .list([("earshot [--linear]", "The player."), ("earshot verb [arguments]", "One thing, without the player.")]),
    .section("Description"),
    .paragraph(
      """
      Earshot browses podcast feeds, plays and seeks their episodes, and never loses the place. \
      Without a verb the player opens. The key `?` shows the keys.
      """),
    .section("Verbs"),
    .paragraph(
      """
      Every verb takes `--json` for an answer that programs read, and `--help`. Answers go to standard output, messages \
      to standard error.
      """),
    .list(verbs, isWide: true),
    .section("Keys"),
    .paragraph(
      """
      These are the keys as they come. The table `[keys]` of the configuration binds others. Every command can be typed \
      after a colon, by the name in parentheses.
      """),
  ]

  private static var verbs: [(term: String, text: String)] {
    let verbs = EarshotCommand.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    return verbs.map { (EarshotCommand.usageString(for: $0), $0.configuration.abstract) }
      + [(HelpVerb.usageString(), HelpVerb.configuration.abstract)]
  }

  static var keys: [ManualDocument.Block] {
    Command.Group.allCases.flatMap { group -> [ManualDocument.Block] in
      let rows: [(term: String, text: String)] = Command.table.filter { $0.group == group }.map { command in
        let keys = command.keys.isEmpty ? ":\(command.name.rawValue)" : command.keys.joined(separator: " ")
        return (keys, "\(command.help) (\(command.name.rawValue)).")
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
          "Where the directories below are. A relative path is ignored."
        ), ("NO_COLOR", "No colours, whatever the theme."),
        ("TERM", "What the terminal can do."),
        ("COLORTERM", "`truecolor` or `24bit`: the themes' own colours, where terminfo describes such a terminal."),
        ("FORCE_HYPERLINK", "`1` or `0`: whether links of the details are the terminal's own."),
        ("http_proxy, https_proxy, no_proxy", "As curl reads them."),
      ], isWide: true),
  ]

  static let files: [ManualDocument.Block] = [
    .section("Files"),
    .list(
      [
        ("~/.config/earshot/config.toml", "Settings and keys: earshot-config(5)."),
        ("~/.config/earshot/themes/", "Your own themes."),
        ("~/.local/share/earshot/earshot.db", "The library: subscriptions, positions, everything of yours."),
        ("~/.local/share/earshot/downloads/", "Downloaded files."),
        ("~/.cache/earshot/", "Pictures, and what was streamed. May be deleted at any time."),
        ("~/.local/state/earshot/earshot.log", "What happened, for a report."),
      ], isWide: true),
  ]

  static let exitStatus: [ManualDocument.Block] = [
    .section("Exit status"),
    .list([
      ("0", "Done."), ("1", "Failed for another reason than these."), ("64", "The command line was not understood."),
      ("65", "What was read is damaged, or is not what it should be."),
      ("69", "No connectivity, or the server refused."),
      ("73, 74", "Something cannot be made or written."), ("77", "The password of the sync server is wrong."),
      ("78", "The configuration has a mistake."),
    ]),
  ]

  // MARK: earshot-config(5)

  static let configuration = ManualDocument(
    name: "earshot-config", section: 5, summary: "configuration of the podcast player earshot",
    blocks: [
      .section("Description"),
      .paragraph(
        """
        The file `~/.config/earshot/config.toml` is in TOML. It need not exist, and nothing in it is required. A mistake is \
        reported with its line when the player starts; that line is left out and everything else holds. `earshot doctor` \
        reports it too.
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
      .paragraph("These stand in the table `[downloads]`."),
      .list(DownloadPreferences.settings.map(row), isWide: true),
      .section("Sync"),
      .paragraph("These stand in the table `[sync]`, for `earshot sync`."),
      .list(SyncPreferences.settings.map(row), isWide: true),
      .section("Discover"),
      .paragraph(
        """
        These stand in the table `[discover]`: the directories of podcasts that `earshot find` asks. Keys may also come from the \
        variables `EARSHOT_PODCASTINDEX_KEY`, `EARSHOT_PODCASTINDEX_SECRET`, `EARSHOT_SPOTIFY_ID` and `EARSHOT_SPOTIFY_SECRET`.
        """),
      .list(DiscoverPreferences.table.map(row), isWide: true),
      .section("Directories"),
      .paragraph("These stand in the table `[directories]`. A path begins with `/` or `~/`."),
      .list(Configuration.places.map { ($0.name, $0.help) }),
      .section("Keys"),
      .paragraph(
        """
        The table `[keys]` gives a command other keys than its own: one, or a list; an empty list takes them all away. A key \
        that another command had as it came is taken from it. Two commands of the table may not have the same key. The names \
        of commands are those of `earshot help keys`.
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
        `:show` in the player lists how one podcast differs from all others, and changes it: speed, gain, silence, levelling, \
        mono, intro, outro, skip, reset.
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
        A smart playlist is a title and a filter; its episodes are found anew each time it is shown. The same language filters \
        lists, as in `earshot episodes --filter`.
        """),
      .sample("unplayed and duration < 30m and tag:news and not title ~ \"best of\""),
      .section("Conditions"),
      .list([
        ("a and b", "Both. The word may be left out."), ("a or b", "Either; `and` binds more closely."),
        ("not a", "The opposite."), ("( a )", "Together."), ("\"some words\"", "In the title."),
      ]),
      .section("Words"),
      .paragraph("A word is true of an episode that is, or has:"),
      .list(FilterFlag.allCases.map { ($0.rawValue, sentence($0.help)) }),
      .section("Comparisons"),
      .list(
        FilterField.allCases.map { ("\($0.rawValue) \($0.kind.operators)", sentence($0.help) + $0.kind.values) },
        isWide: true),
      .paragraph(
        """
        Case and diacritics do not count. What a feed does not say makes a comparison false: `duration < 30m` leaves out an \
        episode without a duration, and `not duration < 30m` has it. Deleted episodes and unsubscribed podcasts are never found.
        """),
      .section("Order and number"),
      .paragraph(
        """
        `order` and one of these words, then `limit` and a number, may stand at the end: \
        \(EpisodeFilter.Order.allCases.map(\.rawValue).joined(separator: ", ")). Without, the newest come first, all of them.
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
    case .status: " `new`, `playing`, `paused`, `played`."
    case .feature: " \(FilterFeature.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "))."
    }
  }
}
