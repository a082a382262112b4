import Foundation
import HTTP
import Model
import Store

/// What is needed to resume a download. Stored in the library as JSON beside the file name. The size of the partial
/// file is the progress.
struct ResumeData: Codable, Equatable, Sendable {
  /// The address of the enclosure that the bytes came from.
  var url: String
  /// As the server sent it, with quotes. Only strong validators are stored.
  var etag: String?
  /// Only if it is strong enough for a range request.
  var lastModified: String?
  /// The size of the whole file, as the server gave it.
  var total: Int64?
  /// Paused by the listener.
  var isPaused: Bool?
  /// Why the download failed permanently, in words for the user.
  var failure: String?
  /// A file with the final name was a complete download, and was changed by another program. It is kept until this
  /// download is complete.
  var replacesFile: Bool?
  /// Why the last attempt failed, permanently or not. Nil once bytes have arrived.
  var lastError: String?

  init(url: String) { self.url = url }

  /// Reads the stored JSON. Nil if another version wrote it.
  init?(_ text: String?) {
    guard let text, let data = try? JSONDecoder().decode(ResumeData.self, from: Data(text.utf8)) else { return nil }
    self = data
  }

  var text: String? { try? JSONFormat().text(of: self) }

  var validator: StrongValidator { StrongValidator(etag: etag, lastModified: lastModified) }
  /// The value of `If-Range`. Nil if no validator proves that the file is unchanged.
  var ifRange: String? { validator.ifRange }

  /// Takes the validators and the length from a response with the whole file.
  mutating func adopt(_ validator: StrongValidator, total: Int64?) {
    (etag, lastModified) = (validator.etag, validator.lastModified)
    self.total = total
    failure = nil
  }
}

extension Download {
  /// Why the download has failed, or waits for another attempt, in words for the user. Nil if it is complete.
  public var problem: String? {
    downloadComplete ? nil : ResumeData(resumeData).flatMap { $0.failure ?? $0.lastError }
  }
}
