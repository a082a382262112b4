/// Makes well-formed XML of what feeds really hold, on the fly, so that the parser's answer never depends on how it
/// happens to recover.
///
/// It balances tags, quotes attributes, escapes bare `&` and `<`, resolves HTML's entities and those of an internal DTD
/// as plain text, drops control characters, comments, processing instructions and every DTD (with them entity bombs and
/// external entities), reads bytes that are no UTF-8 as Windows-1252, and enforces `XMLLimits`. Text that needs any of
/// this goes on as a CDATA section, which the parser passes through fastest.
///
/// Input is UTF-8 in pieces of any size; a token cut by the end of a piece waits for the next one. A struct that is never
/// copied, because the exclusivity checks of a class's properties took an eighth of the whole reading time.
struct XMLRepair: ~Copyable {
  typealias Output = (UnsafeBufferPointer<UInt8>) -> Void
  typealias Bytes = UnsafePointer<UInt8>

  private(set) var isDamaged = false
  private(set) var isTooLarge = false
  /// The root has ended or a limit was passed.
  private(set) var isDone = false
  private(set) var rootName: String?
  private(set) var firstName: String?
  /// The source was UTF-8, so that a C1 control is Windows-1252 taken for Latin-1 on the way here: show what was meant.
  var mendsC1 = false

  let limits: XMLLimits
  private let roots: Set<String>?
  private var mode = Mode.prolog
  private var out = ByteBuffer(capacity: 80 << 10)
  private var pending = ByteBuffer(capacity: 1 << 10)
  /// A token that needs more bytes is looked at again only when the bytes have doubled: linear, however they drip.
  private var waitFor = 0
  private var open: OpenElements
  private var entities: XMLEntities
  /// Text is being written inside a CDATA section of our own.
  private var wrapped = false
  /// Open elements beyond the depth limit, left out with their tags (not with their text).
  private var tooDeep = 0
  private var total = 0
  private var inDoctype = false

  private enum Mode { case prolog, content, cdata, comment, epilog }
  /// What became of a piece of markup: where it ends, or that it is none, or that more bytes are needed to tell.
  private enum Outcome { case next(Bytes), literal, more }

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
    if mode == .cdata { endCDATA() }
    flush(to: output)
    if !open.isEmpty { isDamaged = true }
    return !open.isEmpty
  }

  /// Ends what is open, so that the parser sees a whole document.
  mutating func closeAll(to output: Output) {
    closeText()
    while !open.isEmpty { writeEnd() }
    isDone = true
    flush(to: output)
  }

  private mutating func flush(to output: Output) {
    guard !out.isEmpty else { return }
    output(out.bytes)
    out.removeAll()
  }

  private mutating func consume(_ start: Bytes, _ end: Bytes, final: Bool, to output: Output) -> Int {
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

  private mutating func rest() {
    mode = !open.isEmpty ? .content : rootName == nil ? .prolog : .epilog
    if mode == .epilog { isDone = true }
  }
}

// MARK: - Outside the root
extension XMLRepair {
  /// Everything before the root: declaration, DTD, junk. Only entity declarations and the root itself mean anything.
  private mutating func prolog(_ start: Bytes, _ end: Bytes, _ final: Bool) -> Bytes {
    guard let at = ByteScan.find(UInt8(ascii: "<"), start, end) else {
      noteJunk(start, end)
      return end
    }
    noteJunk(start, at)
    guard at + 1 < end else { return final ? end : at }
    let outcome: Outcome
    switch at[1] {
    case UInt8(ascii: "?"): outcome = instruction(at, end, final)
    case UInt8(ascii: "!"): outcome = declaration(at, end, final)
    case let byte where ByteScan.isNameStart(byte): outcome = startTag(at, end, final)
    default: outcome = .literal
    }
    switch outcome {
    case .next(let next): return next
    case .more: return final ? end : at
    case .literal:
      isDamaged = true
      return at + 1
    }
  }

