import Downloads
import Foundation
import TOMLKit

/// The `[downloads]` table of `config.toml`.
struct DownloadPreferences: Sendable {
  var atOnce = 3
  var perHost = 2
  var template = FileNameTemplate.standard
  /// How many of each podcast's newest episodes are downloaded after a refresh, if the podcast has no setting of its
  /// own.
  var automatic = 0
  /// How many files of each podcast are kept; nil: all.
  var keep: Int?
  var deletesPlayed = false
  /// The limit for all files together, in bytes; nil: no limit.
  var maxBytes: Int64?
  /// Bytes that must stay free on the disk.
  var reserve: Int64 = 50_000_000

  /// All settings of the table, in the order of the manuals. To add one: a row here, a line in docs/CONFIGURATION.md.
  static let settings: [SettingRow<DownloadPreferences>] = [
    .whole("at_once", 1...16, "3", \.atOnce, "Downloads at the same time."),
    .whole("per_host", 1...16, "2", \.perHost, "How many of them come from one server."),
    .init(
      "template", "a text with {podcast}, {date}, {title}, {season}, {number}, {id}", #""{podcast}/{date} {title}""#,
      "The names of files, without the extension."
    ) {
      do {
        $0.template = try FileNameTemplate(try Configuration.string($1))
      } catch let problem as FileNameTemplate.Problem {
        throw Configuration.InvalidValue(problem.description)
      }
    },
    .whole("auto", 0...100, "0", \.automatic, "How many new episodes of every podcast are downloaded after a refresh."),
    .init(
      "keep", "0 to 10000", nil,
      "How many files of each podcast are kept; queued and begun episodes are always kept. Without it, all are kept."
    ) { $0.keep = Int(try Configuration.number($1, in: 0...10_000)) },
    .flag("delete_played", false, \.deletesPlayed, "Delete the files of played episodes."),
    .init(
      "max_gb", "gigabytes, 0.001 to 1000000", nil,
      "The limit for all files; played and old ones are deleted first. Without it, there is no limit."
    ) { $0.maxBytes = Int64(try Configuration.number($1, in: 0.001...1_000_000) * 1e9) },
    .init("reserve_mb", "megabytes, 0 to 1000000", "50", "How much space to leave free on the disk.") {
      $0.reserve = Int64(try Configuration.number($1, in: 0...1_000_000) * 1e6)
    },
  ]

  var rules: CleanUpRules {
    var rules = CleanUpRules()
    rules.keepPerPodcast = keep
    rules.deletesPlayed = deletesPlayed
    rules.maxBytes = maxBytes
    return rules
  }
}
