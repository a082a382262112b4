/// Who fetches what mpv plays, in its place: mpv then asks only this machine.
public protocol StreamSource: Sendable {
  /// Where mpv finds what is at this http or https address; nil: there.
  func address(for address: String) -> String?
  /// Why nothing came from the address the last time; nil when something did.
  func trouble(with address: String) -> StreamTrouble?
}

/// Why nothing comes from a server.
public enum StreamTrouble: Equatable, Sendable {
  case unknownHost(String)
  /// Words for people.
  case unreachable(String)
  case insecure(String)
  /// It answers with this status. FFmpeg says nothing of some, such as 401.
  case refused(status: Int)
}

extension PlaybackError {
  init(_ trouble: StreamTrouble) {
    self =
      switch trouble {
      case .unknownHost(let host): .unknownHost(host)
      case .unreachable(let why): .unreachable(why)
      case .insecure(let why): .insecure(why)
      case .refused(let status): .httpStatus(status, "")
      }
  }
}
