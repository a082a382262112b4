import CCurl
import Foundation

/// The loop of the client's thread: takes commands, starts requests, drives libcurl and waits.
final class HTTPLoop {
  private let multi: CurlMulti
  private let options: HTTPOptions
  private var transfers: [HTTPRequestID: HTTPTransfer] = [:]
  private var running: [UnsafeMutableRawPointer: HTTPTransfer] = [:]
  private var queue: HostQueue<HTTPRequestID>
  /// Retries that wait for their time.
  private var delayed: [(due: ContinuousClock.Instant, id: HTTPRequestID)] = []

  init(multi: CurlMulti, options: HTTPOptions) {
    self.multi = multi
    self.options = options
    queue = HostQueue(perHost: options.requestsPerHost, atOnce: options.requestsAtOnce)
  }

  /// Returns after `close()`, when every remaining request has completed with `.cancelled`.
  func run() {
    blockPipeSignal()
    if options.lowersPriority { ThreadPriority.lower(to: .network) }
    while true {
      let (commands, isClosed) = multi.take()
      for command in commands { perform(command) }
      if isClosed { break }
      queueDelayed()
      startWaiting()
      multi.perform()
      if finishDone() { continue }
      for socket in multi.wait(timeout: timeout) {
        multi.perform(socket)
        guard finishDone() else { continue }
        // The next request leaves before the other responses are read. Reading one takes milliseconds if it is
        // compressed, and a host's responses often arrive at the same time.
        startWaiting()
        multi.perform()
      }
    }
    for id in transfers.keys { cancel(id) }
  }

  /// Milliseconds until the next retry. libcurl may shorten it for its own timers, and a command interrupts the wait.
  private var timeout: Int32 {
    guard let due = delayed.map(\.due).min() else { return 3_600_000 }
    let left = ContinuousClock.now.duration(to: due)
    return Int32(
      clamping: max(0, left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1))
  }

  /// With NOSIGNAL, libcurl does not handle SIGPIPE, and OpenSSL writes with `write`. A closed connection would kill
  /// the program. The signal goes to the writing thread, so blocking it here does not change the program's handlers.
  private func blockPipeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  // MARK: Commands

  private func perform(_ command: CurlMulti.Command) {
    switch command {
    case .send(let id, let request, let sink, let completion):
      let transfer = HTTPTransfer(id: id, request: request, sink: sink, options: options, completion: completion)
      transfers[id] = transfer
      if !resolve(transfer, refused: nil) { enqueue(transfer) }
    case .resolved(let id, let result):
      // It may have been cancelled meanwhile.
      guard let transfer = transfers[id] else { return }
      do {
        transfer.send(to: try result.get())
        enqueue(transfer)
      } catch {
        complete(transfer, .failure(error))
      }
    case .resume(let id): transfers[id]?.easy?.resume()
    case .cancel(let id): cancel(id)
    }
  }

  private func cancel(_ id: HTTPRequestID) {
    guard let transfer = transfers[id] else { return }
    if let easy = transfer.easy {
      release(easy)
      queue.finish(host: transfer.host)
    } else {
      queue.remove(id, host: transfer.host)
      delayed.removeAll { $0.id == id }
    }
    complete(transfer, .failure(.cancelled))
  }

  // MARK: Starting

  /// Begins to look for the file behind a page.
  /// - Parameter refused: the address that was asked before.
  /// - Returns: false if the request is not for a page.
  private func resolve(_ transfer: HTTPTransfer, refused: WebAddress?) -> Bool {
    guard let pages = options.pages, let page = transfer.page else { return false }
    pages.resolve(page, refused: refused) { [multi, id = transfer.id] in _ = multi.post(.resolved(id, $0)) }
    return true
  }

  private func enqueue(_ transfer: HTTPTransfer) {
    if let until = queue.pauseEnd(of: transfer.host, now: options.now()) {
      complete(transfer, .failure(.rateLimited(until: until, by: transfer.chain.current.origin)))
    } else {
      queue.add(transfer.id, host: transfer.host)
    }
  }

  private func queueDelayed() {
    guard !delayed.isEmpty else { return }
    let now = ContinuousClock.now
    let due = delayed.filter { $0.due <= now }
    delayed.removeAll { $0.due <= now }
    for entry in due {
      if let transfer = transfers[entry.id] { enqueue(transfer) }
    }
  }

  /// Adds the requests that may run now. `multi.perform()` then starts them.
  private func startWaiting() {
    while let id = queue.next() {
      guard let transfer = transfers[id] else { continue }
      guard let easy = transfer.prepare(), curl_multi_add_handle(multi.handle, easy.handle) == CURLM_OK else {
        queue.finish(host: transfer.host)
        complete(transfer, .failure(.noConnectivity(.other(transfer.host, reason: "out of memory"))))
        continue
      }
      running[easy.handle] = transfer
    }
  }

  // MARK: Finishing

  /// True if a request finished, so that others may start.
  private func finishDone() -> Bool {
    var some = false
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi.handle, &left) {
      // Removing the handle frees the message, so it is read first.
      let result = earshot_curl_message_result(message)
      guard message.pointee.msg == CURLMSG_DONE, let transfer = running[message.pointee.easy_handle],
        let easy = transfer.easy
      else { continue }
      some = true
      release(easy)
      let address = transfer.chain.current
      queue.finish(host: address.hostAndPort)
      follow(transfer.conclude(result), of: transfer, at: address)
    }
    return some
  }

  private func release(_ easy: CurlEasy) {
    curl_multi_remove_handle(multi.handle, easy.handle)
    running[easy.handle] = nil
  }

  /// - Parameter address: the one that has answered.
  private func follow(_ step: HTTPTransfer.Step, of transfer: HTTPTransfer, at address: WebAddress) {
    let host = address.hostAndPort
    switch step {
    case .done(let result):
      if let refused = transfer.refusedFile(result), resolve(transfer, refused: refused) { return }
      if case .success = result { queue.resetRefusals(of: host) }
      complete(transfer, result)
    case .again:
      queue.resetRefusals(of: host)
      enqueue(transfer)
    case .retryOrFinish(let result):
      guard transfer.isRetryable, transfer.attempts < options.requestRetry.repeats else {
        return complete(transfer, result)
      }
      transfer.attempts += 1
      let delay = options.requestRetry.delay(afterFailures: transfer.attempts, random: options.random())
      delayed.append((ContinuousClock.now + .seconds(delay), transfer.id))
    case .pauseHost(let until):
      let now = options.now()
      let failures = queue.recordRefusal(by: host)
      let own = now.addingTimeInterval(options.hostRetry.delay(afterFailures: failures, random: options.random()))
      let end = min(until ?? own, now.addingTimeInterval(options.hostRetry.maximum))
      let error = HTTPError.rateLimited(until: end, by: address.origin)
      for id in options.pausesHosts ? queue.pause(host: host, until: end, now: now) : [] {
        if let waiting = transfers[id] { complete(waiting, .failure(error)) }
      }
      complete(transfer, .failure(error))
    }
  }

  private func complete(_ transfer: HTTPTransfer, _ result: Result<HTTPResponse, HTTPError>) {
    transfers[transfer.id] = nil
    transfer.complete(result)
  }
}