  private mutating func noteJunk(_ start: Bytes, _ end: Bytes) {
    guard !inDoctype, !isDamaged else { return }
    if UnsafeBufferPointer(start: start, count: end - start).contains(where: { $0 > 0x20 && $0 < 0x80 }) {
      isDamaged = true
    }
  }

  /// `<!…` before the root: comment, DOCTYPE and what stands within its brackets.
  private mutating func declaration(_ at: Bytes, _ end: Bytes, _ final: Bool) -> Outcome {
    if ByteScan.has("<!--", at, end) {
      mode = .comment
      return .next(at + 4)
    }
    guard end - at >= 10 || final else { return .more }
    if ByteScan.has("<!DOCTYPE", at, end, ignoringCase: true) {
      inDoctype = true
      return .next(at + 9)
    }
    guard ByteScan.has("<!ENTITY", at, end) else { return .next(at + 2) }
    guard let close = ByteScan.endOfDeclaration(at, end) else {
      return final || end - at > limits.tagBytes ? .next(at + 8) : .more
    }
    if !entities.declare(UnsafeBufferPointer(start: at + 8, count: close - at - 8)) { isDamaged = true }
    return .next(close + 1)
  }

  /// `<?…?>`, dropped. One that forgets its `?` ends at the first `>`.
  private mutating func instruction(_ at: Bytes, _ end: Bytes, _ final: Bool) -> Outcome {
    let window = min(end, at + 2048)
    var scan = at + 2
    var first: Bytes?
    while let close = ByteScan.find(UInt8(ascii: ">"), scan, window) {
      if close[-1] == UInt8(ascii: "?") { return .next(close + 1) }
      if first == nil { first = close }
      scan = close + 1
    }
    if window == end, !final, end - at < 2048 { return .more }
    isDamaged = true
    return .next(first.map { $0 + 1 } ?? at + 2)
  }

  private mutating func comment(_ start: Bytes, _ end: Bytes, _ final: Bool) -> Bytes {
    var scan = start
    while let close = ByteScan.find(UInt8(ascii: ">"), scan, end) {
      if close - start >= 2, close[-1] == UInt8(ascii: "-"), close[-2] == UInt8(ascii: "-") {
        rest()
        return close + 1
      }
      scan = close + 1
    }
    // Two hyphens may stand before a `>` that has not arrived.
    return final ? end : max(start, end - 2)
  }
}

// MARK: - Text
extension XMLRepair {
  private mutating func content(_ start: Bytes, _ end: Bytes, _ final: Bool) -> Bytes {
    var at = start
    while at < end {
      let run = ByteScan.text(at, end, throughHigh: wrapped)
      out.append(at, run - at)
      at = run
      guard at < end else { break }
      let byte = at.pointee
      let outcome: Outcome
      switch byte {
      case UInt8(ascii: "<"): outcome = markup(at, end, final)
      case UInt8(ascii: "&"): outcome = reference(at, end, final, quote: nil)
      case UInt8(ascii: ">"):
        writeText(byte)
        outcome = .next(at + 1)
      case 0x80...:
        openText()
        outcome = sequence(at, end, final, quote: nil)
      default:
        isDamaged = true  // a control character
        outcome = .next(at + 1)
      }
      switch outcome {
      case .next(let next): at = next
      case .more: return final ? end : at
      case .literal:
        isDamaged = true
        openText()
        out.append(byte)
        at += 1
      }
      if mode != .content || out.count > 48 << 10 { break }
    }
    return at
  }

  private mutating func openText() {
    guard !wrapped else { return }
    out.append("<![CDATA[")
    wrapped = true
  }

  private mutating func closeText() {
    guard wrapped else { return }
    out.append("]]>")
    wrapped = false
  }

