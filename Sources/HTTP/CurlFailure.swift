import CCurl

/// What libcurl's error codes mean for a listener.
enum CurlFailure {
  /// `detail`: libcurl's own words, used where they tell more than the code.
  static func error(_ code: CURLcode, host: String, detail: String) -> HTTPError {
    let reason = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: return .noConnectivity(.hostNotFound(host))
    case CURLE_COULDNT_RESOLVE_PROXY: return .noConnectivity(.other(host, reason: reason))
    case CURLE_COULDNT_CONNECT: return .noConnectivity(.connectionRefused(host))
    case CURLE_OPERATION_TIMEDOUT: return .noConnectivity(.timedOut(host))
    case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      return .noConnectivity(.cut(host))
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ISSUER_ERROR:
      return .noConnectivity(.notSecure(host, reason: reason))
    case CURLE_BAD_CONTENT_ENCODING: return .invalidAnswer(.badCompression)
    case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL: return .invalidAnswer(.notHTTP)
    default: return .noConnectivity(.other(host, reason: reason))
    }
  }

  /// libcurl gave up on a line of the head that did not end (100 kB, its dynbuf.h). Until 8.6 it called that "out of
  /// memory"; the code for it, 100 (CURLE_TOO_LARGE), is not in older headers.
  static func isHeadTooLarge(_ code: CURLcode) -> Bool { code == CURLE_OUT_OF_MEMORY || code.rawValue == 100 }

  /// Worth one more try: the line broke or was slow. A name that does not exist will not exist in a second.
  static func isPassing(_ error: HTTPError) -> Bool {
    switch error {
    case .noConnectivity(.timedOut), .noConnectivity(.cut): true
    default: false
    }
  }
}
