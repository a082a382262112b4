/// Who fetches what mpv plays, in its place: mpv then asks only this machine.
public protocol StreamSource: Sendable {
  /// Where mpv finds what is at this http or https address; nil: there.
  func address(for address: String) -> String?
  /// Why the server of the address could not be reached the last time; nil when it was.
  func trouble(with address: String) -> StreamTrouble?
}

/// Why a server could not be reached.
public enum StreamTrouble: Equatable, Sendable {
  case unknownHost(String)
  /// Words for people.
  case unreachable(String)
  case insecure(String)
}

extension PlaybackError {
  init(_ trouble: StreamTrouble) {
    self =
      switch trouble {
      case .unknownHost(let host): .unknownHost(host)
      case .unreachable(let why): .unreachable(why)
      case .insecure(let why): .insecure(why)
      }
  }
}
