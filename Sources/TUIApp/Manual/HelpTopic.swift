/// The topics of `earshot help TOPIC`, besides the commands.
enum HelpTopic: String, CaseIterable {
  case keys, configuration, filters, files, environment, status

  var summary: String {
    switch self {
    case .keys: "the keys and commands of the player"
    case .configuration: "every setting of config.toml"
    case .filters: "the language of smart playlists and lists"
    case .files: "files and directories"
    case .environment: "environment variables"
    case .status: "the exit statuses of the verbs"
    }
  }

  var document: ManualDocument {
    switch self {
    case .configuration: ManualPages.configuration
    case .filters: ManualPages.filters
    case .keys: page(ManualPages.keys)
    case .files: page(ManualPages.files)
    case .environment: page(ManualPages.environment)
    case .status: page(ManualPages.exitStatus)
    }
  }

  private func page(_ blocks: [ManualDocument.Block]) -> ManualDocument {
    ManualDocument(name: "earshot", section: 1, summary: summary, blocks: blocks, related: [])
  }
}
