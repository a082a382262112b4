/// Finds the file behind a web page, such as the sound of a video. It is asked for requests that want the file
/// (`HTTPRequest.isPage`).
public protocol PageResolver: Sendable {
  /// Does not block.
  /// - Parameters:
  ///   - refused: an address that was found before and that its server refuses now. Nil: any known address will do.
  ///   - completion: called once, on any thread.
  func resolve(
    _ page: WebAddress, refused: WebAddress?, completion: @escaping @Sendable (Result<PageFile, HTTPError>) -> Void)
}

/// The file behind a page.
public struct PageFile: Sendable, Equatable {
  /// Usually valid for some hours, and for one client.
  public var address: WebAddress
  /// What the server wants to be told with a request.
  public var headers: [String: String]

  public init(address: WebAddress, headers: [String: String] = [:]) {
    self.address = address
    self.headers = headers
  }
}

/// Why there is no file behind a page.
public struct PageFailure: Error, Sendable, Equatable {
  /// For the listener. Texts of others in it are clean.
  public var reason: String
  /// The network is the cause, so another attempt may succeed.
  public var isConnectivity: Bool

  public init(_ reason: String, isConnectivity: Bool = false) {
    self.reason = reason
    self.isConnectivity = isConnectivity
  }
}
