import Foundation
import Model

/// Why a player cannot be controlled from outside.
public enum DesktopError: Error, Sendable, Equatable, CustomStringConvertible {
  /// No player is running.
  case noPlayer
  case noPlayerWithID(Int32)
  /// The directory of the sockets belongs to another user, or others may write to it.
  case unsafeDirectory(String)
  case cannotListen(String, reason: String)
  /// The player with this process id ended, or did not answer in time.
  case noAnswer(Int32)
  /// The player with this process id has ended the connection of a watcher that did not read its events.
  case cutOff(Int32)
  /// The player refused the command, for this reason.
  case refused(String)
  /// A line of text for the status cannot be used, for this reason.
  case badFormat(String)
  /// A command with more bytes than a player reads.
  case tooLong

  public var description: String {
    switch self {
    case .noPlayer: "no Earshot is playing"
    case .noPlayerWithID(let id): "no Earshot with the process id \(id)"
    case .unsafeDirectory(let path): "\(path) must be a directory of yours that nobody else can enter"
    case .cannotListen(let path, let reason): "the control socket \(path) cannot be made: \(reason)"
    case .noAnswer(let id): "the Earshot with the process id \(id) does not answer"
    case .cutOff(let id): "the Earshot with the process id \(id) runs, but its events were not read in time"
    case .refused(let reason), .badFormat(let reason): reason
    case .tooLong: "the command is too long: at most \(ControlServer.maxLineBytes) bytes are read"
    }
  }
}
