import Foundation
import Model

/// Why a sync failed. The text names the server and the cause, never a password.
public enum SyncError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The server could not be reached, or the connection broke.
  case unreachable(server: String, cause: String)
  /// The user name or the password is wrong, or is no longer valid.
  case unauthorized(server: String)
  /// The server allows no requests before `until`.
  case rateLimited(server: String, until: Date)
  /// The server refused the request.
  case refused(server: String, cause: String)
  /// The server failed with an error of its own (500). One of the values may have caused it.
  case fault(server: String, cause: String)
  /// One of the values is invalid (400, 422). The others can be sent without it.
  case badValue(server: String, cause: String)
  /// The response cannot be parsed.
  case malformed(server: String, cause: String)
  /// A file of the sync folder could not be read or written.
  case file(path: String, cause: String)
  /// The sync folder could not be created.
  case cannotCreate(path: String, cause: String)
  /// The library could not be read or written.
  case library(String)
  /// The configuration is incomplete or wrong.
  case setup(String)
  case cancelled

  public var description: String {
    switch self {
    case .unreachable(let server, let cause): "\(server) cannot be reached: \(cause)"
    case .unauthorized(let server):
      "\(server) does not accept the user name and password; enter them with “earshot sync login”"
    case .rateLimited(let server, let until):
      "\(server) accepts no requests until \(MinuteText.text(until))"
    case .refused(let server, let cause), .fault(let server, let cause): "\(server) refuses: \(cause)"
    case .badValue(let server, let cause): "\(server) does not accept a value: \(cause)"
    case .malformed(let server, let cause): "\(server) sent an invalid answer: \(cause)"
    case .file(let path, let cause), .cannotCreate(let path, let cause): "\(path): \(cause)"
    case .library(let cause): cause
    case .setup(let cause): cause
    case .cancelled: "the sync was cancelled"
    }
  }

  /// Whether the server has answered, and may answer other requests. A wrong password concerns all of them.
  public var isAboutOneAnswer: Bool {
    switch self {
    case .refused, .fault, .badValue, .malformed: true
    default: false
    }
  }

  /// Whether the same request may succeed a moment later.
  var mayPass: Bool { if case .fault = self { true } else { false } }

  /// Whether a smaller batch might be accepted.
  var mayBeCausedByOneValue: Bool {
    switch self {
    case .badValue, .fault: true
    default: false
    }
  }
}
