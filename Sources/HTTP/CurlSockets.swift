import CCurl

/// The sockets of a multi handle that libcurl waits for (CURLMOPT_SOCKETFUNCTION). Only the client's thread uses it.
final class CurlSockets {
  private var waiting: [curl_waitfd] = []

  /// Must outlive the multi handle.
  func attach(to multi: UnsafeMutableRawPointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    let code = earshot_curl_multi_set_socket_callback(
      multi,
      { _, socket, event, context, _ in
        guard let context else { return -1 }
        Unmanaged<CurlSockets>.fromOpaque(context).takeUnretainedValue().watch(socket, event)
        return 0
      }, context)
    precondition(code == CURLM_OK, "libcurl has no callback for sockets")
  }

  private func watch(_ socket: curl_socket_t, _ event: Int32) {
    waiting.removeAll { $0.fd == socket }
    let events: Int32 =
      switch event {
      case CURL_POLL_IN: CURL_WAIT_POLLIN
      case CURL_POLL_OUT: CURL_WAIT_POLLOUT
      case CURL_POLL_INOUT: CURL_WAIT_POLLIN | CURL_WAIT_POLLOUT
      default: 0
      }
    if events != 0 { waiting.append(curl_waitfd(fd: socket, events: Int16(events), revents: 0)) }
  }

  /// Waits until a socket is ready, one of libcurl's timers is due, `curl_multi_wakeup` was called, or the time is up.
  ///
  /// - Parameter timeout: in milliseconds.
  /// - Returns: the sockets that are ready.
  func wait(_ multi: UnsafeMutableRawPointer, timeout: Int32) -> [curl_socket_t] {
    waiting.withUnsafeMutableBufferPointer { sockets in
      for index in sockets.indices { sockets[index].revents = 0 }
      curl_multi_poll(multi, sockets.baseAddress, UInt32(sockets.count), timeout, nil)
      return sockets.filter { $0.revents != 0 }.map(\.fd)
    }
  }
}
