/// Content outside of the root: declaration, DTD, instructions, comments, junk.
extension XMLRepair {
  /// Skips everything before the root. Only entity declarations and the root itself are used.
  mutating func prolog(_ start: Bytes, _ end: Bytes, _ final: Bool) -> Bytes {
    guard let at = ByteScan.find(UInt8(ascii: "<"), start, end) else {
      checkJunk(start, end)
      return end
    }
    checkJunk(start, at)
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

  mutating func checkJunk(_ start: Bytes, _ end: Bytes) {
    guard !inDoctype, !isDamaged else { return }
    if UnsafeBufferPointer(start: start, count: end - start).contains(where: { $0 > 0x20 && $0 < 0x80 }) {
      isDamaged = true
    }
  }

  /// `<!…` before the root: a comment, a DOCTYPE, or its internal subset.
  mutating func declaration(_ at: Bytes, _ end: Bytes, _ final: Bool) -> Outcome {
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
    let isSearched = declarationBudget > 0
    let found = isSearched ? ByteScan.endOfDeclaration(at, end) : nil
    declarationBudget -= (found ?? end) - at
    guard let close = found else {
      return final || !isSearched || end - at > limits.tagBytes ? .next(at + 8) : .more
    }
    if !entities.declare(UnsafeBufferPointer(start: at + 8, count: close - at - 8)) { isDamaged = true }
    return .next(close + 1)
  }

  /// Drops `<?…?>`. If the `?` is missing, it ends at the first `>`.
  mutating func instruction(_ at: Bytes, _ end: Bytes, _ final: Bool) -> Outcome {
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

  mutating func comment(_ start: Bytes, _ end: Bytes, _ final: Bool) -> Bytes {
    if let close = ByteScan.endOfComment(start, end) {
      rest()
      return close
    }
    // The last two bytes may be the hyphens of `-->`.
    return final ? end : max(start, end - 2)
  }
}
