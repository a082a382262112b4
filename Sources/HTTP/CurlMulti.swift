import CCurl
import Synchronization

/// libcurl's multi handle, and the queue of commands for the thread that drives it.
///
/// `@unchecked`: only the client's thread uses `handle`, except for `curl_multi_wakeup`, which libcurl allows on any
/// thread. Both threads keep the object alive.
final class CurlMulti: @unchecked Sendable {
  enum Command {
    case send(
      HTTPRequestID, HTTPRequest, any HTTPSink, @Sendable (Result<HTTPResponse, HTTPError>) -> Void)
    /// The file behind the page that the request is for.
    case resolved(HTTPRequestID, Result<PageFile, HTTPError>)
    case resume(HTTPRequestID)
    case cancel(HTTPRequestID)
  }

  private struct Inbox {
    var commands: [Command] = []
    var isClosed = false
    var lastID: UInt64 = 0
  }

  let handle: UnsafeMutableRawPointer
  private let sockets = CurlSockets()
  private let inbox = Mutex(Inbox())

  /// Initialised once per process, before any thread uses libcurl.
  private static let libraryIsReady = earshot_curl_global_init() == CURLE_OK

  init() {
    guard Self.libraryIsReady, let handle = curl_multi_init() else {
      preconditionFailure("libcurl could not be started: out of memory")
    }
    self.handle = handle
    // How many connections to keep open for later requests. libcurl's default depends on the running transfers and
    // may close them.
    earshot_curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, 64)
    sockets.attach(to: handle)
  }

  deinit { curl_multi_cleanup(handle) }

  func makeID() -> HTTPRequestID {
    inbox.withLock {
      $0.lastID += 1
      return HTTPRequestID(rawValue: $0.lastID)
    }
  }

  /// False if the client has been shut down.
  func post(_ command: Command) -> Bool {
    let isOpen = inbox.withLock { inbox in
      if !inbox.isClosed { inbox.commands.append(command) }
      return !inbox.isClosed
    }
    curl_multi_wakeup(handle)
    return isOpen
  }

  func close() {
    inbox.withLock { $0.isClosed = true }
    curl_multi_wakeup(handle)
  }

  /// Waits for sockets, timers of libcurl, and commands, at most `timeout` milliseconds.
  ///
  /// - Returns: the sockets that are ready.
  func wait(timeout: Int32) -> [curl_socket_t] { sockets.wait(handle, timeout: timeout) }

  /// Lets libcurl do what is due: for one socket, or, without a socket, for its timers and the handles that were added.
  func perform(_ socket: curl_socket_t = CURL_SOCKET_BAD) {
    var count: Int32 = 0
    // Without a mask of events, libcurl asks for the state of the socket itself, as it does in `curl_multi_perform`.
    curl_multi_socket_action(handle, socket, 0, &count)
  }

  /// The commands since the last call.
  func take() -> (commands: [Command], isClosed: Bool) {
    inbox.withLock { inbox in
      defer { inbox.commands = [] }
      return (inbox.commands, inbox.isClosed)
    }
  }
}