  /// Writes a byte of text that may be special to XML.
  private mutating func writeText(_ byte: UInt8) {
    if byte == UInt8(ascii: ">"), out.last() == UInt8(ascii: "]") {
      openText()
      // `]]>` would end the section: `]]` in this one, `>` in the next.
      if out.last(1) == UInt8(ascii: "]") { out.append("]]><![CDATA[") }
    } else if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") {
      openText()
    }
    out.append(byte)
  }

  /// The inside of a CDATA section.
  private mutating func cdata(_ start: Bytes, _ end: Bytes, _ final: Bool) -> Bytes {
    var at = start
    while at < end {
      let run = ByteScan.cdata(at, end)
      out.append(at, run - at)
      at = run
      guard at < end else { break }
      switch at.pointee {
      case UInt8(ascii: "]"):
        guard end - at >= 3 || final else { return at }
        if ByteScan.has("]]>", at, end) {
          endCDATA()
          rest()
          return at + 3
        }
        out.append(at.pointee)
        at += 1
      case 0x80...:
        guard case .next(let next) = sequence(at, end, final, quote: nil) else { return final ? end : at }
        at = next
      default:
        isDamaged = true
        at += 1
      }
      if out.count > 48 << 10 { break }
    }
    return at
  }

  private mutating func endCDATA() { out.append("]]>") }

  /// A byte of 0x80 or more: a UTF-8 sequence, or something in Windows-1252.
  private mutating func sequence(_ at: Bytes, _ end: Bytes, _ final: Bool, quote: UInt8?) -> Outcome {
    switch ByteScan.sequence(at, end) {
    case .valid(let length):
      let isC1 = at[0] == 0xC2 && at[1] < 0xA0
      let isNoCharacter = length == 3 && at[0] == 0xEF && at[1] == 0xBF && at[2] >= 0xBE
      if isC1, mendsC1 {
        isDamaged = true
        out.append(scalar: Windows1252.printable(at[1]))
      } else if isNoCharacter {
        isDamaged = true
      } else {
        out.append(at, length)
      }
      return .next(at + length)
    case .incomplete where !final: return .more
    default:
      isDamaged = true
      out.append(scalar: Windows1252.printable(at[0]))
      return .next(at + 1)
    }
  }

  /// `&…;`: resolved here, in text and in attribute values alike. `quote` is set within an attribute value.
  private mutating func reference(_ at: Bytes, _ end: Bytes, _ final: Bool, quote: UInt8?) -> Outcome {
    var scan = at + 1
    let window = min(end, at + 40)
    while scan < window, ByteScan.isReferenceByte(scan.pointee) { scan += 1 }
    if scan == end, !final, end - at < 40 { return .more }
    let name = UnsafeBufferPointer(start: at + 1, count: scan - at - 1)
    guard scan < end, scan.pointee == UInt8(ascii: ";"), !name.isEmpty, let value = entities.resolve(name) else {
      isDamaged = true
      write(UInt8(ascii: "&"), quote: quote)
      return .next(at + 1)
    }
    if !value.isXML { isDamaged = true }
    switch value.text {
    case .scalar(let scalar):
      if scalar < 0x80 {
        write(UInt8(truncatingIfNeeded: scalar), quote: quote)
      } else {
        if quote == nil { openText() }
        out.append(scalar: scalar)
      }
    case .bytes(let bytes): for byte in bytes { write(byte, quote: quote) }
    }
    return .next(scan + 1)
  }

  private mutating func write(_ byte: UInt8, quote: UInt8?) {
    guard let quote else {
      if byte >= 0x80 { openText() }
      return writeText(byte)
    }
    switch byte {
    case UInt8(ascii: "&"): out.append("&amp;")
    case UInt8(ascii: "<"): out.append("&lt;")
    case quote: out.append(quote == UInt8(ascii: "'") ? "&#39;" : "&quot;")
    default: out.append(byte)
    }
  }
}

