/// Makes well-formed XML of what feeds really hold, on the fly, so that the parser's answer never depends on how it
/// happens to recover.
///
/// It balances tags, quotes attributes, escapes bare `&` and `<`, resolves HTML's entities and those of an internal DTD
/// as plain text, drops control characters, comments, processing instructions and every DTD (with them entity bombs and
/// external entities), reads bytes that are no UTF-8 as Windows-1252, and enforces `XMLLimits`. Text that needs any of
/// this, and every long one, does not pass the parser, which could only copy it: it is told between the tags.
///
/// Input is UTF-8 in pieces of any size; a token cut by the end of a piece waits for the next one. A struct that is never
/// copied, because the exclusivity checks of a class's properties took an eighth of the whole reading time.
struct XMLRepair: ~Copyable {
  /// What comes out, in document order.
  enum Piece {
    /// Well-formed XML for the parser; all of its events are due before the next piece.
    case markup(UnsafeBufferPointer<UInt8>)
    /// Text, past the parser: no references in it, line ends as `\n`.
    case text(UnsafeBufferPointer<UInt8>)
  }
  typealias Output = (Piece) -> Void
  typealias Bytes = UnsafePointer<UInt8>

  var isDamaged = false
  var isTooLarge = false
  /// The root has ended or a limit was passed.
  var isDone = false
  var rootName: String?
  var firstName: String?
  /// The source was UTF-8, so that a C1 control is Windows-1252 taken for Latin-1 on the way here: show what was meant.
  var mendsC1 = false

  let limits: XMLLimits
  let roots: Set<String>?
  var mode = Mode.prolog
  var out = ByteBuffer(capacity: 80 << 10)
  var pending = ByteBuffer(capacity: 1 << 10)
  /// A token that needs more bytes is looked at again only when the bytes have doubled: linear, however they drip.
  var waitFor = 0
  var open: OpenElements
  var entities: XMLEntities
  /// Where in `out` the text that is being written began.
  var textStart = 0
  /// That text may go through the parser: nothing in it is special to XML.
  var isPlain = true
  /// The texts in `out` that go past the parser.
  var direct: [Range<Int>] = []
  /// The last of them ended in a carriage return, which a line feed may follow.
  var endedInReturn = false
  /// Open elements beyond the depth limit, left out with their tags (not with their text).
  var tooDeep = 0
  var total = 0
  var inDoctype = false

  enum Mode { case prolog, content, cdata, comment, epilog }
  /// What became of a piece of markup: where it ends, or that it is none, or that more bytes are needed to tell.
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

  /// Takes what is pending as the end of the document. True when elements are open: the document was cut off.
  mutating func finish(to output: Output) -> Bool {
    if !isDone {
      _ = consume(pending.start, pending.start + pending.count, final: true, to: output)
      pending.removeAll()
    }
    flush(to: output)
    if !open.isEmpty { isDamaged = true }
    return !open.isEmpty
  }

  /// Ends what is open, so that the parser sees a whole document.
  mutating func closeAll(to output: Output) {
    endText()
    while !open.isEmpty { writeEnd() }
    textStart = out.count
    isDone = true
    flush(to: output)
  }

  mutating func flush(to output: Output) {
    guard !out.isEmpty else { return }
    // The parser would keep a text back until it sees the next tag.
    isPlain = false
    endText()
    var told = 0
    for range in direct {
      tellMarkup(told..<range.lowerBound, to: output)
      let text = out.normaliseLines(range, after: &endedInReturn)
      if !text.isEmpty { output(.text(text)) }
      told = range.upperBound
    }
    tellMarkup(told..<out.count, to: output)
    direct.removeAll(keepingCapacity: true)
    out.removeAll()
    textStart = 0
  }

  private mutating func tellMarkup(_ range: Range<Int>, to output: Output) {
    guard !range.isEmpty else { return }
    // A line feed that the line's carriage return went ahead of.
    let rest = endedInReturn && out[range].first == 0x0A ? range.dropFirst() : range
    endedInReturn = false
    if !rest.isEmpty { output(.markup(out[rest])) }
  }

  /// The text written so far, or up to `end`, is over: markup follows in `out`.
  mutating func endText(at end: Int? = nil) {
    let end = end ?? out.count
    if end > textStart, !isPlain || end - textStart > 128 { direct.append(textStart..<end) }
    textStart = end
    isPlain = true
  }

  mutating func consume(_ start: Bytes, _ end: Bytes, final: Bool, to output: Output) -> Int {
    var at = start
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
