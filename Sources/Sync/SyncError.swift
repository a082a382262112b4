import Foundation

/// Why a sync did not succeed. Its text names the server and the cause, and never a password.
public enum SyncError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The server was not reached, or the line broke.
  case unreachable(server: String, cause: String)
  /// The user name or the password is wrong, or is no longer valid.
  case unauthorized(server: String)
  /// The server wants to be left alone until then.
  case rateLimited(server: String, until: Date)
  /// It answered with a refusal.
  case refused(server: String, cause: String)
  /// It answered with an error of its own (500), which one of the values may have caused.
  case fault(server: String, cause: String)
  /// One of the values is bad (400, 422): without it the others are taken.
  case badValue(server: String, cause: String)
  /// An answer that cannot be read.
  case malformed(server: String, cause: String)
  /// A file of a folder could not be read or written.
  case file(path: String, cause: String)
  /// The library could not be read or written.
  case library(String)
  /// Not set up as it must be.
  case setup(String)
  case cancelled

  public var description: String {
    switch self {
    case .unreachable(let server, let cause): "\(server) cannot be reached: \(cause)"
    case .unauthorized(let server):
      "\(server) does not accept the user name and password; “earshot sync login” sets them anew"
    case .rateLimited(let server, let until):
      "\(server) asks to be left alone until \(until.formatted(date: .omitted, time: .shortened))"
    case .refused(let server, let cause), .fault(let server, let cause): "\(server) refuses: \(cause)"
    case .badValue(let server, let cause): "\(server) does not take a value: \(cause)"
    case .malformed(let server, let cause): "\(server) sent an answer that cannot be read: \(cause)"
    case .file(let path, let cause): "\(path): \(cause)"
    case .library(let cause): cause
    case .setup(let cause): cause
    case .cancelled: "the sync was called off"
    }
  }

  /// Whether trying again later by itself makes sense.
  public var mayPass: Bool {
    switch self {
    case .unreachable, .rateLimited, .refused, .fault, .malformed, .file, .cancelled, .library: true
    case .unauthorized, .badValue, .setup: false
    }
  }

  /// Whether less may be taken where all of it was not.
  var mayBeOneValue: Bool {
    switch self {
    case .badValue, .fault: true
    default: false
    }
  }
}
