import ArgumentParser
import Foundation
import Model

/// Whether passwords and keys in addresses are printed. They are not: an answer ends up in a report of a fault, on a shared
/// screen, in another program's log.
struct SecretsOption: ParsableArguments {
  @Flag(name: .long, help: "Print addresses with the passwords and keys in them.")
  var secrets = false

  /// As without the option.
  static var hidden: SecretsOption {
    var option = SecretsOption()
    option.secrets = false
    return option
  }
}

/// JSON without passwords and keys in the addresses that its strings hold.
enum RedactedJSON {
  /// - Parameter json: valid JSON in UTF-8. All but the strings with secrets stays as it is, byte for byte.
  static func data(_ json: Data) throws -> Data {
    let bytes = [UInt8](json)
    let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard bytes[index] == quote else {
        result.append(bytes[index])
        index += 1
        continue
      }
      var end = index + 1
      while end < bytes.count, bytes[end] != quote { end += bytes[end] == backslash ? 2 : 1 }
      let literal = bytes[index..<min(bytes.count, end + 1)]
      result += try redacted(literal)
      index = literal.endIndex
    }
    return Data(result)
  }

  private static func redacted(_ literal: ArraySlice<UInt8>) throws -> [UInt8] {
    // Few strings hold an address.
    guard literal.firstRange(of: Array("://".utf8)) != nil else { return Array(literal) }
    let text = try JSONDecoder().decode(String.self, from: Data(literal))
    let shown = Redaction.text(text)
    guard shown != text else { return Array(literal) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return [UInt8](try encoder.encode(shown))
  }
}
