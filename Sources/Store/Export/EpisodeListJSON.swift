import Foundation
import GRDB
import GRDBSQLite
import Model

/// Episodes as verbs print them, converted from columns to JSON without intermediate values. Keys, values and their
/// order are those of `EpisodeJSON` (TUIApp); a test compares the two.
extension Library {
  /// The JSON of these episodes as elements of an array, separated by commas, without the brackets. Episodes that no
  /// longer exist are left out.
  /// - Parameter showsSecrets: prints passwords and keys in addresses.
  public func listJSON(
    of ids: some Sequence<EpisodeID>, showsSecrets: Bool
  ) throws(StoreError) -> [UInt8] {
    try read { db in
      let statement = try RawStatement(db, EpisodeListJSON.sql)
      var list = EpisodeListJSON(db, showsSecrets: showsSecrets)
      for id in ids { try statement.first(id.rawValue) { try list.add($0) } }
      return list.json.bytes
    }
  }
}

private struct EpisodeListJSON {
  private enum Column: Int32 {
    case id, podcastID, podcast, title, pubDate, duration, status, position, downloadComplete, queued, isGone
    case guid, mediaURL, mediaType, mediaBytes, season, episodeNumber, statusUpdated, positionUpdated
    case link, imageURL, extras, summary, contentHTML, fileName, hasTags
  }

  static let sql = """
    SELECT e.id, e.podcastID, p.title, e.title, e.pubDate, coalesce(e.measuredDuration, e.duration), e.status, e.position,
      EXISTS (SELECT 1 FROM download WHERE episodeID = e.id AND downloadComplete),
      EXISTS (SELECT 1 FROM queue WHERE episodeID = e.id), e.isGone,
      e.guid, e.mediaURL, e.mediaType, e.mediaBytes, e.season, e.episodeNumber, e.statusUpdated, e.positionUpdated,
      c.link, coalesce(c.imageURL, pc.imageURLOverride, pc.itunesImageURL, pc.imageURL), c.extras,
      plain(c.summary), plain(c.contentHTML), iif(d.downloadComplete, d.fileName, NULL),
      EXISTS (SELECT 1 FROM episodeTag WHERE episodeID = e.id)
    FROM episode e JOIN podcast p ON p.id = e.podcastID
    LEFT JOIN episodeContent c ON c.episodeID = e.id
    LEFT JOIN podcastContent pc ON pc.podcastID = e.podcastID
    LEFT JOIN download d ON d.episodeID = e.id
    WHERE e.id = ?
    """

  private let db: Database
  var json: JSONBytes

  init(_ db: Database, showsSecrets: Bool) {
    self.db = db
    json = JSONBytes(showsSecrets: showsSecrets, depth: 1)
  }

  // MARK: One episode

  mutating func add(_ row: RawStatement.Columns) throws {
    let stored = row.bytes(Column.extras.rawValue).flatMap { StoredObject($0) }
    let extras = stored.flatMap { EpisodeListJSON.isReadable($0) ? $0 : nil }
    json.element()
    json.open("{")
    try fieldsToGuid(row, extras)
    try fieldsToPodcast(row, extras)
    try fieldsToStatus(row, extras)
    try fieldsToEnd(row, extras)
    json.close("}")
  }

  private mutating func fieldsToGuid(_ row: RawStatement.Columns, _ extras: StoredObject?) throws {
    extra("alternateEnclosures", extras)
    extra("author", extras)
    extra("block", extras)
    extra("categories", extras)
    extra("chapters", extras)
    extra("chaptersURL", extras)
    notes = text("contentHTML", row, .contentHTML)
    flag("downloadComplete", row, .downloadComplete)
    number("duration", row, .duration)
    if extras?.field("enclosures") == nil { impliedEnclosure(row) } else { extra("enclosures", extras) }
    extra("episodeDisplay", extras)
    integer("episodeNumber", row, .episodeNumber)
    extra("episodeType", extras)
    extra("explicit", extras)
    _ = text("fileName", row, .fileName)
    extra("funding", extras)
    flag("goneFromFeed", row, .isGone)
    _ = text("guid", row, .guid)
  }

  private mutating func fieldsToPodcast(_ row: RawStatement.Columns, _ extras: StoredObject?) throws {
    integer("id", row, .id)
    _ = text("imageURL", row, .imageURL)
    _ = text("link", row, .link)
    integer("mediaBytes", row, .mediaBytes)
    _ = text("mediaType", row, .mediaType)
    _ = text("mediaURL", row, .mediaURL)
    extra("paymentURL", extras)
    extra("persons", extras)
    number("playbackPosition", row, .position)
    _ = text("podcast", row, .podcast)
    integer("podcastID", row, .podcastID)
  }

