import Model

/// A simple value of a channel or an item. `FeedPrecedence` lists the elements that set it.
enum FeedField: UInt8, CaseIterable {
  case title, summary, content, subtitle, link, author, published, updated, language, copyright, generator, image
  case explicit, block, locked, type, guid, medium, newFeedURL, ownerName, ownerEmail, keywords, category
  case duration, season, episode, episodeType, personName, timeToLive, updatePeriod, updatesPerPeriod

  /// A value that is wrong if its end is missing. Cut texts and titles are still useful.
  var isFragile: Bool {
    switch self {
    case .title, .summary, .content, .subtitle, .author, .copyright, .personName: false
    default: true
    }
  }

  /// The value may contain markup, which is kept.
  var isMarkup: Bool { self == .summary || self == .content }
}

/// Decides which value is used if a feed gives the same thing several times.
///
/// Each row has the element's scope, its namespace, its names, the field it sets, and its rank. The usable value with
/// the smallest rank is used, wherever it is in the document; among equal ranks, the first. Unusable values (an empty
/// title, an invalid date) are ignored.
///
/// The reasons for the order:
/// - title and dates: RSS's own elements before Atom's, which are additions in RSS. Atom has none of RSS's.
/// - title: the format's own title. itunes:title leaves out numbers and is shorter, but all players show the plain
///   title.
/// - summary: what is meant for all players (description, summary), before what is meant for one directory
///   (itunes:summary), before copies of it for Google, in Media RSS and in Dublin Core. A subtitle is better than
///   nothing.
/// - summary of an item without one: its content, else its subtitle.
/// - content: content:encoded and Atom's content are the full show notes. The others are older forms of the same.
/// - author: for an item itunes:author, which names people, before dc:creator, which is often a blog account, before
///   RSS's author, which is an e-mail address by definition. For the channel the names that hosting services fill in,
///   and last the managing editor and the webmaster.
/// - published: the publication date (pubDate, published), before the date of issue, before the date of creation. The
///   modification date is used only if there is no other (see `FeedBuilder.endItem`).
/// - updated: the document's own value, then Dublin Core's.
/// - image: for the channel RSS `image` and Atom `logo`, which feeds intentionally keep separate from itunes:image;
///   `icon` is small. For an item itunes:image, which is meant as a cover, then RSS `image`, then podcast:image, then a
///   thumbnail, then an image enclosure.
/// - season, episode: podcast:season and podcast:episode are newer and more exact than the itunes elements.
/// - guid: guid in RSS and id in Atom. In the other format they are numbers of the site. If there is none, RDF's about,
///   which is meant for this, before Dublin Core's identifier, which is often another number of the publisher (a DOI).
/// - explicit, block, owner, new address: itunes, which hosts enforce, then googleplay, a copy of it.
/// - duration: itunes:duration, then elements of the same name, then the attribute of the media:content that is played.
///   Without any, a length that the notes begin or end with (`NotesLength`).
/// - language: the element, before xml:lang, which templates leave at their default.
enum FeedPrecedence {
  struct Row {
    var scopes: [FeedScope]
    var namespace: XMLNamespace
    var names: [String]
    var action: FeedAction
  }

  private static func row(
    _ scopes: FeedScope..., in namespace: XMLNamespace, _ names: String, _ field: FeedField, _ rank: UInt8
  ) -> Row {
    Row(scopes: scopes, namespace: namespace, names: split(names), action: .value(field, rank: rank))
  }

  private static func split(_ names: String) -> [String] { names.split(separator: " ").map(String.init) }