// MARK: - Tags
extension XMLRepair {
  private mutating func markup(_ at: Bytes, _ end: Bytes, _ final: Bool) -> Outcome {
    guard at + 1 < end else { return .more }
    switch at[1] {
    case UInt8(ascii: "/"): return endTag(at, end, final)
    case UInt8(ascii: "?"): return instruction(at, end, final)
    case UInt8(ascii: "!"):
      guard end - at >= 9 || final else { return .more }
      if ByteScan.has("<![CDATA[", at, end) {
        closeText()
        out.append("<![CDATA[")
        mode = .cdata
        return .next(at + 9)
      }
      if ByteScan.has("<!--", at, end) {
        mode = .comment
        return .next(at + 4)
      }
      return .literal
    case let byte where ByteScan.isNameStart(byte): return startTag(at, end, final)
    default: return .literal
    }
  }

  private mutating func startTag(_ at: Bytes, _ end: Bytes, _ final: Bool) -> Outcome {
    if end - at > limits.tagBytes, ByteScan.find(UInt8(ascii: ">"), at, at + limits.tagBytes) == nil { return .literal }
    let mark = out.count
    let wasWrapped = wrapped
    guard let nameEnd = ByteScan.name(at + 1, end) else { return tagOutcome(at, end, .more, mark, wasWrapped) }
    let length = nameEnd - at - 1
    guard nameEnd == end || ByteScan.endsName(nameEnd.pointee) else { return .literal }
    if open.isEmpty, !mayBeRoot(at + 1, length) {
      isDamaged = true
      return .next(nameEnd)
    }
    closeText()
    out.append(at, length + 1)
    var attributes = AttributeTally()
    var scan = nameEnd
    var isEmpty = false
    tag: while true {
      scan = ByteScan.blanks(scan, end)
      guard scan < end else { return tagOutcome(at, end, .more, mark, wasWrapped) }
      switch scan.pointee {
      case UInt8(ascii: ">"):
        scan += 1
        break tag
      case UInt8(ascii: "<"):
        isDamaged = true
        break tag
      case UInt8(ascii: "/"):
        guard scan + 1 < end else { return tagOutcome(at, end, .more, mark, wasWrapped) }
        if scan[1] == UInt8(ascii: ">") {
          isEmpty = true
          scan += 2
          break tag
        }
        isDamaged = true
        scan += 1
      default:
        guard let next = attribute(scan, end, &attributes) else {
          return tagOutcome(at, end, .more, mark, wasWrapped)
        }
        scan = next
      }
    }
    guard scan - at <= limits.tagBytes, open.count < limits.depth else {
      if !isEmpty { tooDeep += open.count < limits.depth ? 0 : 1 }
      return tagOutcome(at, end, .next(scan), mark, wasWrapped)
    }
    out.append(isEmpty ? "/>" : ">")
    if rootName == nil { rootName = ByteScan.local(at + 1, length) }
    if !isEmpty { open.push(at + 1, length, namespaces: attributes.namespaces) }
    rest()
    return .next(scan)
  }

  /// Takes back what was written of a tag that turned out to be incomplete or unwanted.
  private mutating func tagOutcome(
    _ at: Bytes, _ end: Bytes, _ outcome: Outcome, _ mark: Int, _ wasWrapped: Bool
  ) -> Outcome {
    out.truncate(to: mark)
    wrapped = wasWrapped
    if case .more = outcome, end - at > limits.tagBytes {
      return .literal
    }
    if case .next = outcome { isDamaged = true }
    return outcome
  }

  private mutating func mayBeRoot(_ name: Bytes, _ length: Int) -> Bool {
    let local = ByteScan.local(name, length)
    if firstName == nil { firstName = local }
    guard let roots else { return true }
    return roots.contains(local) || roots.contains(local.lowercased())
  }

  private struct AttributeTally {
    var count = 0
    var namespaces = 0
  }

