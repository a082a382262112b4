import Foundation
import Sync

/// One request to a sync server, below its base address.
public struct SyncRequest: Sendable, Equatable {
  public var method: String
  /// Below the base address, with its query: "/api/2/…".
  public var path: String
  public var body: [UInt8]?
  public var contentType = "application/json"
  /// Without a user name and password.
  public var isAnonymous = false
  /// Where a server that does not take a password with this request gives a session for one.
  public var sessionPath: String?
  public var headers: [String: String] = [:]

  public init(_ method: String, _ path: String, body: [UInt8]? = nil) {
    self.method = method
    self.path = path
    self.body = body
  }
}

public struct SyncAnswer: Sendable {
  public var status: Int
  /// Of the server's clock, from its `Date` header. Seconds since 1970.
  public var date: Double?
  /// Seconds since 1970, on this device, when the answer began.
  public var received: Double

  public init(status: Int, date: Double?, received: Double) {
    self.status = status
    self.date = date
    self.received = received
  }

  /// The time on the server's clock or on this device's, whichever is ahead. Seconds since 1970.
  var time: Double { max(date ?? 0, received) }

  /// Seconds that the server's clock is ahead. `date` has whole seconds, cut off: the middle is the best guess.
  public var clockOffset: Double? { date.map { $0 + 0.5 - received } }
}

/// Carries requests to one server. Tests put a server's model in its place.
public protocol SyncTransport: Sendable {
  /// The server, for messages.
  var server: String { get }
  /// Throws when there is no answer, or the server wants to be left alone; any other status is returned.
  /// - Parameter body: gets the body of a success (2xx) as it arrives.
  func send(_ request: SyncRequest, to body: some SyncBody) async throws(SyncError) -> SyncAnswer
}

/// Takes the body of an answer. Called by the transport until its answer is returned.
public protocol SyncBody: AnyObject, Sendable {
  /// An answer begins. Called again when one broke off and another comes in its place: what came before is void.
  /// - Parameter time: on the server's clock, in seconds since 1970; nil when it does not say.
  func begin(at time: Double?)
  func add(_ bytes: UnsafeRawBufferPointer)
}

extension SyncTransport {
  /// The whole body of an answer. At most 16 MB.
  func bytes(_ request: SyncRequest) async throws(SyncError) -> (SyncAnswer, [UInt8]) {
    let body = Collected()
    let answer = try await send(request, to: body)
    guard !body.isTooLarge else { throw .malformed(server: server, cause: "it is larger than 16 MB") }
    return (answer, body.bytes)
  }

  func json(_ request: SyncRequest) async throws(SyncError) -> (SyncAnswer, JSONValue) {
    let (answer, bytes) = try await bytes(request)
    if let error = error(answer) { throw error }
    guard let value = JSONValue(bytes) else { throw .malformed(server: server, cause: "it is no JSON") }
    return (answer, value)
  }

  /// What a status that is no success means; nil for a success.
  func error(_ answer: SyncAnswer) -> SyncError? {
    switch answer.status {
    case 200..<300: nil
    case 401: .unauthorized(server: server)
    case 400, 413, 422: .badValue(server: server, cause: "status \(answer.status)")
    case 500: .fault(server: server, cause: "status 500")
    default: .refused(server: server, cause: "status \(answer.status)")
    }
  }
}

/// Bytes that arrive on another thread.
///
/// `@unchecked`: written by the transport before its answer is returned, read after that.
final class Collected: SyncBody, @unchecked Sendable {
  private(set) var bytes: [UInt8] = []
  private(set) var isTooLarge = false
  private static let limit = 16_000_000

  func begin(at time: Double?) { (bytes, isTooLarge) = ([], false) }

  func add(_ more: UnsafeRawBufferPointer) {
    guard bytes.count + more.count <= Self.limit else { return isTooLarge = true }
    bytes.append(contentsOf: more)
  }
}