  /// Names are in lower case. Atom's and RSS's elements are interchangeable, because feeds mix up the namespaces.
  static let rows: [Row] = [
    // Title
    row(.channel, .item, in: .none, "title", .title, 0),
    row(.channel, .item, in: .atom, "title", .title, 1),
    row(.channel, .item, in: .dc, "title", .title, 2),
    row(.channel, .item, in: .itunes, "title", .title, 3),
    row(.channel, .item, in: .media, "title", .title, 4),

    // Summary
    row(.channel, .item, in: .none, "description abstract", .summary, 0),
    row(.channel, in: .atom, "subtitle tagline", .summary, 0),
    row(.channel, in: .atom, "info summary", .summary, 3),
    row(.item, in: .atom, "summary", .summary, 0),
    row(.channel, .item, in: .itunes, "summary", .summary, 1),
    row(.channel, .item, in: .googlePlay, "description", .summary, 2),
    row(.channel, .item, in: .dc, "description", .summary, 3),
    row(.channel, .item, in: .media, "description", .summary, 4),
    row(.channel, .item, in: .dcterms, "abstract description", .summary, 5),
    row(.channel, in: .content, "encoded", .summary, 6),
    row(.channel, in: .itunes, "subtitle", .summary, 7),

    // Content and subtitle of an item
    row(.item, in: .content, "encoded", .content, 0),
    row(.item, in: .xhtml, "body div", .content, 2),
    row(.item, in: .none, "body", .content, 2),
    row(.item, in: .fullItem, "fullitem", .content, 3),
    row(.item, in: .none, "fullitem", .content, 3),
    row(.item, in: .itunes, "subtitle", .subtitle, 0),
    row(.item, in: .none, "subtitle", .subtitle, 1),

    // Author
    row(.channel, .item, in: .itunes, "author", .author, 0),
    row(.channel, .item, in: .googlePlay, "author", .author, 1),
    row(.person, in: .atom, "name", .personName, 0),
    row(.channel, .item, in: .dc, "creator author", .author, 3),
    row(.channel, in: .none, "managingeditor", .author, 5),
    row(.channel, in: .none, "webmaster", .author, 6),
    row(.person, in: .atom, "email", .author, 7),

    // Dates
    row(.channel, .item, in: .none, "pubdate", .published, 0),
    row(.channel, .item, in: .atom, "published issued", .published, 1),
    row(.item, in: .dc, "date", .published, 2),
    row(.item, in: .dcterms, "issued available", .published, 2),
    row(.item, in: .dcterms, "created", .published, 3),
    row(.item, in: .atom, "created", .published, 3),
    row(.item, in: .none, "date", .published, 4),
    row(.channel, in: .dcterms, "issued created", .published, 3),
    row(.channel, .item, in: .none, "lastbuilddate", .updated, 0),
    row(.channel, .item, in: .atom, "updated modified", .updated, 1),
    row(.channel, .item, in: .dcterms, "modified", .updated, 2),
    row(.channel, in: .dc, "date", .updated, 3),

    // Values of the channel only
    row(.channel, in: .none, "language", .language, 0),
    row(.channel, in: .dc, "language", .language, 1),
    row(.channel, in: .none, "copyright", .copyright, 0),
    row(.channel, in: .atom, "rights copyright", .copyright, 0),
    row(.channel, in: .dc, "rights", .copyright, 1),
    row(.channel, in: .media, "copyright", .copyright, 2),
    row(.channel, in: .none, "generator", .generator, 0),
    row(.channel, in: .none, "ttl", .timeToLive, 0),
    row(.channel, in: .syndication, "updateperiod", .updatePeriod, 0),
    row(.channel, in: .syndication, "updatefrequency", .updatesPerPeriod, 0),
    row(.channel, in: .itunes, "type", .type, 0),
    row(.channel, in: .podcast, "guid", .guid, 0),
    row(.channel, in: .podcast, "medium", .medium, 0),
    row(.channel, in: .podcast, "locked", .locked, 0),
    row(.channel, in: .itunes, "new-feed-url new_feed_url newfeedurl", .newFeedURL, 0),
    row(.channel, in: .googlePlay, "new-feed-url", .newFeedURL, 1),
    row(.channel, in: .podcast, "newfeedurl", .newFeedURL, 2),
    row(.owner, in: .itunes, "name", .ownerName, 0),
    row(.owner, in: .itunes, "email", .ownerEmail, 0),
    row(.owner, in: .none, "name", .ownerName, 1),
    row(.owner, in: .none, "email", .ownerEmail, 1),
    row(.channel, in: .googlePlay, "email owner", .ownerEmail, 1),

    // Subjects
    row(.channel, .item, in: .itunes, "keywords", .keywords, 0),
    row(.channel, .item, in: .media, "keywords", .keywords, 0),
    row(.channel, .item, in: .none, "keywords", .keywords, 0),
    row(.channel, .item, in: .dc, "subject", .category, 0),
    row(.channel, .item, in: .dcterms, "subject", .category, 0),

    // Images given as text
    row(.image, in: .none, "url", .image, 1),
    row(.channel, in: .atom, "logo", .image, 1),
    row(.channel, .item, in: .atom, "icon", .image, 2),

    // Flags and numbers
    row(.channel, .item, in: .itunes, "explicit", .explicit, 0),
    row(.channel, .item, in: .googlePlay, "explicit", .explicit, 1),
    row(.channel, .item, in: .itunes, "block", .block, 0),
    row(.channel, .item, in: .googlePlay, "block", .block, 1),
    row(.item, in: .itunes, "duration", .duration, 0),
    row(.item, in: .none, "duration", .duration, 2),
    row(.item, in: .googlePlay, "duration", .duration, 1),
    row(.item, in: .media, "duration", .duration, 4),
    row(.item, in: .itunes, "season", .season, 1),
    row(.item, in: .itunes, "episode", .episode, 1),
    row(.item, in: .itunes, "episodetype", .episodeType, 0),
    row(.item, in: .dc, "identifier", .guid, 3),
  ]

