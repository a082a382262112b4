import Model

/// An element that is more than a simple value: it has relevant attributes or children.
enum FeedElement: UInt8 {
  case root, channel, item, liveItem, image, owner, person, transparent
  case link, guid, atomID, category, itunesCategory, itunesImage, itunesLink, enclosure, thumbnail, mediaContent,
    atomContent
  case transcript, chapters, chapterList, chapter, soundbite, podcastPerson, season, episode, funding, alternate,
    source, podroll
  case remoteItem, trailer, updateFrequency, podping, value, valueRecipient, purposeText, podcastImage, contentLink
  case location, license, chat, comments, publisher, publisherItem, listedItem
  case archive, complete, generatorAgent
}

/// Elements that are more than a simple value, and where they may occur.
enum FeedElements {
  private static func row(
    _ scopes: FeedScope..., in namespace: XMLNamespace, _ names: String, _ element: FeedElement
  ) -> FeedPrecedence.Row {
    let names = names.split(separator: " ").map(String.init)
    return FeedPrecedence.Row(scopes: scopes, namespace: namespace, names: names, action: .element(element))
  }

  static let rows: [FeedPrecedence.Row] = [
    // The structure of a document. Items are found anywhere, because end tags may be missing.
    row(.document, in: .none, "rss rdf", .root),
    row(.document, in: .rdf, "rdf", .root),
    row(.document, .channel, in: .none, "channel", .channel),
    row(.document, in: .atom, "feed", .channel),
    row(
      .document, .channel, .item, .skipped, .image, .owner, .person, .alternate, .podroll, .publisher, .value,
      in: .none, "item", .item),
    row(
      .document, .channel, .item, .skipped, .image, .owner, .person, .alternate, .podroll, .publisher, .value,
      in: .atom, "entry", .item),
    row(.channel, .skipped, .person, .podroll, .publisher, .value, in: .podcast, "liveitem", .liveItem),
    row(.document, .channel, .item, in: .none, "image", .image),
    row(.channel, in: .itunes, "owner", .owner),
    row(.channel, .item, in: .none, "author", .person),
    row(.channel, .item, in: .atom, "author", .person),
    row(.person, in: .atom, "uri url homepage id", .transparent),
    row(.item, in: .media, "group", .transparent),
    row(.item, in: .psc, "chapters", .chapterList),

    row(.channel, .item, in: .none, "link", .link),
    row(.channel, .item, in: .atom, "link", .link),
    row(.item, in: .none, "guid", .guid),
    row(.item, in: .atom, "id", .atomID),
    row(.channel, .item, in: .none, "category", .category),
    row(.channel, .item, in: .atom, "category", .category),
    row(.channel, .item, in: .media, "category", .category),
    row(.channel, .item, in: .googlePlay, "category", .category),
    row(.channel, .item, in: .itunes, "category", .itunesCategory),
    row(.channel, .item, in: .itunes, "image", .itunesImage),
    row(.channel, .item, in: .itunes, "link", .itunesLink),
    row(.channel, .item, in: .googlePlay, "image", .podcastImage),
    row(.item, in: .none, "enclosure", .enclosure),
    row(.item, in: .media, "content", .mediaContent),
    row(.channel, .item, in: .media, "thumbnail", .thumbnail),
    row(.item, in: .atom, "content", .atomContent),
    row(.channel, in: .atom, "generator", .generatorAgent),
    row(.channel, in: .admin, "generatoragent", .generatorAgent),
    row(.channel, in: .history, "archive", .archive),
    row(.channel, in: .history, "complete", .complete),
    row(.item, in: .psc, "chapter", .chapter),

    // Podcasting 2.0
    row(.item, in: .podcast, "transcript", .transcript),
    row(.item, in: .podcast, "chapters", .chapters),
    row(.item, in: .podcast, "soundbite", .soundbite),
    row(.channel, .item, in: .podcast, "person", .podcastPerson),
    row(.item, in: .podcast, "season", .season),
    row(.item, in: .podcast, "episode", .episode),
    row(.channel, .item, in: .podcast, "funding", .funding),
    row(.item, in: .podcast, "alternateenclosure", .alternate),
    row(.alternate, in: .podcast, "source", .source),
    row(.channel, in: .podcast, "podroll", .podroll),
    row(.podroll, in: .podcast, "remoteitem", .remoteItem),
    row(.channel, in: .podcast, "trailer", .trailer),
    row(.channel, in: .podcast, "updatefrequency", .updateFrequency),
    row(.channel, in: .podcast, "podping", .podping),
    row(.channel, .item, in: .podcast, "value", .value),
    row(.value, in: .podcast, "valuerecipient", .valueRecipient),
    row(.channel, .item, in: .podcast, "txt", .purposeText),
    row(.channel, .item, in: .podcast, "image images", .podcastImage),
    row(.item, in: .podcast, "contentlink", .contentLink),
    row(.channel, .item, in: .podcast, "location", .location),
    row(.channel, .item, in: .podcast, "license", .license),
    row(.channel, .item, in: .podcast, "chat", .chat),
    row(.item, in: .podcast, "socialinteract", .comments),
    row(.channel, in: .podcast, "publisher", .publisher),
    row(.publisher, in: .podcast, "remoteitem", .publisherItem),
    row(.channel, in: .podcast, "remoteitem", .listedItem),
  ]
}

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
