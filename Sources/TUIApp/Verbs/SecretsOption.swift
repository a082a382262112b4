import ArgumentParser
import Foundation
import Model

/// Whether passwords and keys in addresses are printed. By default they are not, because output is copied into bug
/// reports, screens and logs.
struct SecretsOption: ParsableArguments {
  @Flag(name: .long, help: "Print the passwords and keys in addresses.")
  var secrets = false

  /// The default: no secrets.
  static let hidden = SecretsOption(secrets: false)
  static let shown = SecretsOption(secrets: true)

  init() {}

  private init(secrets: Bool) { self.secrets = secrets }
}

/// Removes passwords and keys from addresses in JSON strings.
enum RedactedJSON {
  /// - Parameter json: valid JSON in UTF-8. Everything except strings with secrets stays unchanged, byte for byte.
  static func data(_ json: Data) throws -> Data {
    let bytes = [UInt8](json)
    let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    var result = Data()
    result.reserveCapacity(bytes.count)
    // Everything before this index is in `result`.
    var copied = 0
    var index = 0
    while index < bytes.count {
      guard bytes[index] == quote else {
        index += 1
        continue
      }
      var end = index + 1
      var holdsAddress = false
      while end < bytes.count, bytes[end] != quote {
        if bytes[end] == UInt8(ascii: ":") { holdsAddress = holdsAddress || bytes[end...].starts(with: "://".utf8) }
        end += bytes[end] == backslash ? 2 : 1
      }
      let literal = index..<min(bytes.count, end + 1)
      if holdsAddress, let shown = try redacted(bytes[literal]) {
        result += bytes[copied..<literal.lowerBound]
        result += shown
        copied = literal.upperBound
      }
      index = literal.upperBound
    }
    return result + bytes[copied...]
  }

  /// Nil if there is no secret.
  private static func redacted(_ literal: ArraySlice<UInt8>) throws -> Data? {
    let text = try JSONDecoder().decode(String.self, from: Data(literal))
    let shown = Redaction.text(text)
    guard shown != text else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return try encoder.encode(shown)
  }
}
