import Foundation
import HTTP

/// What going on later needs; kept in the library beside the file's name. The bytes themselves say how far it is.
struct ResumeData: Codable, Equatable, Sendable {
  /// The enclosure's address that the bytes came from.
  var url: String
  /// As the server wrote it, with its quotes; only a strong one.
  var etag: String?
  /// Only one that is strong enough for a range.
  var lastModified: String?
  /// Bytes of the whole, as the server said.
  var total: Int64?
  /// By the listener.
  var isPaused: Bool?
  /// Why it ended for good, for people.
  var failure: String?

  init(url: String) { self.url = url }

  /// Reads what the library has; nil for what another version wrote.
  init?(_ text: String?) {
    guard let text, let data = try? JSONDecoder().decode(ResumeData.self, from: Data(text.utf8)) else { return nil }
    self = data
  }

  var text: String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
  }

  var validator: StrongValidator { StrongValidator(etag: etag, lastModified: lastModified) }
  /// The value of `If-Range`; nil when nothing proves that the file is still the same.
  var ifRange: String? { validator.ifRange }

  /// Takes the validators and the length of an answer that sends the whole.
  mutating func adopt(_ validator: StrongValidator, total: Int64?) {
    (etag, lastModified) = (validator.etag, validator.lastModified)
    self.total = total
    failure = nil
  }
}
