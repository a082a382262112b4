import Directories
import Foundation
import HTTP
import Model
import Services
import SyncBackends
import TOMLKit

/// The `[discover]` table of `config.toml`: which directories are searched, and their API keys. Keys may also come from
/// the environment or from a command, so that they need not be in the file.
struct DiscoverPreferences: Sendable {
  var settings = DirectorySettings()
  private var podcastIndexKey: String?
  private var podcastIndexSecret: String?
  private var podcastIndexSecretCommand: String?
  private var spotifyID: String?
  private var spotifySecret: String?
  private var spotifySecretCommand: String?

  init(environment: [String: String] = ProcessEnvironment.variables) {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    settings.country = DirectorySettings.country(ofLocale: locale) ?? settings.country
    podcastIndexKey = environment["EARSHOT_PODCASTINDEX_KEY"]
    podcastIndexSecret = environment["EARSHOT_PODCASTINDEX_SECRET"]
    spotifyID = environment["EARSHOT_SPOTIFY_ID"]
    spotifySecret = environment["EARSHOT_SPOTIFY_SECRET"]
  }

  /// The settings with their keys. Runs the commands that print secrets, and waits for them. Called before the first
  /// search.
  func resolved() -> DirectorySettings {
    var settings = settings
    settings.podcastIndexKey = Self.key(podcastIndexKey, podcastIndexSecret, podcastIndexSecretCommand)
    settings.spotifyCredentials = Self.key(spotifyID, spotifySecret, spotifySecretCommand)
    return settings
  }

  private static func key(_ id: String?, _ secret: String?, _ command: String?) -> DirectoryKey? {
    guard let id, let secret = secret ?? command.flatMap({ try? SecretCommand.run($0) }) else { return nil }
    return DirectoryKey(id: id, secret: secret)
  }

  /// A note for listeners who sync with their own gpodder server: searches ask another server. Nil if that is not so.
  func note(onSyncWith server: String, kind: String) -> String? {
    guard kind == GPodderBackend.kind, settings.names.contains(.gpodder) else { return nil }
    let (asked, synced) = (URL(string: settings.gpodderBase)?.host ?? "", URL(string: server)?.host ?? "")
    guard asked.lowercased() != synced.lowercased() else { return nil }
    return "“earshot find” asks \(asked). Set gpodder_url in the table [discover] of the configuration to change that."
  }

  /// All settings of the table, in the order of the manuals. To add one: a row here, a line in docs/CONFIGURATION.md.
  static let settings: [SettingRow<DiscoverPreferences>] = [
    .init(
      "directories", "a list of names", #"["apple", "fyyd", "podcastindex", "gpodder"]"#, "Which directories are asked."
    ) { $0.settings.names = try names($1) },
    .init(
      "country", "the two letters of a country", nil,
      "The country for charts and Apple's search. By default that of the locale."
    ) { $0.settings.country = try country($1) },
    .text(
      "podcastindex_key", "a text", \.podcastIndexKey,
      "The key that Podcast Index (api.podcastindex.org) gave you."),
    .text("podcastindex_secret", "a text", \.podcastIndexSecret, "The secret that belongs to it."),
    .text(
      "podcastindex_secret_command", "a command of the shell", \.podcastIndexSecretCommand,
      "Prints that secret, so that it need not be in this file."),
    .text("spotify_id", "a text", \.spotifyID, "The id of a Spotify client, to match links to its podcasts."),
    .text("spotify_secret", "a text", \.spotifySecret, "The secret that belongs to it."),
    .text(
      "spotify_secret_command", "a command of the shell", \.spotifySecretCommand,
      "Prints that secret, so that it need not be in this file."),
    address("gpodder_url", "gpodder") { $0.settings.gpodderBase = $1 },
    address("apple_url", "Apple's search") { $0.settings.appleBase = $1 },
    address("fyyd_url", "fyyd") { $0.settings.fyydBase = $1 },
    address("podcastindex_url", "Podcast Index") { $0.settings.podcastIndexBase = $1 },
    address("spotify_url", "Spotify's interface for programs") { $0.settings.spotifyBases.api = $1 },
    address("spotify_accounts_url", "Spotify's accounts") { $0.settings.spotifyBases.accounts = $1 },
    address("spotify_open_url", "Spotify's pages") { $0.settings.spotifyBases.open = $1 },
  ]

  /// A row for the address of a directory's server.
  private static func address(
    _ name: String, _ server: String, _ put: @escaping @Sendable (inout DiscoverPreferences, String) -> Void
  ) -> SettingRow<DiscoverPreferences> {
    SettingRow(name, "an address", nil, "Where \(server) is, for a server of your own.") { put(&$0, try address($1)) }
  }

  private static func names(_ value: any TOMLValueConvertible) throws -> [DirectoryName] {
    guard let array = value.array else { throw ReportedError("must be a list of names") }
    return try array.map { element in
      let text = try Configuration.string(element)
      guard let name = DirectoryName(rawValue: text) else {
        let all = DirectoryName.allCases.map(\.rawValue).joined(separator: ", ")
        throw ReportedError("“\(text)” is none of: \(all)")
      }
      return name
    }
  }

  private static func country(_ value: any TOMLValueConvertible) throws -> String {
    let text = try Configuration.string(value).uppercased()
    guard text.wholeMatch(of: /[A-Z]{2}/) != nil else {
      throw ReportedError("must be the two letters of a country, such as “DE”")
    }
    return text
  }

  private static func address(_ value: any TOMLValueConvertible) throws -> String {
    var text = try Configuration.address(value)
    while text.hasSuffix("/") { text.removeLast() }
    return text
  }
}

extension DirectoryAccess {
  /// - Parameter deadline: seconds that a directory may take to answer.
  convenience init(_ preferences: DiscoverPreferences, http: HTTPClient, deadline: Double = 20) {
    self.init(transport: HTTPDirectoryTransport(http, deadline: deadline)) { preferences.resolved() }
  }
}
