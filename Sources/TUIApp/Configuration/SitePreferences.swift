import Foundation
import Programs
import Services
import TOMLKit

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

  /// All settings of the table, in the order of the manuals. To add one: a row here, a line in docs/CONFIGURATION.md.
  static let settings: [SettingRow<SitePreferences>] = [
    .init(
      "yt_dlp", "a name or a path", nil,
      "yt-dlp, the program that finds the sound of videos at YouTube and other sites. Without this line no such program is run. See docs/SITES.md."
    ) {
      let text = try Configuration.string($1)
      guard !text.isEmpty, !text.hasPrefix("-"), !text.contains("\0") else {
        throw Configuration.InvalidValue("must be the name or the path of a program")
      }
      $0.program = HomePath.expanding(text)
    },
    .flag(
      "yt_dlp_config", false, \.usesConfiguration,
      "Let yt-dlp read your own configuration of it, such as cookies for what only signed-in people can see."),
  ]
}
