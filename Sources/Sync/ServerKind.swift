/// The kind of a sync back end. The raw value is stored with the account. `BackendTable.swift` (SyncBackends) has the
/// type of each.
public enum ServerKind: String, Sendable, CaseIterable {
  case gpodder, nextcloud, folder

  /// Whether it stores the exact time of each value: see `SyncTraits.storesSubscriptionTimes`.
  public var storesTimes: Bool {
    switch self {
    case .folder: true
    case .gpodder, .nextcloud: false
    }
  }
}