  private mutating func fieldsToStatus(_ row: RawStatement.Columns, _ extras: StoredObject?) throws {
    date("positionUpdated", row, .positionUpdated)
    date("pubDate", row, .pubDate)
    flag("queued", row, .queued)
    integer("season", row, .season)
    extra("seasonName", extras)
    extra("soundbites", extras)
    json.key("status")
    json.text(try EpisodeStatus(code: Int(row.integer(Column.status.rawValue))).rawValue)
    date("statusUpdated", row, .statusUpdated)
    extra("subtitle", extras)
  }

  private mutating func fieldsToEnd(_ row: RawStatement.Columns, _ extras: StoredObject?) throws {
    summary(row, extras)
    json.key("tags")
    json.open("[")
    if row.integer(Column.hasTags.rawValue) != 0 {
      for tag in try TagTable.episode.tags(db, of: row.integer(Column.id.rawValue)) {
        json.element()
        json.text(tag)
      }
    }
    json.close("]")
    extra("texts", extras)
    if text("title", row, .title) == nil {
      json.key("title")
      json.text("Untitled")
    }
    extra("transcripts", extras)
    if let extras, let seconds = extras.field("updated").flatMap(extras.number) {
      json.key("updated")
      json.date(seconds)
    }
    if let extras, let value = extras.field("value") {
      var reader = StoredReader(bytes: UnsafeBufferPointer(rebasing: extras.bytes[value.value]))
      if let first = reader.elements()?.first {
        json.key("value")
        extras.write(value.value.lowerBound + first.lowerBound..<value.value.lowerBound + first.upperBound, to: &json)
      }
    }
  }

  // MARK: Fields

  /// The range of the JSON text of contentHTML, because the summary is mostly the same.
  private var notes: Range<Int>?

  private mutating func summary(_ row: RawStatement.Columns, _ extras: StoredObject?) {
    if let notes {
      json.key("summary")
      json.again(notes)
    } else if text("summary", row, .summary) == nil, let extras, let subtitle = extras.field("subtitle") {
      json.key("summary")
      extras.write(subtitle.value, to: &json)
    }
  }

  /// - Returns: the range of the text in the JSON. Nil if there is none.
  private mutating func text(_ name: StaticString, _ row: RawStatement.Columns, _ column: Column) -> Range<Int>? {
    guard let bytes = row.bytes(column.rawValue) else { return nil }
    json.key(name)
    let start = json.bytes.count
    json.text(bytes)
    return start..<json.bytes.count
  }

  private mutating func integer(_ name: StaticString, _ row: RawStatement.Columns, _ column: Column) {
    guard !row.isNull(column.rawValue) else { return }
    json.key(name)
    json.value(row.integer(column.rawValue))
  }

  private mutating func number(_ name: StaticString, _ row: RawStatement.Columns, _ column: Column) {
    guard !row.isNull(column.rawValue) else { return }
    json.key(name)
    json.value(row.number(column.rawValue))
  }

  private mutating func date(_ name: StaticString, _ row: RawStatement.Columns, _ column: Column) {
    guard !row.isNull(column.rawValue) else { return }
    json.key(name)
    json.date(row.number(column.rawValue))
  }

  private mutating func flag(_ name: StaticString, _ row: RawStatement.Columns, _ column: Column) {
    json.key(name)
    json.value(row.integer(column.rawValue) != 0)
  }

  private mutating func extra(_ name: StaticString, _ extras: StoredObject?) {
    guard let extras, let field = extras.field(name), field.kind != .null else { return }
    if field.kind == .array {
      var reader = StoredReader(bytes: UnsafeBufferPointer(rebasing: extras.bytes[field.value]))
      guard let elements = reader.elements(), !elements.isEmpty else { return }
    }
    json.key(name)
    extras.write(field.value, to: &json)
  }

  /// The enclosure of an episode that has only its media.
  private mutating func impliedEnclosure(_ row: RawStatement.Columns) {
    guard !row.isNull(Column.mediaURL.rawValue) else { return }
    json.key("enclosures")
    json.open("[")
    json.element()
    json.open("{")
    integer("bytes", row, .mediaBytes)
    _ = text("type", row, .mediaType)
    _ = text("url", row, .mediaURL)
    json.close("}")
    json.close("]")
  }

  /// Whether the fields have the types of `EpisodeExtras`. Otherwise the extras cannot be decoded, and only the
  /// columns are printed.
  private static func isReadable(_ extras: StoredObject) -> Bool {
    let texts: [StaticString] = [
      "author", "chaptersURL", "episodeDisplay", "episodeType", "paymentURL", "seasonName", "subtitle",
    ]
    let lists: [StaticString] = [
      "alternateEnclosures", "categories", "chapters", "enclosures", "funding", "persons", "soundbites", "texts",
      "transcripts", "value",
    ]
    func areAll(_ names: [StaticString], _ kind: StoredObject.Kind) -> Bool {
      names.allSatisfy { name in extras.field(name).map { $0.kind == kind || $0.kind == .null } ?? true }
    }
    return areAll(texts, .text) && areAll(lists, .array) && areAll(["block", "explicit"], .flag)
      && areAll(["updated"], .number)
  }
}
