import CLibXML2
import Model

/// Reads XML in any encoding as its bytes arrive and reports events to a sink, even if the document is broken.
///
///     let reader = XMLReader(sink: sink, roots: ["opml"])
///     for chunk in chunks { reader.feed(chunk) }
///     reader.finish()
///     guard reader.foundRoot else { … }   // no such document; reader.isDamaged: something had to be repaired
///
/// There are three stages: `TextDecoder` converts the bytes to UTF-8, `XMLRepair` makes the text well-formed
/// (entities, unescaped `&`, missing end tags, DTDs removed), and libxml2's push parser turns the markup into events.
/// Text without markup goes directly to the sink. The sink only sees our own types, so that the library can be
/// replaced. Use it from one thread at a time; nothing is called after `finish`.
final class XMLReader {
  private let translator: XMLTranslator
  private let parser: XMLPushParser
  private var repair: XMLRepair
  private let decoder: TextDecoder
  private var finished = false

  /// - Parameters:
  ///   - sink: receives the events; the reader keeps it alive.
  ///   - roots: allowed local names of the root element. Anything before the first one is skipped (PHP warnings,
  ///     white space, another page's head). Nil: any element.
  ///   - charset: the charset of the HTTP Content-Type, if there is one.
  init(sink: any XMLSink, roots: Set<String>? = nil, charset: String? = nil, limits: XMLLimits = .standard) {
    translator = XMLTranslator(sink: sink)
    parser = XMLPushParser(translator: translator)
    repair = XMLRepair(roots: roots, limits: limits)
    decoder = TextDecoder(charset: charset)
  }

  /// Whether a root element was found.
  var foundRoot: Bool { repair.rootName != nil }
  /// The root element's local name.
  var rootName: String? { repair.rootName }
  /// The first element's local name, whether it is an allowed root or not.
  var firstName: String? { repair.firstName }
  /// The document is not well-formed, has encoding errors, or ended early. What was readable has been reported.
  var isDamaged: Bool { repair.isDamaged || parser.isDamaged || decoder.isDamaged }
  /// The document ended before its root element. Known after `finish`.
  private(set) var isCutOff = false
  /// The document exceeded its size limit.
  var isTooLarge: Bool { repair.isTooLarge }

  func feed(_ bytes: UnsafeRawBufferPointer) {
    guard !finished else { return }
    // Large input is processed in slices, to keep the buffers between the stages small.
    var rest = bytes.bindMemory(to: UInt8.self)
    while !rest.isEmpty, !repair.isDone {
      let slice = UnsafeBufferPointer(rebasing: rest.prefix(32 << 10))
      decoder.decode(slice, final: false) { pass($0) }
      rest = UnsafeBufferPointer(rebasing: rest.dropFirst(slice.count))
    }
  }

  /// Reports the remaining events and ends all open elements. Idempotent.
  func finish() {
    guard !finished else { return }
    finished = true
    decoder.decode(UnsafeBufferPointer(start: nil, count: 0), final: true) { pass($0) }
    isCutOff = repair.finish { emit($0) }
    if isCutOff { translator.cutOff() }
    repair.closeAll { emit($0) }
    parser.finish()
  }

  private func pass(_ text: UnsafeBufferPointer<UInt8>) {
    if decoder.isUTF8 { repair.repairsC1 = true }
    repair.feed(text) { emit($0) }
    if repair.isTooLarge { parser.stop() }
    if parser.names > repair.limits.names { repair.isDone = true }
  }

  private func emit(_ piece: XMLRepair.Piece) {
    switch piece {
    case .markup(let bytes): parser.parse(bytes)
    case .text(let bytes): translator.text(bytes)
    }
  }
}

/// The library that guesses charsets, for `earshot doctor`.
public enum CharsetLibrary {
  public static func check() -> OptionalLibrary {
    OptionalLibrary(
      name: "uchardet", wanted: CharsetDetector.names[0],
      found: CharsetDetector.shared.map { _ in CharsetDetector.names[0] },
      loss: "wrong letters in feeds that are not UTF-8 and do not name their charset")
  }
}

/// The version of libxml2 at compile time, for `earshot doctor`.
public enum XMLVersion {
  public static let text = LIBXML_DOTTED_VERSION
}
