import Foundation
import HTTP
import Synchronization

/// Writes the bytes of one attempt to the partial file: appended if the server continues, from the start if it sends
/// the whole file. It runs on the downloads' own network thread, which may wait for the disk.
final class DownloadSink: HTTPSink {
  /// Why the sink stopped the transfer.
  enum Stop: Equatable {
    case failed(DownloadError)
    /// The response does not continue the stored bytes. The whole file must be requested.
    case mismatch
    /// The server has compressed the file, so it must be requested again and decompressed.
    case compressed
  }

  private struct Status {
    var received: Int64
    var resume: ResumeData
    var stop: Stop?
    var hasBegun = false
  }

  private let file: PartFile
  /// Bytes stored when the request was sent; the start of the requested range.
  let offset: Int64
  /// One past the last byte requested. Nil: to the end.
  let end: Int64?
  /// Whether the HTTP client decompresses the response.
  private let decompresses: Bool
  private let fullAfter: Int64
  /// Called with the number of bytes still to come. An error means that there is not enough space.
  private let checkSpace: @Sendable (Int64) -> DownloadError?
  /// Saves the validators before the first byte is written. Otherwise a crash in between could join parts of two
  /// different files.
  private let onBegin: @Sendable (ResumeData) -> DownloadError?
  private let status: Mutex<Status>

  init(
    file: PartFile, resume: ResumeData, offset: Int64, end: Int64?, decompresses: Bool, fullAfter: Int64,
    checkSpace: @escaping @Sendable (Int64) -> DownloadError?,
    onBegin: @escaping @Sendable (ResumeData) -> DownloadError?
  ) {
    self.file = file
    self.offset = offset
    self.end = end
    self.decompresses = decompresses
    self.fullAfter = fullAfter
    self.checkSpace = checkSpace
    self.onBegin = onBegin
    status = Mutex(Status(received: offset, resume: resume, stop: nil))
  }

  var received: Int64 { status.withLock { $0.received } }
  var resume: ResumeData { status.withLock { $0.resume } }
  var stop: Stop? { status.withLock { $0.stop } }
  var asksForPart: Bool { offset > 0 || end != nil }
  /// The response fits, and its bytes are being written.
  var hasBegun: Bool { status.withLock { $0.hasBegun } }

  func begin(_ head: HTTPHead, from url: WebAddress) -> Bool {
    var resume = self.resume
    let isRest = head.status == 206
    let length = head["Content-Length"].flatMap { Int64($0.trimmingCharacters(in: .whitespaces)) }
    if isRest {
      guard let range = ContentRange(head["Content-Range"]), range.first == offset, asksForPart,
        resume.total == nil || range.total == nil || range.total == resume.total,
        head["ETag"].map({ $0 == resume.etag || resume.etag == nil }) ?? true,
        // A server may ignore If-Range (RFC 9110 §13.1.5).
        head["Last-Modified"].map({ $0 == resume.lastModified || resume.lastModified == nil || resume.etag != nil })
          ?? true
      else { return refuse(.mismatch) }
      resume.total = range.total ?? resume.total ?? length.map { $0.addingClamped(offset) }
    } else {
      if let coding = head["Content-Encoding"]?.lowercased(), coding != "identity", !coding.isEmpty, !decompresses {
        if ["gzip", "x-gzip"].contains(coding) { return refuse(.compressed) }
        return refuse(.failed(.notMedia("a compressed answer (\(coding.prefix(20)))")))
      }
      if let manifest = MediaType.manifest(head.contentType, length: length) {
        return refuse(.failed(.manifest(manifest.rawValue, isStream: manifest.isStream)))
      }
      // Checked before truncating, so that a login page does not destroy the stored bytes.
      if MediaType.isPage(head.contentType, length: length) {
        return refuse(.failed(.notMedia("a page (\(Self.shown(head.contentType)))")))
      }
      // The length and the validators are those of the compressed bytes.
      resume.adopt(
        decompresses ? StrongValidator(etag: nil, lastModified: nil) : StrongValidator(head),
        total: decompresses ? nil : length)
      do { try file.truncate() } catch { return refuse(.failed(error)) }
    }
    if let total = resume.total, let error = checkSpace(total - file.size) { return refuse(.failed(error)) }
    if let error = onBegin(resume) { return refuse(.failed(error)) }
    status.withLock {
      $0.resume = resume
      $0.received = file.size
      $0.hasBegun = true
    }
    return true
  }

  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // A few bytes are not enough to recognise plain text. `CompleteFile` checks the whole file.
    if file.size == 0, case let kind = FileKind(bytes), kind != .text, let error = DownloadError(refusing: kind) {
      return refuse(.failed(error))
    }
    guard file.size + Int64(bytes.count) <= fullAfter else { return refuse(.failed(.diskFull)) }
    do { try file.append(bytes) } catch { return refuse(.failed(error)) }
    status.withLock { $0.received = file.size }
    return true
  }

  private func refuse(_ reason: Stop) -> Bool {
    status.withLock { $0.stop = reason }
    return false
  }

  private static func shown(_ type: String?) -> String {
    String((type ?? "").unicodeScalars.filter { (0x20...0x7E).contains($0.value) }.prefix(60).map(Character.init))
  }
}

extension Int64 {
  func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