  /// Ranks of values from attributes, which have no row above.
  enum Rank {
    static let guid: UInt8 = 0
    static let guidOfOtherFormat: UInt8 = 1
    static let rdfAbout: UInt8 = 2
    static let itunesImage: UInt8 = 0
    static let image: UInt8 = 1
    static let podcastImage: UInt8 = 2
    static let thumbnail: UInt8 = 3
    static let pictureEnclosure: UInt8 = 4
    static let podcastNumber: UInt8 = 0
    static let link: UInt8 = 0
    static let linkOfOtherType: UInt8 = 1
    static let linkFromAtomInRSS: UInt8 = 2
    static let personName: UInt8 = 2
    /// Authors in Dublin Core and RSS, who may be e-mail addresses, start here.
    static let mailAuthor: UInt8 = 3
    static let authorText: UInt8 = 4
    static let xmlLang: UInt8 = 2
    static let generatorAgent: UInt8 = 1
    static let atomContent: UInt8 = 0
  }
}

extension FeedBuilder {
  /// Sets a text of the item, or of the channel outside of items. `FeedBuilder+Values` sets what is no text.
  mutating func put(_ text: String, _ field: FeedField) {
    switch field {
    case .title: if inItem { item.title = text } else { podcast.title = text }
    case .summary: if inItem { item.summary = text } else { podcast.summary = text }
    case .link: if inItem { item.link = text } else { podcast.link = text }
    case .author: if inItem { item.author = text } else { podcast.iTunesAuthor = text }
    case .image: if inItem { item.imageURL = text } else { podcast.imageURL = text }
    case .guid: if inItem { item.guid = text } else { podcast.guid = text }
    case .content: item.contentHTML = text
    case .subtitle: item.subtitle = text
    case .language: podcast.language = text
    case .copyright: podcast.copyright = text
    case .generator: podcast.generator = text
    case .medium: podcast.medium = text
    case .newFeedURL: podcast.newFeedURL = text
    case .ownerName: podcast.ownerName = text
    case .ownerEmail: podcast.ownerEmail = text
    default: break
    }
  }
}

/// The rank that each value was set with, to decide whether a later value may replace it.
struct FeedRanks {
  private static let unset = UInt8.max
  private var ranks = [UInt8](repeating: unset, count: FeedField.allCases.count)

  /// Records the rank and returns true if it is better than the current one.
  mutating func claim(_ field: FeedField, _ rank: UInt8) -> Bool {
    let index = Int(field.rawValue)
    guard rank < ranks[index] else { return false }
    ranks[index] = rank
    return true
  }

  mutating func reset() {
    for index in ranks.indices { ranks[index] = Self.unset }
  }
}
