import CCurl
import Foundation

/// A libcurl easy handle, configured for one exchange. Used only on the client's thread.
final class CurlEasy {
  let handle: UnsafeMutableRawPointer
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var form: OpaquePointer?
  private let errorText: UnsafeMutablePointer<CChar>

  init?() {
    guard let handle = curl_easy_init() else { return nil }
    self.handle = handle
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    earshot_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorText)
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_slist_free_all(headers)
    curl_mime_free(form)
    errorText.deallocate()
  }

  /// libcurl's description of the failure. Empty if there is none.
  var failureText: String { String(cString: errorText) }

  /// The cookies in memory, for the next handle of the same request. libcurl decides which addresses get which one.
  var cookies: [String] {
    get {
      let list = earshot_curl_cookies(handle)
      defer { curl_slist_free_all(list) }
      return sequence(first: list) { $0?.pointee.next }.prefix { $0 != nil }
        .compactMap { $0?.pointee.data.map { String(cString: $0) } }
    }
    set {
      // Keeps cookies, and reads no file.
      set(CURLOPT_COOKIEFILE, "")
      for line in newValue { set(CURLOPT_COOKIELIST, line) }
    }
  }

  /// - Parameters:
  ///   - authorization: the complete header value.
  ///   - decodes: whether libcurl decodes the body.
  func prepare(
    _ request: HTTPRequest, url: WebAddress, authorization: String?, decodes: Bool, options: HTTPOptions
  ) {
    set(CURLOPT_URL, url.text)
    setBasics(options)
    if let userAgent = request.userAgent { set(CURLOPT_USERAGENT, userAgent.description) }
    setLimits(options, deadline: request.deadline ?? options.deadline)
    set(CURLOPT_ACCEPT_ENCODING, decodes ? "" : nil)
    if request.method == "HEAD" {
      set(CURLOPT_NOBODY, 1)
    } else if !request.form.isEmpty {
      setForm(request.form)
    } else if let body = request.body {
      set(CURLOPT_POST, 1)
      earshot_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
      // COPYPOSTFIELDS copies, and must come after the size.
      body.withUnsafeBufferPointer {
        _ = earshot_curl_set_pointer(
          handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress))
      }
      if request.method != "POST" { set(CURLOPT_CUSTOMREQUEST, request.method) }
    } else if request.method != "GET" {
      set(CURLOPT_CUSTOMREQUEST, request.method)
    }
    var lines = (request.headers + request.validators.headers(for: url)).map { "\($0.name): \($0.value)" }
    switch request.encoding {
    case .compressed: if !decodes { lines.append("Accept-Encoding: gzip") }
    // Without the header, a server may choose any encoding (RFC 9110 §12.5.3).
    case .identity: lines.append("Accept-Encoding: identity")
    }
    if let authorization = authorization ?? request.bearer.map({ "Bearer \($0)" }) {
      lines.append("Authorization: \(authorization)")
    }
    for line in lines where !line.utf8.contains(where: { $0 == 13 || $0 == 10 || $0 == 0 }) {
      headers = curl_slist_append(headers, line)
    }
    earshot_curl_set_list(handle, CURLOPT_HTTPHEADER, headers)
  }

  private func setForm(_ parts: [HTTPRequest.FormPart]) {
    guard let form = curl_mime_init(handle) else { return }
    self.form = form
    for part in parts {
      let field = curl_mime_addpart(form)
      switch part {
      case .text(let name, let value):
        curl_mime_name(field, name)
        curl_mime_data(field, value, value.utf8.count)
      case .file(let name, let path, let type):
        curl_mime_name(field, name)
        curl_mime_filedata(field, path)
        curl_mime_type(field, type)
      }
    }
    earshot_curl_set_pointer(handle, CURLOPT_MIMEPOST, UnsafeMutableRawPointer(form))
  }

  /// Continues after a pause. May pass bytes on at once.
  func resume() { curl_easy_pause(handle, 0) }  // CURLPAUSE_CONT

  /// Passes headers and body to `transfer`, which must live as long as the exchange.
  func deliver(to transfer: HTTPTransfer) {
    let context = Unmanaged.passUnretained(transfer).toOpaque()
    earshot_curl_set_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      HTTPTransfer.take(bytes, size, count, context) { $0.receiveHeader($1) }
    }
    earshot_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
    earshot_curl_set_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      HTTPTransfer.take(bytes, size, count, context) { $0.receiveBody($1) }
    }
    earshot_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
  }

  private func setBasics(_ options: HTTPOptions) {
    set(CURLOPT_NOSIGNAL, 1)  // No SIGALRM for name lookups: signals belong to the terminal.
    set(CURLOPT_USERAGENT, options.userAgent)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    set(CURLOPT_FOLLOWLOCATION, 0)  // RedirectChain follows redirects.
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    set(CURLOPT_NETRC, 0)
    // A proxy that opens a tunnel (CONNECT) must not see the headers for the server.
    set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    // Nor may its answer to CONNECT count as the server's: it could move or end a feed.
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    if options.ignoresProxies { set(CURLOPT_PROXY, "") }
    if !options.reusesConnections {
      set(CURLOPT_FRESH_CONNECT, 1)
      set(CURLOPT_FORBID_REUSE, 1)
    }
  }

  private func setLimits(_ options: HTTPOptions, deadline: Double) {
    set(CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(options.connectTimeout))
    if deadline.isFinite { set(CURLOPT_TIMEOUT_MS, Self.milliseconds(deadline)) }
    // With a limit, libcurl wakes every second to check the speed.
    if options.lowSpeedTime > 0 {
      set(CURLOPT_LOW_SPEED_LIMIT, options.lowSpeedLimit)
      set(CURLOPT_LOW_SPEED_TIME, options.lowSpeedTime)
    }
  }

  /// libcurl reads 0 as "no limit", so at least 1. libcurl accepts no more than a C int.
  private static func milliseconds(_ seconds: Double) -> Int { Int(min(max(seconds * 1000, 1), 2_000_000_000)) }

  private func set(_ option: CURLoption, _ value: Int) { earshot_curl_set_long(handle, option, value) }
  private func set(_ option: CURLoption, _ value: String?) { earshot_curl_set_string(handle, option, value) }
}

/// The version of libcurl, for `earshot doctor`.
public enum CurlVersion {
  public static var text: String { String(cString: curl_version()) }
}
