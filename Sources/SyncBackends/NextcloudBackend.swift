import Foundation
import Model
import Sync

/// Nextcloud with the app gPodder Sync. The app stores one `play` of each episode. The last one that it receives
/// replaces the others, even if it is older. So everything is pulled and merged before anything is pushed, and a value
/// that was overwritten with an older one is sent again. Source: https://github.com/thrillfall/nextcloud-gpodder
public struct NextcloudBackend: AccountBackend {
  public static let kind = "nextcloud"
  public static let login = BackendLogin.browser
  public static let traits = SyncTraits(
    timeResolution: 1, storesSubscriptionTimes: false, categories: [.subscriptions, .episodes], batch: 300,
    mayLoseValues: true)

  private let transport: any SyncTransport
  static let path = "/index.php/apps/gpoddersync"

  public init(transport: any SyncTransport) { self.transport = transport }

  public init(_ account: BackendAccount, connect: () throws(SyncError) -> any SyncTransport) throws(SyncError) {
    self.init(transport: try connect())
  }

  public static func isServer(_ transport: some SyncTransport) async throws(SyncError) -> Bool {
    if try await transport.anonymousStatus("GET", path + "/subscriptions?since=0") == 401 { return true }
    return try await NextcloudLogin.isOffered(by: transport)
  }

  public func pull(_ category: SyncCategory, since cursor: String?) async throws(SyncError) -> SyncPull {
    switch category {
    case .subscriptions: return try await pullSubscriptions(since: cursor)
    case .episodes: return try await pullEpisodes(since: cursor)
    case .collections: return SyncPull()
    }
  }

  public func push(_ batch: SyncBatch) async throws(SyncError) -> SyncReceipt {
    if !batch.subscriptions.isEmpty {
      _ = try await transport.upload(
        SyncRequest(
          "POST", Self.path + "/subscription_change/create", body: SubscriptionAnswer.body(batch.subscriptions)))
    }
    let actions = batch.episodes.flatMap { GPodderAction.actions(for: $0, device: nil, playsOnly: true) }
    if !actions.isEmpty {
      let body = JSONValue.array(actions.map(\.json))
      _ = try await transport.upload(
        SyncRequest("POST", Self.path + "/episode_action/create", body: body.bytes))
    }
    return SyncReceipt()
  }

  /// A Nextcloud answers 404 if it does not have the app.
  private func error(_ answer: SyncAnswer) -> SyncError? {
    guard answer.status == 404 else { return transport.error(answer) }
    return .refused(server: transport.server, cause: "the app “gPodder Sync” is not installed there")
  }

  /// Checks user and password. The app has no call for that.
  public func login() async throws(SyncError) {
    _ = try await pullSubscriptions(since: String(Int(Date().timeIntervalSince1970)))
  }

  public func logOut() async throws(SyncError) { try await NextcloudLogin.revoke(transport) }

  public func software() async -> ServerSoftware? { await ServerSoftware.cloud(transport) }

  private func pullSubscriptions(since cursor: String?) async throws(SyncError) -> SyncPull {
    // The app leaves out changes in the same second as `since`, so the second before is requested, too.
    let since = cursor.flatMap { Int($0) }.map { max(0, $0 - 1) } ?? 0
    let (answer, bytes) = try await transport.bytes(SyncRequest("GET", Self.path + "/subscriptions?since=\(since)"))
    if let error = error(answer) { throw error }
    return try SubscriptionAnswer.pull(bytes, answer, old: cursor, server: transport.server)
  }

  private func pullEpisodes(since cursor: String?) async throws(SyncError) -> SyncPull {
    let since = cursor.flatMap { Int($0) }.map { max(0, $0 - GPodderBackend.overlap) } ?? 0
    let stream = ActionStream()
    let request = SyncRequest("GET", Self.path + "/episode_action?since=\(since)")
    let answer = try await transport.send(request, to: stream)
    if let error = error(answer) { throw error }
    let page = try stream.page(from: transport.server)
    var pull = SyncPull()
    pull.episodes = stream.reducer.result
    pull.cursor = SyncTime.cursor(page["timestamp"], until: answer).map { String($0) } ?? cursor
    pull.clockOffset = answer.clockOffset
    return pull
  }
}
