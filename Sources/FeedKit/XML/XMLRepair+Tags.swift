/// Start tags, end tags and attributes.
extension XMLRepair {
  mutating func markup(_ at: Bytes, _ end: Bytes, _ final: Bool) -> Outcome {
    guard at + 1 < end else { return .more }
    switch at[1] {
    case UInt8(ascii: "/"): return endTag(at, end, final)
    case UInt8(ascii: "?"): return instruction(at, end, final)
    case UInt8(ascii: "!"):
      guard end - at >= 9 || final else { return .more }
      if ByteScan.has("<![CDATA[", at, end) {
        isPlain = false
        mode = .cdata
        startsInCDATA = 0
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

  mutating func startTag(_ at: Bytes, _ end: Bytes, _ final: Bool) -> Outcome {
    if end - at > limits.tagBytes, (closing?.find(from: at) ?? end) - at >= limits.tagBytes { return .literal }
    let mark = out.count
    guard let nameEnd = ByteScan.name(at + 1, end) else { return tagOutcome(at, end, .more, mark) }
    let length = nameEnd - at - 1
    guard nameEnd == end || ByteScan.endsName(nameEnd.pointee) else { return .literal }
    if open.isEmpty, !mayBeRoot(at + 1, length) {
      isDamaged = true
      return .next(nameEnd)
    }
    out.append(at, length + 1)
    var attributes = AttributeTally()
    var scan = nameEnd
    var isEmpty = false
    tag: while true {
      scan = ByteScan.blanks(scan, end)
      guard scan < end else { return tagOutcome(at, end, .more, mark) }
      switch scan.pointee {
      case UInt8(ascii: ">"):
        scan += 1
        break tag
      case UInt8(ascii: "<"):
        isDamaged = true
        break tag
      case UInt8(ascii: "/"):
        guard scan + 1 < end else { return tagOutcome(at, end, .more, mark) }
        if scan[1] == UInt8(ascii: ">") {
          isEmpty = true
          scan += 2
          break tag
        }
        isDamaged = true
        scan += 1
      default:
        guard let next = attribute(scan, end, &attributes) else {
          return tagOutcome(at, end, .more, mark)
        }
        scan = next
      }
    }
    guard scan - at <= limits.tagBytes, open.count < limits.depth else {
      if !isEmpty { tooDeep += open.count < limits.depth ? 0 : 1 }
      return tagOutcome(at, end, .next(scan), mark)
    }
    out.append(isEmpty ? "/>" : ">")
    endText(at: mark)
    textStart = out.count
    if rootName == nil { rootName = ByteScan.local(at + 1, length) }
    if !isEmpty { open.push(at + 1, length, namespaces: attributes.namespaces) }
    rest()
    return .next(scan)
  }

  /// Removes the output of a tag that turned out to be incomplete or unwanted.
  mutating func tagOutcome(_ at: Bytes, _ end: Bytes, _ outcome: Outcome, _ mark: Int) -> Outcome {
    out.truncate(to: mark)
    if case .more = outcome, end - at > limits.tagBytes {
      return .literal
    }
    if case .next = outcome { isDamaged = true }
    return outcome
  }

  mutating func mayBeRoot(_ name: Bytes, _ length: Int) -> Bool {
    let local = ByteScan.local(name, length)
    if firstName == nil { firstName = local }
    guard let roots else { return true }
    return roots.contains(local) || roots.contains(local.lowercased())
  }

  struct AttributeTally {
    var count = 0
    var namespaces = 0
  }

  /// Reads `name="value"` with all kinds of errors and writes it correctly. Nil: more bytes are needed.
  mutating func attribute(_ at: Bytes, _ end: Bytes, _ tally: inout AttributeTally) -> Bytes? {
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
      // An attribute without a value, as HTML allows: the name is used as the value.
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

  /// Keeps or removes the attribute just written.
  mutating func count(
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

  mutating func attributeText(_ start: Bytes, _ end: Bytes, _ quote: UInt8) {
    var at = start
    while at < end {
      let run = ByteScan.text(at, end)
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

  mutating func endTag(_ at: Bytes, _ end: Bytes, _ final: Bool) -> Outcome {
    guard let nameEnd = ByteScan.name(at + 2, end) else { return final ? .next(end) : .more }
    var close = ByteScan.blanks(nameEnd, end)
    if close == end, !final { return end - at > 4096 ? .literal : .more }
    if close < end, close.pointee == UInt8(ascii: ">") {
      close += 1
    } else {
      // `</p junk>`: ends at the `>` if it comes before the next tag.
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
    endText()
    if depth > 0 { isDamaged = true }
    for _ in 0...depth { writeEnd() }
    textStart = out.count
    rest()
    return .next(close)
  }

  mutating func writeEnd() {
    out.append("</")
    open.popName(into: &out)
    out.append(UInt8(ascii: ">"))
  }
}
