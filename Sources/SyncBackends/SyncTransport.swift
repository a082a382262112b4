import Foundation
import Model
import Sync

/// A request to a sync server.
public struct SyncRequest: Sendable, Equatable {
  public var method: String
  /// The path below the base address, with its query: "/api/2/…".
  public var path: String
  public var body: [UInt8]?
  public var contentType = "application/json"
  public var accept = "application/json"
  /// Without user and password.
  public var isAnonymous = false
  /// The path of a login that starts a session. It is requested if the server does not accept a password with this
  /// request.
  public var sessionPath: String?
  public var headers: [String: String] = [:]
  /// Seconds until it is given up. The first answer may contain the actions of many years.
  public var deadline = 600.0

  public init(_ method: String, _ path: String, body: [UInt8]? = nil) {
    self.method = method
    self.path = path
    self.body = body
  }
}

/// The response of a sync server, without its body.
public struct SyncAnswer: Sendable {
  public var status: Int
  /// The time of the server's clock, from its `Date` header. Seconds since 1970.
  public var date: Double?
  /// The time of this device when the response began. Seconds since 1970.
  public var received: Double

  public init(status: Int, date: Double?, received: Double) {
    self.status = status
    self.date = date
    self.received = received
  }

  /// The time of the server's clock or of this device's, whichever is later. Seconds since 1970.
  var time: Double { max(date ?? 0, received) }

  /// Seconds by which the server's clock is ahead. `date` is rounded down to a second, so half a second is added.
  public var clockOffset: Double? { date.map { $0 + 0.5 - received } }
}

/// Sends requests to one server. Tests replace it by a model of a server.
public protocol SyncTransport: Sendable {
  /// The server's name for messages.
  var server: String { get }
  /// Throws if there is no response, or if the server asks for a pause. Other statuses are returned.
  /// - Parameter body: gets the body of a success (2xx) while it arrives.
  func send(_ request: SyncRequest, to body: some SyncBody) async throws(SyncError) -> SyncAnswer
}

/// Receives the body of a response. Called by the transport until its answer is returned.
public protocol SyncBody: AnyObject, Sendable {
  /// A response begins. Called again if the response broke off and is replaced by another; then the earlier bytes must
  /// be dropped.
  /// - Parameter time: of the server's clock, in seconds since 1970; nil if unknown.
  func begin(at time: Double?)
  func add(_ bytes: UnsafeRawBufferPointer)
}

extension SyncTransport {
  /// The whole body of a response, at most 16 MB.
  func bytes(_ request: SyncRequest) async throws(SyncError) -> (SyncAnswer, [UInt8]) {
    let body = CollectedBody()
    let answer = try await send(request, to: body)
    guard !body.isTooLarge else { throw .malformed(server: server, cause: "it is larger than 16 MB") }
    return (answer, body.bytes)
  }

  func json(_ request: SyncRequest) async throws(SyncError) -> (SyncAnswer, JSONValue) {
    let (answer, bytes) = try await bytes(request)
    if let error = error(answer) { throw error }
    guard let value = JSONValue(bytes) else { throw .malformed(server: server, cause: "it is not JSON") }
    return (answer, value)
  }

  /// Sends values. The status alone says whether the server has taken them, because some servers answer with an empty
  /// body or a word. A web page is no success: it comes from a network that asks for a login.
  /// - Returns: the answer's JSON; an empty object if it has none.
  func upload(_ request: SyncRequest) async throws(SyncError) -> (SyncAnswer, JSONValue) {
    let (answer, bytes) = try await bytes(request)
    if let error = error(answer) { throw error }
    if let value = JSONValue(bytes) { return (answer, value) }
    let start = bytes.first { !" \t\r\n".utf8.contains($0) }
    guard start.map({ !"<{[".utf8.contains($0) }) ?? true else {
      throw .malformed(server: server, cause: "it is not JSON")
    }
    return (answer, .object([:]))
  }

  /// The error of a status; nil for a success.
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

/// Keeps the body of a response in memory.
///
/// `@unchecked`, because the transport writes it before its answer is returned, and it is read after that.
public final class CollectedBody: SyncBody, @unchecked Sendable {
  /// Empty if the body is larger than the limit.
  public private(set) var bytes: [UInt8] = []
  public private(set) var isTooLarge = false
  private let limit: Int

  /// - Parameter limit: bytes.
  public init(limit: Int = 16_000_000) { self.limit = limit }

  public func begin(at time: Double?) { (bytes, isTooLarge) = ([], false) }

  public func add(_ more: UnsafeRawBufferPointer) {
    guard !isTooLarge, bytes.count + more.count <= limit else {
      (bytes, isTooLarge) = ([], true)
      return
    }
    bytes.append(contentsOf: more)
  }
}
