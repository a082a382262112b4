/// Turns the broken XML of feeds into well-formed XML as it arrives, so that the result does not depend on the
/// parser's error recovery.
///
/// It balances tags, quotes attributes, escapes `&` and `<`, resolves HTML's entities and those of an internal DTD to
/// plain text, removes control characters, comments, processing instructions and DTDs (and with them entity bombs and
/// external entities), reads bytes that are not UTF-8 as Windows-1252, and enforces `XMLLimits`. Text that needs any
/// of this, and every long text, bypasses the parser, which would only copy it: it is reported between the tags.
///
/// The input is UTF-8 in chunks of any size. A token that is cut by the end of a chunk waits for the next one. It is a
/// noncopyable struct, because exclusivity checks for properties of a class took an eighth of the total reading time.
struct XMLRepair: ~Copyable {
  /// The output, in document order.
  enum Piece {
    /// Well-formed XML for the parser. All of its events must be reported before the next piece.
    case markup(UnsafeBufferPointer<UInt8>)
    /// Text that bypasses the parser: without references, line ends as `\n`.
    case text(UnsafeBufferPointer<UInt8>)
  }
  typealias Output = (Piece) -> Void
  typealias Bytes = UnsafePointer<UInt8>

  var isDamaged = false
  var isTooLarge = false
  /// The root has ended, or a limit was exceeded.
  var isDone = false
  var rootName: String?
  var firstName: String?
  /// The source was UTF-8, so a C1 control comes from Windows-1252 that was converted as Latin-1. It is replaced by
  /// the intended character.
  var repairsC1 = false

  let limits: XMLLimits
  let roots: Set<String>?
  var mode = Mode.prolog
  var out = ByteBuffer(capacity: 80 << 10)
  var pending = ByteBuffer(capacity: 1 << 10)
  /// A token that needs more bytes is parsed again only when the bytes have doubled. This keeps the cost linear for
  /// any chunk size.
  var waitFor = 0
  var open: OpenElements
  var entities: XMLEntities
  /// Where the current text starts in `out`.
  var textStart = 0
  /// The current text may go through the parser, because it has no characters special to XML.
  var isPlain = true
  /// The texts in `out` that bypass the parser.
  var direct: [Range<Int>] = []
  /// The last of them ended in a carriage return, which a line feed may follow.
  var endedInReturn = false
  /// The number of open elements beyond the depth limit. Their tags are left out, but not their text.
  var tooDeep = 0
  var total = 0
  /// How many start tags of the innermost element the CDATA section has that have no end tag.
  var startsInCDATA = 0
  var inDoctype = false
  /// The next `>` in the bytes of this call of `consume`.
  var closing: ByteScan.Next?
  /// Broken quotes can make each declaration seem to extend to the end. This limits how many bytes are scanned for it.
  var declarationBudget = 16 << 20

  enum Mode { case prolog, content, cdata, comment, epilog }
  /// The result for a piece of markup: where it ends, that it is plain text, or that more bytes are needed.
  enum Outcome { case next(Bytes), literal, more }

  init(roots: Set<String>?, limits: XMLLimits) {
    self.roots = roots
    self.limits = limits
    open = OpenElements(capacity: limits.depth)
    entities = XMLEntities(limits: limits)
  }

  mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>, to output: Output) {
    guard !isDone, let start = bytes.baseAddress, !bytes.isEmpty else { return }
    total &+= bytes.count
    guard total <= limits.documentBytes else {
      isTooLarge = true
      isDamaged = true
      isDone = true
      return
    }
    if pending.isEmpty {
      let used = consume(start, start + bytes.count, final: false, to: output)
      pending.append(start + used, isDone ? 0 : bytes.count - used)
    } else {
      pending.append(start, bytes.count)
      guard pending.count >= waitFor else { return }
      let used = consume(pending.start, pending.start + pending.count, final: false, to: output)
      pending.removeFirst(used)
    }
    waitFor = pending.count > 1024 ? pending.count * 2 : 0
    flush(to: output)
  }

  /// Treats the pending bytes as the end of the document. True if elements were still open: the document was cut off.
  mutating func finish(to output: Output) -> Bool {
    if !isDone {
      _ = consume(pending.start, pending.start + pending.count, final: true, to: output)
      pending.removeAll()
    }
    flush(to: output)
    if !open.isEmpty { isDamaged = true }
    return !open.isEmpty
  }

  /// Ends all open elements, so that the parser gets a complete document.
  mutating func closeAll(to output: Output) {
    endText()
    while !open.isEmpty { writeEnd() }
    textStart = out.count
    isDone = true
    flush(to: output)
  }

  mutating func flush(to output: Output) {
    guard !out.isEmpty else { return }
    // The parser would hold a text back until the next tag.
    isPlain = false
    endText()
    var emitted = 0
    for range in direct {
      emitMarkup(emitted..<range.lowerBound, to: output)
      let text = out.normaliseLines(range, after: &endedInReturn)
      if !text.isEmpty { output(.text(text)) }
      emitted = range.upperBound
    }
    emitMarkup(emitted..<out.count, to: output)
    direct.removeAll(keepingCapacity: true)
    out.removeAll()
    textStart = 0
  }

  private mutating func emitMarkup(_ range: Range<Int>, to output: Output) {
    guard !range.isEmpty else { return }
    // Skips a line feed whose carriage return was already reported.
    let rest = endedInReturn && out[range].first == 0x0A ? range.dropFirst() : range
    endedInReturn = false
    if !rest.isEmpty { output(.markup(out[rest])) }
  }

  /// Ends the current text (at `end` if given), because markup follows in `out`.
  mutating func endText(at end: Int? = nil) {
    let end = end ?? out.count
    if end > textStart, !isPlain || end - textStart > 128 { direct.append(textStart..<end) }
    textStart = end
    isPlain = true
  }

  mutating func consume(_ start: Bytes, _ end: Bytes, final: Bool, to output: Output) -> Int {
    var at = start
    closing = ByteScan.Next(UInt8(ascii: ">"), before: end)
    defer { closing = nil }
    while at < end, !isDone {
      let before = at
      switch mode {
      case .prolog: at = prolog(at, end, final)
      case .content: at = content(at, end, final)
      case .cdata: at = cdata(at, end, final)
      case .comment: at = comment(at, end, final)
      case .epilog: at = end
      }
      if out.count > 48 << 10 { flush(to: output) }
      if at == before { break }
    }
    return at - start
  }

  mutating func rest() {
    mode = !open.isEmpty ? .content : rootName == nil ? .prolog : .epilog
    if mode == .epilog { isDone = true }
  }
}
