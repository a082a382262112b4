import CLibXML2

/// libxml2's push parser. Its input is UTF-8 from `XMLRepair`, and its events go to an `XMLTranslator`.
final class XMLPushParser {
  private let translator: XMLTranslator
  private let context: xmlParserCtxtPtr?
  private static let initialised: Void = xmlInitParser()

  init(translator: XMLTranslator) {
    _ = Self.initialised
    self.translator = translator
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElementNs = { user, local, prefix, address, _, _, count, _, attributes in
      XMLPushParser.translate(user) { $0.start(local, prefix, address, attributes, count) }
    }
    handler.endElementNs = { user, local, prefix, address in
      XMLPushParser.translate(user) { $0.end(local, prefix, address) }
    }
    handler.characters = { user, bytes, count in XMLPushParser.translate(user) { $0.text(bytes, count) } }
    handler.ignorableWhitespace = handler.characters
    handler.cdataBlock = handler.characters
    handler.serror = { user, error in
      guard let error, error.pointee.domain == Int32(XML_FROM_PARSER.rawValue) else { return }
      guard error.pointee.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
      XMLPushParser.translate(user) { $0.isDamaged = true }
    }
    // The context has an unretained pointer to the translator, which `self` keeps alive until the context is freed.
    let user = Unmanaged.passUnretained(translator).toOpaque()
    context = xmlCreatePushParserCtxt(&handler, user, nil, 0, nil)
    if let context {
      // Never NOENT, DTDLOAD or HUGE. IGNORE_ENC: the input is UTF-8, whatever it declares.
      let options = [XML_PARSE_RECOVER, XML_PARSE_NONET, XML_PARSE_NOCDATA, XML_PARSE_IGNORE_ENC]
      xmlCtxtUseOptions(context, options.reduce(0) { $0 | Int32($1.rawValue) })
      // libxml2 holds back the first four bytes of a document, and a root's start tag can be shorter.
      let declaration = "<?xml version=\"1.0\"?>"
      xmlParseChunk(context, declaration, Int32(declaration.utf8.count), 0)
    }
  }

  deinit {
    if let context { xmlFreeParserCtxt(context) }
  }

  /// libxml2 found an error that the repair stage did not fix, or stopped.
  var isDamaged: Bool { translator.isDamaged || context == nil }

  /// The number of different names in the document so far.
  var names: Int { context.map { Int(xmlDictSize($0.pointee.dict)) } ?? 0 }

  func parse(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let context, let start = bytes.baseAddress, !bytes.isEmpty else { return }
    start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      _ = xmlParseChunk(context, $0, Int32(clamping: bytes.count), 0)
    }
  }

  func finish() {
    if let context { xmlParseChunk(context, nil, 0, 1) }
  }

  func stop() {
    if let context { xmlStopParser(context) }
  }

  /// Calls `body` with the translator without counting references, which would cost as much as the translation.
  @inline(__always)
  private static func translate(_ user: UnsafeMutableRawPointer?, _ body: (XMLTranslator) -> Void) {
    guard let user else { return }
    Unmanaged<XMLTranslator>.fromOpaque(user)._withUnsafeGuaranteedRef(body)
  }
}
