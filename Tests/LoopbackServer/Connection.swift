import Foundation
import LoopbackSocket

/// One connection: reads requests and answers them until one side closes.
struct Connection {
  let descriptor: Int32
  let number: Int
  let listener: Listener

  func serve() {
    var buffer: [UInt8] = []
    while let request = readRequest(&buffer) {
      listener.state.withLock {
        $0.requests.append(request)
        $0.concurrency += 1
        $0.peakConcurrency = max($0.peakConcurrency, $0.concurrency)
      }
      let response = listener.handler(for: request.path)(request)
      let stays = answer(request, with: response)
      listener.state.withLock { $0.concurrency -= 1 }
      guard stays, !request.wantsClose else { return }
    }
  }

  private func readRequest(_ buffer: inout [UInt8]) -> LoopbackServer.Request? {
    let blankLine: [UInt8] = [13, 10, 13, 10]
    while true {
      if let end = buffer.firstRange(of: blankLine) {
        let head = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
        buffer.removeSubrange(..<end.upperBound)
        guard var request = LoopbackServer.Request.parse(head: head, connection: number) else { return nil }
        let length = request.header("Content-Length").flatMap { Int($0) } ?? 0
        while buffer.count < length {
          let more = LoopbackSocket.receive(descriptor)
          if more.isEmpty { return nil }
          buffer += more
        }
        request.body = [UInt8](buffer.prefix(length))
        buffer.removeFirst(length)
        return request
      }
      let more = LoopbackSocket.receive(descriptor)
      // Data that does not begin with a method is not HTTP: a TLS handshake, for instance.
      guard let first = more.first, !buffer.isEmpty || (65...90).contains(first) else { return nil }
      buffer += more
    }
  }

  /// Sends the response.
  /// - Returns: whether the connection can be used again.
  private func answer(_ request: LoopbackServer.Request, with response: LoopbackServer.Response) -> Bool {
    guard response.delayMilliseconds == 0 || LoopbackSocket.wait(descriptor, milliseconds: response.delayMilliseconds)
    else {
      return false
    }
    switch response.manner {
    case .silence:
      _ = LoopbackSocket.wait(descriptor, milliseconds: -1)
      return false
    case .raw(let bytes, let closes):
      guard send(bytes[...]), sendPieces(of: response, frame: { $0 }) else { return false }
      if !closes { _ = LoopbackSocket.wait(descriptor, milliseconds: -1) }
      return false
    case .answer:
      guard send([UInt8](head(of: response).utf8)[...]) else { return false }
      let hasBody = request.method != "HEAD" && response.status != 304 && response.status != 204
      if hasBody && !sendBody(of: response) { return false }
      return !response.closes && response.framing != .untilClose
    }
  }

  private func head(of response: LoopbackServer.Response) -> String {
    var headers = response.headers
    if !headers.contains(where: { $0.name.lowercased() == "date" }) {
      headers.append(("Date", "Sun, 06 Nov 1994 08:49:37 GMT"))
    }
    switch response.framing {
    case .contentLength:
      if response.status != 304 && response.status != 204 {
        headers.append(("Content-Length", "\(response.body.count)"))
      }
    case .chunked: headers.append(("Transfer-Encoding", "chunked"))
    case .untilClose: break
    }
    if response.closes || response.framing == .untilClose { headers.append(("Connection", "close")) }
    return (["HTTP/1.1 \(response.status) Status"] + headers.map { "\($0.name): \($0.value)" })
      .joined(separator: "\r\n") + "\r\n\r\n"
  }

  private func sendBody(of response: LoopbackServer.Response) -> Bool {
    guard response.framing == .chunked else { return sendPieces(of: response, frame: { $0 }) }
    let sent = sendPieces(of: response) { piece in
      ArraySlice([UInt8]("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10])
    }
    return sent && send(ArraySlice("0\r\n\r\n".utf8))
  }

  private func sendPieces(
    of response: LoopbackServer.Response, frame: (ArraySlice<UInt8>) -> ArraySlice<UInt8>
  ) -> Bool {
    let total = response.body.count
    let limit = min(total, response.cutAfter ?? .max)
    let size = max(1, response.pace?.bytes ?? 64 * 1024)
    var sent = 0
    var hold = response.hold.flatMap { $0.bytes < limit ? $0 : nil }
    while sent < limit {
      if let pace = response.pace, sent > 0, !LoopbackSocket.wait(descriptor, milliseconds: pace.milliseconds) {
        return false
      }
      if let now = hold, sent == now.bytes {
        now.body()
        hold = nil
      }
      let end = min(limit, hold?.bytes ?? .max)
      let piece = response.body.piece(at: sent, upTo: min(size, end - sent))
      guard !piece.isEmpty, send(frame(piece)) else { return false }
      sent += piece.count
    }
    return limit == total
  }

  private func send(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard LoopbackSocket.send(descriptor, bytes) else { return false }
    listener.state.withLock { $0.bytesSent += bytes.count }
    return true
  }
}

extension LoopbackServer.Response.Body {
  /// At most `count` bytes from `offset` on; a repeating body may give fewer.
  fileprivate func piece(at offset: Int, upTo count: Int) -> ArraySlice<UInt8> {
    switch self {
    case .bytes(let bytes): return bytes[offset..<min(bytes.count, offset + count)]
    case .repeating(let block, _):
      guard !block.isEmpty else { return [] }
      let start = offset % block.count
      return block[start..<min(block.count, start + count)]
    }
  }
}
