import CCurl

/// Maps libcurl's error codes to `HTTPError`.
enum CurlFailure {
  /// - Parameter detail: libcurl's message, used where it tells more than the code.
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
    case _ where isDecoderFailure(code): return .invalidAnswer(.badCompression)
    case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL: return .invalidAnswer(.notHTTP)
    default: return .noConnectivity(.other(host, reason: reason))
    }
  }

  /// Whether libcurl gave up on a header line that did not end (100 kB, its dynbuf.h). Up to 8.6 it reported this as
  /// "out of memory"; older headers do not have its code 100 (CURLE_TOO_LARGE).
  static func isHeadTooLarge(_ code: CURLcode) -> Bool { code == CURLE_OUT_OF_MEMORY || code.rawValue == 100 }

  /// Whether libcurl could not decode a body. It also reports a failed write for bytes after the end of gzip. So ask
  /// only if the program itself did not end the exchange.
  static func isDecoderFailure(_ code: CURLcode) -> Bool {
    code == CURLE_BAD_CONTENT_ENCODING || code == CURLE_WRITE_ERROR
  }

  /// Whether to retry once: the connection broke or was slow. A host name that was not found is not retried.
  static func isTransient(_ error: HTTPError) -> Bool {
    switch error {
    case .noConnectivity(.timedOut), .noConnectivity(.cut): true
    default: false
    }
  }
}
