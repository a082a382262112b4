import CLibXML2

/// Extracts start tags from an HTML page with libxml2's HTML parser, to find feed links in its head.
public enum HTMLHead {
  /// Calls `visit` with the name and attributes of each element, both in lower case, in document order.
  /// - Returns: the text of the first `title`, at most 1000 bytes.
  @discardableResult
  public static func elements(in page: [UInt8], visit: (String, [String: String]) -> Void) -> String? {
    // C needs a pointer to the closure, which must not escape. It is only valid during the call.
    withoutActuallyEscaping(visit) { visit in
      let visitor = Visitor(visit: visit)
      withExtendedLifetime(visitor) { parse(page, Unmanaged.passUnretained(visitor).toOpaque()) }
      return visitor.title.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  private static func parse(_ page: [UInt8], _ user: UnsafeMutableRawPointer) {
    xmlInitParser()
    var handler = xmlSAXHandler()
    handler.startElement = { user, name, attributes in
      guard let user, let name else { return }
      Unmanaged<Visitor>.fromOpaque(user).takeUnretainedValue().start(name, attributes)
    }
    handler.endElement = { user, name in
      guard let user, let name else { return }
      Unmanaged<Visitor>.fromOpaque(user).takeUnretainedValue().end(name)
    }
    handler.characters = { user, text, count in
      guard let user, let text else { return }
      let bytes = UnsafeBufferPointer(start: text, count: Int(count))
      Unmanaged<Visitor>.fromOpaque(user).takeUnretainedValue().characters(bytes)
    }
    let context = page.prefix(0).withUnsafeBytes { _ in
      htmlCreatePushParserCtxt(&handler, user, nil, 0, nil, XML_CHAR_ENCODING_UTF8)
    }
    guard let context else { return }
    defer { htmlFreeParserCtxt(context) }
    htmlCtxtUseOptions(
      context, Int32(HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NONET.rawValue | HTML_PARSE_NOERROR.rawValue))
    page.withUnsafeBytes { bytes in
      let start = bytes.bindMemory(to: CChar.self).baseAddress
      _ = htmlParseChunk(context, start, Int32(clamping: bytes.count), 0)
    }
    htmlParseChunk(context, nil, 0, 1)
  }

  private final class Visitor {
    private let visit: (String, [String: String]) -> Void
    private(set) var title: [UInt8]?
    private var isInTitle = false

    init(visit: @escaping (String, [String: String]) -> Void) { self.visit = visit }

    func end(_ name: UnsafePointer<xmlChar>) { isInTitle = false }

    func characters(_ text: UnsafeBufferPointer<xmlChar>) {
      guard isInTitle, let known = title, known.count < 1000 else { return }
      title = known + text.prefix(1000 - known.count)
    }

    func start(_ name: UnsafePointer<xmlChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {
      var found: [String: String] = [:]
      var index = 0
      while let attributes, let key = attributes[index] {
        found[String(cString: key).lowercased()] = attributes[index + 1].map { String(cString: $0) } ?? ""
        index += 2
      }
      let name = String(cString: name).lowercased()
      if name == "title", title == nil { (title, isInTitle) = ([], true) }
      visit(name, found)
    }
  }
}
