/// The feeds that a web page declares in its head.
enum PageLinks {
  /// Addresses of `<link rel="alternate">` with a feed's type, absolute if `address` or `<base>` allow it, in page
  /// order. RSS comes before Atom, because podcasts put their enclosures there.
  static func feeds(in page: [UInt8], address: String?) -> [String] {
    var base = address
    var found: [(rank: Int, address: String)] = []
    HTMLHead.elements(in: page) { name, attributes in
      if name == "base", let href = attributes["href"] { base = RelativeAddress.resolve(href, base: address) }
      guard name == "link" || name == "a", let href = attributes["href"]?.trimmed.nonEmpty else { return }
      let relations = (attributes["rel"] ?? "").lowercased().split(separator: " ")
      guard relations.contains("alternate") || relations.contains("feed") else { return }
      // A parameter, such as the charset, may follow the type.
      let type = String((attributes["type"] ?? "").prefix { $0 != ";" }).trimmed.lowercased()
      guard let rank = types.firstIndex(of: type) else { return }
      found.append((rank, RelativeAddress.resolve(href, base: base)))
    }
    var seen: Set<String> = []
    return types.indices.flatMap { rank in found.filter { $0.rank == rank } }.map(\.address).filter {
      seen.count < 64 && seen.insert($0).inserted
    }
  }

  private static let types = [
    "application/rss+xml", "application/rdf+xml", "application/atom+xml", "application/xml", "text/xml",
  ]
}