  /// Reads `name="value"` in any of its misspellings and writes it properly. Nil: more bytes are needed.
  private mutating func attribute(_ at: Bytes, _ end: Bytes, _ tally: inout AttributeTally) -> Bytes? {
    guard let nameEnd = ByteScan.name(at, end) else { return nil }
    guard nameEnd > at, ByteScan.isNameStart(at.pointee) else {
      isDamaged = true
      return max(nameEnd, at + 1)
    }
    var scan = ByteScan.blanks(nameEnd, end)
    guard scan < end else { return nil }
    let mark = out.count
    out.append(UInt8(ascii: " "))
    out.append(at, nameEnd - at)
    guard scan.pointee == UInt8(ascii: "=") else {
      // A bare word, as HTML allows: the name is the value.
      isDamaged = true
      out.append("=\"")
      out.append(at, nameEnd - at)
      out.append(UInt8(ascii: "\""))
      count(at, nameEnd, 0, mark, &tally)
      return nameEnd
    }
    scan = ByteScan.blanks(scan + 1, end)
    guard scan < end, let value = ByteScan.value(scan, end) else { return nil }
    if !value.isSound { isDamaged = true }
    let quote: UInt8 = value.quote ?? UInt8(ascii: "\"")
    out.append(UInt8(ascii: "="))
    out.append(quote)
    if value.end - value.start <= limits.attributeBytes { attributeText(value.start, value.end, quote) }
    out.append(quote)
    count(at, nameEnd, value.end - value.start, mark, &tally)
    return value.next
  }

  /// Keeps or takes back the attribute just written.
  private mutating func count(
    _ name: Bytes, _ nameEnd: Bytes, _ length: Int, _ mark: Int, _ tally: inout AttributeTally
  ) {
    let isNamespace = ByteScan.has("xmlns", name, nameEnd)
    let tooMany = tally.count >= limits.attributes
    let tooManyNames = isNamespace && open.namespaces + tally.namespaces >= limits.namespaces
    if tooMany || tooManyNames || length > limits.attributeBytes || !ByteScan.isUTF8(name, nameEnd) {
      isDamaged = true
      out.truncate(to: mark)
    } else {
      tally.count += 1
      tally.namespaces += isNamespace ? 1 : 0
    }
  }

  private mutating func attributeText(_ start: Bytes, _ end: Bytes, _ quote: UInt8) {
    var at = start
    while at < end {
      let run = ByteScan.text(at, end, throughHigh: true)
      out.append(at, run - at)
      at = run
      guard at < end else { break }
      let outcome: Outcome
      switch at.pointee {
      case UInt8(ascii: "&"): outcome = reference(at, end, true, quote: quote)
      case 0x80...: outcome = sequence(at, end, true, quote: quote)
      case UInt8(ascii: ">"):
        out.append(at.pointee)
        outcome = .next(at + 1)
      case UInt8(ascii: "<"):
        isDamaged = true
        write(at.pointee, quote: quote)
        outcome = .next(at + 1)
      default:
        isDamaged = true
        outcome = .next(at + 1)
      }
      guard case .next(let next) = outcome else { break }
      at = next
    }
  }

  private mutating func endTag(_ at: Bytes, _ end: Bytes, _ final: Bool) -> Outcome {
    guard let nameEnd = ByteScan.name(at + 2, end) else { return final ? .next(end) : .more }
    var close = ByteScan.blanks(nameEnd, end)
    if close == end, !final { return end - at > 4096 ? .literal : .more }
    if close < end, close.pointee == UInt8(ascii: ">") {
      close += 1
    } else {
      // `</p junk>`: up to the `>` if it comes before the next tag.
      isDamaged = true
      let window = min(end, close + 1024)
      let next = ByteScan.find(UInt8(ascii: "<"), close, window) ?? window
      close = ByteScan.find(UInt8(ascii: ">"), close, next).map { $0 + 1 } ?? close
    }
    if tooDeep > 0 {
      tooDeep -= 1
      return .next(close)
    }
    guard let depth = open.depth(of: at + 2, nameEnd - at - 2) else {
      isDamaged = true
      return .next(close)
    }
    closeText()
    if depth > 0 { isDamaged = true }
    for _ in 0...depth { writeEnd() }
    rest()
    return .next(close)
  }

  private mutating func writeEnd() {
    out.append("</")
    open.popName(into: &out)
    out.append(UInt8(ascii: ">"))
  }
}
