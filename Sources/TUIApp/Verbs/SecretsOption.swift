import ArgumentParser

/// Whether passwords and keys in addresses are printed. By default they are not, because output is copied into bug
/// reports, screens and logs.
struct SecretsOption: ParsableArguments {
  @Flag(name: .long, help: "Print the passwords and keys in addresses.")
  var secrets = false

  /// The default: no secrets.
  static let hidden = SecretsOption(secrets: false)
  static let shown = SecretsOption(secrets: true)

  init() {}

  private init(secrets: Bool) { self.secrets = secrets }
}
