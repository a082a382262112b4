import Foundation

extension LoopbackServer {
  /// The server's reaction to a request: an answer, or a kind of misbehaviour.
  public struct Response: Sendable {
    public enum Body: Sendable {
      case bytes([UInt8])
      /// `block` repeated until `count` bytes are sent, for large bodies without much memory.
      case repeating([UInt8], count: Int)

      public var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .repeating(_, let count): count
        }
      }
    }

    public enum Framing: Sendable {
      case contentLength
      case chunked
      /// No length: closing the connection ends the body.
      case untilClose
    }

    /// Sends the body in pieces of `bytes`, `milliseconds` apart.
    public struct Pace: Sendable {
      public var bytes: Int
      public var milliseconds: Int
      public init(bytes: Int, milliseconds: Int) {
        self.bytes = bytes
        self.milliseconds = milliseconds
      }
    }

    enum Manner: Sendable {
      case answer
      case silence
      case raw([UInt8], closes: Bool)
    }

    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: Body
    public var framing: Framing = .contentLength
    public var pace: Pace?
    /// Called once after that many bytes of the body, before the next one is sent. May block.
    var hold: (bytes: Int, body: @Sendable () -> Void)?
    /// Closes the connection after that many bytes of the body, although the head promised more.
    public var cutAfter: Int?
    /// Delay before the head.
    public var delayMilliseconds = 0
    /// Closes the connection after the answer, and announces it in a header.
    public var closes = false
    var manner: Manner = .answer

    public init(status: Int = 200, headers: [(name: String, value: String)] = [], body: Body = .bytes([])) {
      self.status = status
      self.headers = headers
      self.body = body
    }

    // MARK: Answers

    public static func status(
      _ status: Int, headers: [(name: String, value: String)] = [], text: String = ""
    )
      -> Response
    { Response(status: status, headers: headers, body: .bytes([UInt8](text.utf8))) }

    public static func text(_ text: String, type: String = "text/plain; charset=utf-8") -> Response {
      .bytes([UInt8](text.utf8), type: type)
    }

    public static func bytes(_ bytes: [UInt8], type: String = "application/octet-stream") -> Response {
      Response(headers: [("Content-Type", type)], body: .bytes(bytes))
    }

    public static func zeros(_ count: Int, type: String = "application/octet-stream") -> Response {
      Response(
        headers: [("Content-Type", type)], body: .repeating([UInt8](repeating: 0, count: 64 * 1024), count: count))
    }

    /// A body that is already compressed.
    public static func gzip(_ compressed: [UInt8], type: String) -> Response {
      Response(headers: [("Content-Type", type), ("Content-Encoding", "gzip")], body: .bytes(compressed))
    }

    /// `location` may be relative, and of any scheme.
    public static func redirect(_ status: Int, to location: String) -> Response {
      Response(status: status, headers: [("Location", location)])
    }

    public static func unauthorized(realm: String = "test") -> Response {
      Response(status: 401, headers: [("WWW-Authenticate", "Basic realm=\"\(realm)\"")])
    }

    // MARK: Misbehaviour

    /// Reads the request and sends nothing until the client closes.
    public static var never: Response {
      var response = Response()
      response.manner = .silence
      return response
    }

    /// Sends exactly these bytes instead of head and body, then closes or leaves the connection open.
    public static func raw(_ bytes: [UInt8], closes: Bool = true) -> Response {
      var response = Response()
      response.manner = .raw(bytes, closes: closes)
      return response
    }

    /// An endless head: a status line, then headers for as long as the client reads.
    public static var endlessHead: Response {
      var response = Response(body: .repeating([UInt8]("X-More: of the same\r\n".utf8), count: .max))
      response.manner = .raw([UInt8]("HTTP/1.1 200 OK\r\n".utf8), closes: true)
      return response
    }

    // MARK: Modifiers

    public func chunked() -> Response { with { $0.framing = .chunked } }
    public func untilClose() -> Response { with { $0.framing = .untilClose } }
    public func dripping(bytes: Int, everyMilliseconds: Int) -> Response {
      with { $0.pace = Pace(bytes: bytes, milliseconds: everyMilliseconds) }
    }
    /// Sends that many bytes of the body, calls `body` (which may block to wait for the test), and sends the rest.
    public func held(afterBytes count: Int, _ body: @escaping @Sendable () -> Void) -> Response {
      with { $0.hold = (count, body) }
    }
    public func cut(afterBytes count: Int) -> Response { with { $0.cutAfter = count } }
    public func delayed(milliseconds: Int) -> Response { with { $0.delayMilliseconds = milliseconds } }
    public func closing() -> Response { with { $0.closes = true } }
    public func header(_ name: String, _ value: String) -> Response { with { $0.headers.append((name, value)) } }

    private func with(_ change: (inout Response) -> Void) -> Response {
      var copy = self
      change(&copy)
      return copy
    }
  }
}
