import CLibXML2

/// Reads XML of any encoding as its bytes arrive and tells a sink what it says, however broken it is.
///
///     let reader = XMLReader(sink: sink, roots: ["opml"])
///     for chunk in chunks { reader.feed(chunk) }
///     reader.finish()
///     guard reader.foundRoot else { … }   // no such document; reader.isDamaged: something had to be mended
///
/// Three stages, each behind the next: `TextDecoder` makes UTF-8 of the bytes, `XMLRepair` makes well-formed XML of the
/// text (entities, bare `&`, missing end tags, DTDs gone), libxml2's push parser makes events of its markup; text that is
/// ready goes straight to the sink. The sink sees our own types only, so that the library can be exchanged. One thread at
/// a time; nothing is called after `finish`.
final class XMLReader {
  private let translator: XMLTranslator
  private let parser: XMLPushParser
  private var repair: XMLRepair
  private let decoder: TextDecoder
  private var finished = false
  /// Set by `stop`, which may be called while `repair` is at work and so cannot tell it.
  private var stopped = false

  /// - Parameters:
  ///   - sink: is told what the document says; the reader keeps it alive.
  ///   - roots: local names that the document may start with. What stands before the first of them is skipped (PHP
  ///     warnings, white space, another page's head). Nil: any element is the root.
  ///   - charset: the charset of the HTTP Content-Type, if it names one.
  init(sink: any XMLSink, roots: Set<String>? = nil, charset: String? = nil, limits: XMLLimits = .standard) {
    translator = XMLTranslator(sink: sink)
    parser = XMLPushParser(translator: translator)
    repair = XMLRepair(roots: roots, limits: limits)
    decoder = TextDecoder(charset: charset)
  }

  /// A root element has been seen.
  var foundRoot: Bool { repair.rootName != nil }
  /// The root element's local name.
  var rootName: String? { repair.rootName }
  /// The first element's local name, whether it may be a root or not.
  var firstName: String? { repair.firstName }
  /// The document broke a rule of XML or of its encoding, or it ended early; what was readable has been told.
  var isDamaged: Bool { repair.isDamaged || parser.isDamaged || decoder.isDamaged }
  /// The document ended before its root element did. Known after `finish`.
  private(set) var isCutOff = false
  /// The root element has ended, or a limit was passed: more bytes change nothing.
  var isDone: Bool { stopped || repair.isDone }
  /// The document was larger than its limit.
  var isTooLarge: Bool { repair.isTooLarge }

  func feed(_ bytes: UnsafeRawBufferPointer) {
    guard !finished, !isDone else { return }
    // Large input goes through in slices, which keeps the buffers between the stages small.
    var rest = bytes.bindMemory(to: UInt8.self)
    while !rest.isEmpty, !isDone {
      let slice = UnsafeBufferPointer(rebasing: rest.prefix(32 << 10))
      decoder.decode(slice, final: false) { pass($0) }
      rest = UnsafeBufferPointer(rebasing: rest.dropFirst(slice.count))
    }
  }

  /// Tells what is left and ends all open elements. Idempotent.
  func finish() {
    guard !finished else { return }
    finished = true
    decoder.decode(UnsafeBufferPointer(start: nil, count: 0), final: true) { pass($0) }
    isCutOff = repair.finish { emit($0) }
    if isCutOff { translator.cutOff() }
    repair.closeAll { emit($0) }
    parser.finish()
  }

  /// Stops at once, from within a sink or between chunks: the rest of the document is not looked at.
  func stop() {
    stopped = true
    parser.stop()
  }

  private func pass(_ text: UnsafeBufferPointer<UInt8>) {
    if decoder.isUTF8 { repair.mendsC1 = true }
    repair.feed(text) { emit($0) }
    if repair.isTooLarge { parser.stop() }
    if parser.names > repair.limits.names { repair.isDone = true }
  }

  private func emit(_ piece: XMLRepair.Piece) {
    switch piece {
    case .markup(let bytes): parser.parse(bytes)
    case .text(let bytes): if !stopped { translator.text(bytes) }
    }
  }
}
