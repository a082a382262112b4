import Model
import Sync

/// Compares the JSON of a register with that of the tables. Two devices write the same thing differently. If that
/// counted as a change of now, each would write its own form again at every sync, and would overwrite later actions.
enum RegisterText {
  /// The names of the members that this version writes. Others are from a newer one.
  private static let names: Set<String> = [
    "action", "clip", "created", "end", "filter", "guid", "id", "image", "kind", "media", "name", "note", "on", "order",
    "place", "podcast", "settings", "share", "slug", "source", "start", "tag", "tags", "title", "url", "user",
  ]

  /// The value to store after the listener has changed what the tables have, with the members of a newer version.
  /// - Returns: nil if nothing has changed: the values differ only in members of a newer version, in the spelling of
  ///   the feed's address, or in the media address, which changes at each fetch of some feeds. If the episode has no
  ///   guid, only the query may differ.
  static func changed(_ stored: String?, to current: String) -> String? {
    guard stored != current else { return nil }
    guard let stored, case .object(let old)? = JSONValue(stored), case .object(let new)? = JSONValue(current) else {
      return current
    }
    var comparable = ownMembers(of: old)
    if old["podcast"]?.string.map(AddressKey.feed) == new["podcast"]?.string.map(AddressKey.feed) {
      comparable["podcast"] = new["podcast"]
    }
    func file(_ value: [String: JSONValue]) -> String? {
      value["media"]?.string.map { AddressKey.decoded($0, withQuery: false) }
    }
    if new["guid"] == old["guid"], new["guid"] != nil || file(new) == file(old) { comparable["media"] = new["media"] }
    guard comparable != new else { return nil }
    return JSONValue.object(addingUnknown(of: old, to: new)).text
  }

  /// Whether a value names an episode by its media address only. The members are sorted (`JSONValue.text`), so a guid
  /// would be the first one. This is asked of all registers after each change of a list.
  static func hasNoGUID(_ value: String) -> Bool { value.hasPrefix(#"{"media":"#) }

  /// The members that this version writes, without those that say nothing.
  private static func ownMembers(of value: [String: JSONValue]) -> [String: JSONValue] {
    var result = value.filter { names.contains($0.key) && $0.value != .null && $0.value != .array([]) }
    if case .object(let settings)? = result["settings"] {
      result["settings"] = .object(settings.filter { CollectionReader.sharedSettings.contains($0.key) })
    }
    return result
  }

  private static func addingUnknown(
    of old: [String: JSONValue], to new: [String: JSONValue]
  ) -> [String: JSONValue] {
    var result = new.merging(old.filter { !names.contains($0.key) }) { mine, _ in mine }
    if case .object(let before)? = old["settings"], case .object(let settings)? = new["settings"] {
      let unknown = before.filter { !CollectionReader.sharedSettings.contains($0.key) }
      result["settings"] = .object(settings.merging(unknown) { mine, _ in mine })
    }
    return result
  }
}
