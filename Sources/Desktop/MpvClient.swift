import Foundation

/// Asks a running mpv through its JSON IPC (mpv(1), "JSON IPC"). Not thread-safe.
public final class MpvClient {
  private let path: String
  private var descriptor: Int32 = -1
  private var buffered: [UInt8] = []
  private var lastRequest = 0

  /// How many lines are read for one answer. mpv sends its events in between.
  private static let lineLimit = 1000

  /// - Parameter path: the socket of `--input-ipc-server`, which need not exist yet.
  public init(path: String) { self.path = path }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The value of a property that is a number. Nil if mpv has none now, or does not answer within half a second.
  public func number(_ property: String) -> Double? {
    if descriptor < 0, case .open(let descriptor) = UnixSocket.connect(path, timeout: 0.5) {
      self.descriptor = descriptor
    }
    guard descriptor >= 0 else { return nil }
    lastRequest += 1
    let request = #"{"command":["get_property","\#(property)"],"request_id":\#(lastRequest)}"#
    guard UnixSocket.writeLine(descriptor, request.utf8) else { return disconnect() }
    for _ in 0..<Self.lineLimit {
      guard let line = UnixSocket.readLine(descriptor, &buffered) else { return disconnect() }
      guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(line)), answer.request == lastRequest
      else { continue }
      return answer.data.flatMap { $0.isFinite ? $0 : nil }
    }
    return disconnect()
  }

  private struct Answer: Decodable {
    var request: Int?
    var data: Double?

    private enum CodingKeys: String, CodingKey {
      case request = "request_id"
      case data
    }
  }

  private func disconnect() -> Double? {
    close(descriptor)
    descriptor = -1
    buffered = []
    return nil
  }
}
