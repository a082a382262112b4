/// Text, CDATA sections and references.
extension XMLRepair {
  mutating func content(_ start: Bytes, _ end: Bytes, _ final: Bool) -> Bytes {
    var at = start
    while at < end {
      let run = ByteScan.text(at, end)
      out.append(at, run - at)
      at = run
      guard at < end else { break }
      let byte = at.pointee
      let outcome: Outcome
      switch byte {
      case UInt8(ascii: "<"): outcome = markup(at, end, final)
      case UInt8(ascii: "&"): outcome = reference(at, end, final, quote: nil)
      case UInt8(ascii: ">"):
        write(byte, quote: nil)
        outcome = .next(at + 1)
      case 0x80...:
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
        write(byte, quote: nil)
        at += 1
      }
      if mode != .content || out.count > 48 << 10 { break }
    }
    return at
  }

  /// The inside of a CDATA section, which is plain text.
  mutating func cdata(_ start: Bytes, _ end: Bytes, _ final: Bool) -> Bytes {
    var at = start
    isPlain = false
    while at < end {
      let run = ByteScan.cdata(at, end)
      switch endTagInCDATA(at, run, end, final) {
      case .none: break
      case .found(let tag):
        // The `]]>` is missing. Without this repair the section would end with that of a later item.
        out.append(at, tag - at)
        isDamaged = true
        rest()
        return tag
      case .perhaps(let tag):
        out.append(at, tag - at)
        return tag
      }
      out.append(at, run - at)
      at = run
      guard at < end else { break }
      switch at.pointee {
      case UInt8(ascii: "]"):
        guard end - at >= 3 || final else { return at }
        if ByteScan.has("]]>", at, end) {
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

  private enum EndTag { case none, found(Bytes), perhaps(Bytes) }

  /// Looks for the end tag of the innermost element, which ends a CDATA section without an end. Another tag must follow
  /// it, and the section must not have its start tag, because notes may be about XML.
  private mutating func endTagInCDATA(_ start: Bytes, _ run: Bytes, _ end: Bytes, _ final: Bool) -> EndTag {
    var at = start
    while let tag = ByteScan.find(UInt8(ascii: "<"), at, run) {
      at = tag + 1
      let isEnd = at < end && at.pointee == UInt8(ascii: "/")
      let name = isEnd ? at + 1 : at
      guard let nameEnd = ByteScan.name(name, end) else {
        // The rest of the tag has not arrived.
        if !final, end - tag < 256 { return .perhaps(tag) }
        continue
      }
      guard open.isInnermost(name, nameEnd - name) else { continue }
      guard isEnd else {
        startsInCDATA += 1
        continue
      }
      guard startsInCDATA == 0 else {
        startsInCDATA -= 1
        continue
      }
      let close = ByteScan.blanks(nameEnd, end)
      let next = close < end ? ByteScan.blanks(close + 1, end) : end
      if next == end, !final, end - tag < 4096 { return .perhaps(tag) }
      guard close < end, close.pointee == UInt8(ascii: ">") else { continue }
      if next == end ? final : next.pointee == UInt8(ascii: "<") { return .found(tag) }
    }
    return .none
  }

  /// A byte of 0x80 or more: a UTF-8 sequence, or a byte of Windows-1252.
  mutating func sequence(_ at: Bytes, _ end: Bytes, _ final: Bool, quote: UInt8?) -> Outcome {
    switch ByteScan.sequence(at, end) {
    case .valid(let length):
      let isC1 = at[0] == 0xC2 && at[1] < 0xA0
      let isNoCharacter = length == 3 && at[0] == 0xEF && at[1] == 0xBF && at[2] >= 0xBE
      if isC1, repairsC1 {
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

  /// Resolves `&…;` in text and attribute values. `quote` is set in an attribute value.
  mutating func reference(_ at: Bytes, _ end: Bytes, _ final: Bool, quote: UInt8?) -> Outcome {
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
        out.append(scalar: scalar)
      }
    case .bytes(let bytes): for byte in bytes { write(byte, quote: quote) }
    }
    return .next(scan + 1)
  }

  mutating func write(_ byte: UInt8, quote: UInt8?) {
    guard let quote else {
      isPlain = false
      return out.append(byte)
    }
    switch byte {
    case UInt8(ascii: "&"): out.append("&amp;")
    case UInt8(ascii: "<"): out.append("&lt;")
    case quote: out.append(quote == UInt8(ascii: "'") ? "&#39;" : "&quot;")
    default: out.append(byte)
    }
  }
}
