import Model
import Sync

/// Compares the JSON of a register with that of the tables. Two devices write the same thing differently. If that
/// counted as a change of now, each would write its own form again at every sync, and would overwrite later actions.
enum RegisterText {
  /// The members that this version writes. Others are from a newer one.
  private static let known: Set<String> = [
    "action", "clip", "created", "end", "filter", "guid", "id", "image", "kind", "media", "name", "note", "on", "order",
    "place", "podcast", "settings", "share", "slug", "source", "start", "tag", "tags", "title", "url", "user",
  ]

  /// The value to store after the listener has changed what the tables have, with the members of a newer version.
  /// - Returns: nil if nothing has changed: the values differ only in members of a newer version, in the spelling of
  ///   the feed's address, or in the media address of an episode that has a guid, which changes at each fetch of some
  ///   feeds.
  static func changed(_ stored: String?, to current: String) -> String? {
    guard stored != current else { return nil }
    guard let stored, case .object(let old)? = JSONValue(stored), case .object(let new)? = JSONValue(current) else {
      return current
    }
    var comparable = old.filter { known.contains($0.key) }
    let unknown = old.filter { !known.contains($0.key) }
    if old["podcast"]?.string.map(AddressKey.feed) == new["podcast"]?.string.map(AddressKey.feed) {
      comparable["podcast"] = new["podcast"]
    }
    if let guid = new["guid"], guid == old["guid"] { comparable["media"] = new["media"] }
    guard comparable != new else { return nil }
    return unknown.isEmpty ? current : JSONValue.object(new.merging(unknown) { mine, _ in mine }).text
  }
}
