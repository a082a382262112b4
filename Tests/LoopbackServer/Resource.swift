import Foundation

extension LoopbackServer {
  /// A static file with validators (304) and byte ranges (206, 416, If-Range).
  ///
  ///     server.route("/a.mp3", Resource(bytes, type: "audio/mpeg", etag: "\"1\"").answer)
  public struct Resource: Sendable {
    public var bytes: [UInt8]
    public var type: String
    /// With its quotation marks.
    public var etag: String?
    public var lastModified: String?
    /// False: a `Range` is ignored, and the answer is 200 with the whole file.
    public var honoursRanges: Bool

    public init(
      _ bytes: [UInt8], type: String, etag: String? = nil, lastModified: String? = nil, honoursRanges: Bool = true
    ) {
      self.bytes = bytes
      self.type = type
      self.etag = etag
      self.lastModified = lastModified
      self.honoursRanges = honoursRanges
    }

    public func answer(_ request: Request) -> Response {
      if isUnchanged(for: request) { return Response(status: 304, headers: validators) }
      guard honoursRanges, let range = request.byteRange, ifRangeHolds(request) else {
        return Response(headers: commonHeaders, body: .bytes(bytes))
      }
      guard range.first < bytes.count, range.first <= range.last ?? .max else {
        return Response(status: 416, headers: [("Content-Range", "bytes */\(bytes.count)")])
      }
      let last = min(range.last ?? .max, bytes.count - 1)
      return Response(
        status: 206, headers: commonHeaders + [("Content-Range", "bytes \(range.first)-\(last)/\(bytes.count)")],
        body: .bytes([UInt8](bytes[range.first...last])))
    }

    private var validators: [(name: String, value: String)] {
      [("ETag", etag), ("Last-Modified", lastModified)].compactMap { name, value in value.map { (name, $0) } }
    }

    private var commonHeaders: [(name: String, value: String)] {
      validators + [("Content-Type", type)] + (honoursRanges ? [("Accept-Ranges", "bytes")] : [])
    }

    /// RFC 9110 §13.2.2: If-None-Match decides; If-Modified-Since counts only without it.
    private func isUnchanged(for request: Request) -> Bool {
      if let given = request.header("If-None-Match") { return etag != nil && given == etag }
      guard let given = request.header("If-Modified-Since") else { return false }
      return given == lastModified
    }

    private func ifRangeHolds(_ request: Request) -> Bool {
      guard let given = request.header("If-Range") else { return true }
      return given == etag || given == lastModified
    }
  }
}
