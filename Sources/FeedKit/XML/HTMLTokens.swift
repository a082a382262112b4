import CLibXML2

/// A token of libxml2's HTML parser. Names are in lower case, and missing end tags have been added.
enum HTMLToken {
  case start(String, HTMLAttributes)
  case end(String)
  /// UTF-8 with references resolved. A text may come in several pieces. Only valid during the call.
  case text(UnsafeBufferPointer<UInt8>)
}

/// The attributes of a start tag, read directly from libxml2's list. Only valid during the call.
struct HTMLAttributes {
  fileprivate let list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?

  subscript(name: String) -> String? {
    guard let list else { return nil }
    var index = 0
    while let key = list[index] {
      if xmlStrEqual(key, name) != 0 {
        return list[index + 1].map { String(cString: $0) } ?? ""
      }
      index += 2
    }
    return nil
  }
}

/// Runs libxml2's HTML parser as a stream of tokens.
///
/// libxml2 2.9 searches all open elements at each end tag, so a megabyte of `<b>` and `</i>` would take minutes.
/// Parsing stops at `deepest` open elements, and the caller gets the number of bytes read.
enum HTMLTokens {
  static let deepest = 256

  /// Passes each token to `body` until it returns false. Returns the number of bytes read.
  static func read(_ html: UnsafeBufferPointer<UInt8>, _ body: (HTMLToken) -> Bool) -> Int {
    guard let base = html.baseAddress, !html.isEmpty, html.count <= Int(Int32.max),
      let context = htmlCreateMemoryParserCtxt(
        UnsafeRawPointer(base).assumingMemoryBound(to: CChar.self), Int32(html.count))
    else { return html.count }
    defer { htmlFreeParserCtxt(context) }
    // The text is UTF-8, whatever a <meta charset> in it says.
    htmlCtxtUseOptions(
      context,
      Int32(
        HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
          | HTML_PARSE_NONET.rawValue | HTML_PARSE_NODEFDTD.rawValue | HTML_PARSE_NOIMPLIED.rawValue
          | HTML_PARSE_IGNORE_ENC.rawValue))
    xmlSwitchEncoding(context, XML_CHAR_ENCODING_UTF8)
    return withoutActuallyEscaping(body) { body in
      let receiver = Receiver(context: context, body: body)
      return withExtendedLifetime(receiver) {
        install(receiver, in: context)
        htmlParseDocument(context)
        return receiver.stoppedAt.map { min(max($0, 0), html.count) } ?? html.count
      }
    }
  }

  /// Replaces the handlers that build a tree.
  private static func install(_ receiver: Receiver, in context: htmlParserCtxtPtr) {
    guard let sax = context.pointee.sax else { return }
    sax.pointee = htmlSAXHandler()
    sax.pointee.startElement = { user, name, attributes in
      guard let receiver = Receiver.of(user), let name else { return }
      receiver.receive(.start(String(cString: name), HTMLAttributes(list: attributes)))
    }
    sax.pointee.endElement = { user, name in
      guard let receiver = Receiver.of(user), let name else { return }
      receiver.receive(.end(String(cString: name)))
    }
    let characters: charactersSAXFunc = { user, text, count in
      guard let receiver = Receiver.of(user), let text, count > 0 else { return }
      receiver.receive(.text(UnsafeBufferPointer(start: text, count: Int(count))))
    }
    sax.pointee.characters = characters
    sax.pointee.ignorableWhitespace = characters
    // cdataBlock stays nil: it delivers the content of <script> and <style>.
    context.pointee.userData = Unmanaged.passUnretained(receiver).toOpaque()
  }

  /// Passes the closure through C's user pointer.
  private final class Receiver {
    let context: htmlParserCtxtPtr
    let body: (HTMLToken) -> Bool
    var stoppedAt: Int?

    init(context: htmlParserCtxtPtr, body: @escaping (HTMLToken) -> Bool) {
      self.context = context
      self.body = body
    }

    static func of(_ user: UnsafeMutableRawPointer?) -> Receiver? {
      user.map { Unmanaged<Receiver>.fromOpaque($0).takeUnretainedValue() }
    }

    func receive(_ token: HTMLToken) {
      guard stoppedAt == nil else { return }
      if body(token), context.pointee.nameNr < HTMLTokens.deepest { return }
      stoppedAt = xmlByteConsumed(context)
      xmlStopParser(context)
    }
  }
}
