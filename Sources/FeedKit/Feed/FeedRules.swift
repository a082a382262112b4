/// Looks up the meaning of an element. For a name that was looked up before, this is one array access. It is a class,
/// so that lookups do not mutate the builder.
final class FeedRules {
  private struct Key: Hashable {
    var scope: FeedScope
    var namespace: XMLNamespace
    var local: String
  }

  private static let table: [Key: FeedAction] = {
    var table: [Key: FeedAction] = [:]
    for row in FeedPrecedence.rows + FeedElements.rows {
      for scope in row.scopes {
        for name in row.names { table[Key(scope: scope, namespace: row.namespace, local: name)] = row.action }
      }
    }
    return table
  }()

  /// Indexed by name id and scope.
  private var learned: [FeedAction] = []
  /// Indexed by name id: see `endsText` and `endsLine`.
  private var ending: [Bool] = []
  private var endingLine: [Bool] = []

  @inline(__always)
  func action(of name: XMLName, in scope: FeedScope) -> FeedAction {
    let index = name.id * FeedScope.allCases.count + Int(scope.rawValue)
    if index < learned.count, learned[index] != .unlearned { return learned[index] }
    return learn(name, scope, index)
  }

  /// Whether this element never occurs inside a text, not even as unescaped HTML. If it does, the end tag of the text
  /// is missing.
  func endsText(_ name: XMLName) -> Bool {
    if name.id >= ending.count { _ = action(of: name, in: .document) }
    return name.id < ending.count && ending[name.id]
  }

  /// Whether this element never occurs inside one line of text, such as a title or a name.
  func endsLine(_ name: XMLName) -> Bool {
    if name.id >= endingLine.count { _ = action(of: name, in: .document) }
    return name.id < endingLine.count && endingLine[name.id]
  }

  private func learn(_ name: XMLName, _ scope: FeedScope, _ index: Int) -> FeedAction {
    let scopes = FeedScope.allCases.count
    while learned.count < (name.id + 1) * scopes { learned.append(.unlearned) }
    while ending.count <= name.id { ending.append(false) }
    while endingLine.count <= name.id { endingLine.append(false) }
    let local = name.local.lowercased()
    switch name.namespace {
    case .itunes, .podcast, .googlePlay, .content, .media, .psc: ending[name.id] = true
    case .none, .atom:
      ending[name.id] = ["item", "entry", "guid", "pubdate", "enclosure"].contains(local)
      endingLine[name.id] = ["title", "link", "description", "author", "category"].contains(local)
    default: break
    }
    var action = FeedAction.unknown
    for namespace in candidates(name.namespace) {
      if let found = Self.table[Key(scope: scope, namespace: namespace, local: local)] {
        action = found
        break
      }
    }
    learned[index] = action
    return action
  }

  /// A name's own namespace first, then those it is mistaken for.
  private func candidates(_ namespace: XMLNamespace) -> [XMLNamespace] {
    switch namespace {
    case .none: [.none, .atom]
    case .atom: [.atom, .none]
    case .atom03: [.atom, .none]
    case .cdf: [.none]
    case .xhtml: [.xhtml, .none]
    default: [namespace]
    }
  }
}
