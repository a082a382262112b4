import Foundation
import HTTP

/// The addresses of a document without duplicates, numbered by first occurrence.
struct LinkList {
  private(set) var addresses: [String] = []
  private var numbers: [String: Int] = [:]
  /// The maximum number of links. Further ones stay text.
  private static let limit = 5_000

  /// The index of an address, which is added if it is new.
  mutating func index(of address: String) -> Int? {
    if let known = numbers[address] { return known }
    guard addresses.count < Self.limit else { return nil }
    addresses.append(address)
    numbers[address] = addresses.count - 1
    return addresses.count - 1
  }
}

/// Resolves the address of a link like a browser, and accepts only `http`, `https` and `mailto`: a description must
/// not execute `javascript:`, open `file:` or start a program.
struct LinkResolver {
  private let base: URL?
  private static let maxBytes = 8_192

  init(baseURL: String?) {
    base = baseURL.flatMap { URL(string: $0) }
  }

  /// The absolute address. Nil if it cannot be opened.
  func resolve(_ reference: String) -> String? {
    let clean = Self.cleaned(reference)
    guard !clean.isEmpty, clean.utf8.count <= Self.maxBytes, !clean.hasPrefix("#") else { return nil }
    // No scheme is longer.
    if let scheme = WebAddress.scheme(of: String(clean.prefix(24))) {
      guard ["http", "https", "mailto"].contains(scheme) else { return nil }
      let rest = clean.dropFirst(scheme.count + 1)
      if scheme == "mailto" { return rest.contains("@") ? scheme + ":" + rest : nil }
      // "http:/host" and "http:host" occur. Browsers read them as "http://host".
      let host = rest.drop { $0 == "/" || $0 == "\\" }
      return host.isEmpty ? nil : scheme + "://" + host
    }
    if clean.hasPrefix("//") { return clean.count > 2 ? (base?.scheme ?? "https") + ":" + clean : nil }
    // An address without a scheme, which is far more common in feeds than a relative one.
    if clean.lowercased().hasPrefix("www.") { return "https://" + clean }
    guard let base, let url = URL(string: clean, relativeTo: base) else { return nil }
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else { return nil }
    return url.absoluteString
  }

  /// Removes characters that a browser ignores, and escapes blanks, quotes and angle brackets.
  private static func cleaned(_ reference: String) -> String {
    let scrubbed = CleanText.scrubbed(reference).unicodeScalars
    var result: [UInt8] = []
    result.reserveCapacity(reference.utf8.count)
    let end = scrubbed.lastIndex { !CleanText.isSpace($0) }.map(scrubbed.index(after:)) ?? scrubbed.startIndex
    for scalar in scrubbed[..<end].drop(while: CleanText.isSpace) {
      switch scalar {
      case "\n", "\t": continue
      case "\"": result += "%22".utf8
      case "<": result += "%3C".utf8
      case ">": result += "%3E".utf8
      case _ where CleanText.isSpace(scalar): result += "%20".utf8
      default: result.append(utf8: scalar)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
