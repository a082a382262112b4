import Model

/// Podcasting 2.0: location, license, publisher, chats and comments.
extension FeedBuilder {
  mutating func beginDetail(_ element: FeedElement, _ attributes: XMLAttributes) {
    switch element {
    case .location:
      noted.url = attributes["geo"]?.trimmed.nonEmpty
      noted.type = attributes["osm"]?.trimmed.nonEmpty
      collect()
    case .license:
      noted.url = attributes["url"].flatMap({ resolve($0) })
      collect()
    case .chat:
      guard let server = attributes["server"]?.trimmed.nonEmpty else { return }
      let room = ChatRoom(
        server: server, kind: attributes["protocol"]?.trimmed.nonEmpty ?? "",
        account: attributes["accountId"]?.trimmed.nonEmpty, space: attributes["space"]?.trimmed.nonEmpty)
      add(room, \.chats, inChannel: \.chats)
    case .comments: addComments(attributes)
    case .publisher: enter(.publisher)
    case .publisherItem: podcast.publisher = podcast.publisher ?? remoteItem(attributes)
    case .listedItem:
      guard podcast.listed.count < limits.listEntries else { return }
      if let remote = remoteItem(attributes) { podcast.listed.append(remote) }
    default: break
    }
  }

  mutating func finishDetail(_ element: FeedElement, _ value: String) {
    guard !value.isEmpty else { return }
    switch element {
    case .location:
      let location = FeedLocation(name: value, geo: noted.url, osm: noted.type)
      if inItem { item.location = item.location ?? location } else { podcast.location = podcast.location ?? location }
    case .license:
      let license = License(name: value, url: noted.url)
      if inItem { item.license = item.license ?? license } else { podcast.license = podcast.license ?? license }
    default: break
    }
  }

  /// The one with the smallest priority comes first. `disabled` means that comments are intentionally off.
  private mutating func addComments(_ attributes: XMLAttributes) {
    let kind = attributes["protocol"]?.trimmed.nonEmpty ?? ""
    guard kind.lowercased() != "disabled", let url = attributes["uri"].flatMap({ resolve($0) }),
      url.hasPrefix("http://") || url.hasPrefix("https://"), item.comments.count < limits.listEntries
    else { return }
    let thread = CommentThread(
      kind: kind, url: url, account: attributes["accountId"]?.trimmed.nonEmpty,
      priority: attributes["priority"].flatMap(FeedScalar.ordinal))
    let index = item.comments.firstIndex { ($0.priority ?? .max) > (thread.priority ?? .max) }
    item.comments.insert(thread, at: index ?? item.comments.count)
  }

  /// Nil if it refers to no feed.
  func remoteItem(_ attributes: XMLAttributes) -> RemoteItem? {
    let remote = RemoteItem(
      feedGuid: attributes["feedGuid"]?.trimmed.nonEmpty, feedURL: attributes["feedUrl"].flatMap({ resolve($0) }),
      itemGuid: attributes["itemGuid"]?.trimmed.nonEmpty, medium: attributes["medium"]?.trimmed.nonEmpty,
      title: attributes["title"]?.trimmed.nonEmpty ?? attributes["feedTitle"]?.trimmed.nonEmpty)
    return remote.feedGuid != nil || remote.feedURL != nil ? remote : nil
  }
}
