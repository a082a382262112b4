import Downloads
import Foundation
import TOMLKit

/// What the `[downloads]` table of `config.toml` says.
struct DownloadPreferences: Sendable {
  var atOnce = 3
  var perHost = 2
  var template = FileNameTemplate.standard
  /// So many of each show's newest episodes are fetched after a refresh, unless the show says otherwise.
  var automatic = 0
  /// Files of each show that stay; nil: all.
  var keep: Int?
  var deletesPlayed = false
  /// Bytes of all files together; nil: as much as the disk holds.
  var maxBytes: Int64?
  /// Bytes that stay free on the disk.
  var reserve: Int64 = 50_000_000

  typealias Setting = @Sendable (inout DownloadPreferences, any TOMLValueConvertible) throws -> Void

  /// Every setting of the table. To add one: a row here, a line in docs/CONFIGURATION.md.
  static let settings: [String: Setting] = [
    "at_once": { $0.atOnce = Int(try Configuration.number($1, in: 1...16)) },
    "per_host": { $0.perHost = Int(try Configuration.number($1, in: 1...16)) },
    "template": {
      do {
        $0.template = try FileNameTemplate(try Configuration.string($1))
      } catch let problem as FileNameTemplate.Problem {
        throw Configuration.Complaint(problem.description)
      }
    },
    "auto": { $0.automatic = Int(try Configuration.number($1, in: 0...100)) },
    "keep": { $0.keep = Int(try Configuration.number($1, in: 0...10_000)) },
    "delete_played": { $0.deletesPlayed = try Configuration.bool($1) },
    "max_gb": { $0.maxBytes = Int64(try Configuration.number($1, in: 0.001...1_000_000) * 1e9) },
    "reserve_mb": { $0.reserve = Int64(try Configuration.number($1, in: 0...1_000_000) * 1e6) },
  ]

  var rules: CleanUpRules {
    var rules = CleanUpRules()
    rules.keepPerShow = keep
    rules.deletesPlayed = deletesPlayed
    rules.maxBytes = maxBytes
    return rules
  }
}

extension Configuration {
  mutating func readDownloads(_ value: any TOMLValueConvertible, _ lines: LineFinder, _ file: String) {
    guard let table = value.table else {
      let line = lines.line(of: "downloads")
      problems.append(ConfigurationProblem(file: file, line: line, text: "downloads: must be a table"))
      return
    }
    for key in table.keys {
      do {
        guard let setting = DownloadPreferences.settings[key], let value = table[key] else {
          throw Complaint("there is no setting of this name")
        }
        try setting(&downloads, value)
      } catch {
        let text = (error as? Complaint)?.text ?? "\(error)"
        problems.append(
          ConfigurationProblem(
            file: file, line: lines.line(of: key, in: "downloads"), text: "[downloads] \(key): \(text)"))
      }
    }
  }
}
