/// Removes the markup of a description in one pass over its bytes. Cleans the text like `CleanText`, but in UTF-8.
///
/// It has its own scanner, because the first search of a large library converts 619 MB of notes. libxml2 reads notes at
/// 50 to 90 MB/s before anything is done with them, so the search would take a fifth longer. What is markup
/// (`MarkupStart`), and what an element does (`HTMLElement`), is the same as for the text that is shown.
enum PlainText {
  static func line(_ html: some RandomAccessCollection<UInt8>) -> String {
    html.withContiguousStorageIfAvailable { line($0) } ?? Array(html).withUnsafeBufferPointer { line($0) }
  }

  static func line(_ html: UnsafeBufferPointer<UInt8>) -> String {
    let (text, isSuspect) = stripped(html)
    // Characters that are unsafe for a terminal, or markup that was escaped. They are rare, so the slow path is used.
    guard isSuspect else { return text }
    let clean = CleanText.line(text)
    guard DescriptionForm.of(Array(clean.utf8)) != .plain || clean.utf8.contains(UInt8(ascii: "&")) else {
      return clean
    }
    return CleanText.line(stripped(clean).text)
  }

  private static func stripped(_ text: String) -> (text: String, isSuspect: Bool) {
    var text = text
    return text.withUTF8 { stripped($0) }
  }

  private static func stripped(_ html: UnsafeBufferPointer<UInt8>) -> (text: String, isSuspect: Bool) {
    var isSuspect = false
    // A reference is never shorter than its character in UTF-8, so the result always fits.
    let text = String(unsafeUninitializedCapacity: html.count) { result in
      var stripper = Stripper(input: html, output: result)
      stripper.run()
      isSuspect = stripper.isSuspect
      return stripper.length
    }
    return (text, isSuspect)
  }
}

/// The state of one pass over the bytes of a description.
private struct Stripper {
  let input: UnsafeBufferPointer<UInt8>
  let output: UnsafeMutableBufferPointer<UInt8>
  var length = 0
  /// The result needs `CleanText`, or was escaped twice.
  var isSuspect = false
  private var index = 0
  private var wantsBlank = false
  /// Searches that failed once will fail for the rest of the text too. Remembering this keeps malicious input linear.
  private var commentsEnd = true
  /// No tag that begins here or later ends.
  private var unendedTags = Int.max
  /// Dropped elements without an end tag in the rest of the text.
  private var endless: Set<UInt64> = []

  init(input: UnsafeBufferPointer<UInt8>, output: UnsafeMutableBufferPointer<UInt8>) {
    self.input = input
    self.output = output
  }

  mutating func run() {
    while index < input.count {
      let byte = input[index]
      switch byte {
      case 0x09, 0x0A, 0x0D, 0x20:
        wantsBlank = true
        index += 1
      case UInt8(ascii: "<"): if !skipTag() { put(byte) }
      case UInt8(ascii: "&"): if !putReference() { put(byte) }
      case UInt8(ascii: "]") where input[index...].starts(with: MarkupStart.cdataEnd):
        index += MarkupStart.cdataEnd.count
      case 0x00...0x1F, 0x7F, 0xCD, 0xE1, 0xEF, 0xF3, 0xC2, 0xE2, 0xE3:
        putSpecial(byte)
      default: putRun()
      }
    }
  }

  /// Copies the current character and all ordinary ones after it. Nearly all text is ASCII words with blanks, and a
  /// local index in a register is several times as fast as a property.
  private mutating func putRun() {
    if wantsBlank {
      wantsBlank = false
      if length > 0 { write(0x20) }
    }
    var (from, to) = (index, length)
    let end = min(input.count, from + output.count - to)
    guard from < end else { return index += 1 }
    repeat {
      output[to] = input[from]
      (from, to) = (from + 1, to + 1)
      if from + 1 < end, input[from] == 0x20, Self.isOrdinary(input[from + 1]) {
        output[to] = 0x20
        (from, to) = (from + 1, to + 1)
      }
    } while from < end && Self.isOrdinary(input[from])
    (index, length) = (from, to)
  }

  /// ASCII that is neither white space nor markup.
  private static func isOrdinary(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "<") && byte != UInt8(ascii: "&") && byte != UInt8(ascii: "]")
  }

  private mutating func put(_ byte: UInt8) {
    if wantsBlank {
      wantsBlank = false
      if length > 0 { write(0x20) }
    }
    write(byte)
    index += 1
  }

  private mutating func write(_ byte: UInt8) {
    guard length < output.count else { return }
    output[length] = byte
    length += 1
  }

  /// Handles characters that may be other white space, invisible, or need `CleanText`.
  private mutating func putSpecial(_ byte: UInt8) {
    let second = index + 1 < input.count ? input[index + 1] : 0
    let third = index + 2 < input.count ? input[index + 2] : 0
    switch (byte, second, third) {
    case (0xC2, 0xA0, _):
      wantsBlank = true
      index += 2
    case (0xE3, 0x80, 0x80), (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xAF):
      wantsBlank = true
      index += 3
    case (0xC2, 0xAD, _): index += 2
    case (0xE2, 0x80, 0x8C...0x8D) where !wantsBlank && joinsPrevious && Self.joins(input[(index + 3)...]):
      // Half of all emoji are joined sequences, which is too many for the slow path.
      for byte in input[index..<index + 3] { write(byte) }
      index += 3
    case (0xE2, 0x80, 0x8B), (0xEF, 0xBB, 0xBF): index += 3
    case (0xC2, ...0x9F, _), (0xCD, 0x8F, _), (0xE1, 0x9A, _), (0xE1, 0xA0, _), (0xE2, 0x81, 0x9F...),
      (0xE2, 0x80, 0x8C...0x8F), (0xE2, 0x80, 0xA8...0xAE), (0xEF, 0xBF, _), (0xF3, 0xA0, _), (...0x1F, _, _),
      (0x7F, _, _):
      isSuspect = true
      put(byte)
    default: put(byte)
    }
  }

  private var joinsPrevious: Bool {
    guard let lead = output[..<length].lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return false }
    return Self.joins(output[lead..<length])
  }

  /// Whether these bytes start a character that `CleanText` keeps next to a joiner: Persian, Indic scripts, emoji,
  /// variation selectors. `CleanText` decides for all others.
  private static func joins(_ bytes: some Collection<UInt8>) -> Bool {
    let second = bytes.dropFirst().first ?? 0
    return switch bytes.first ?? 0 {
    case 0xD8...0xDB, 0xE0, 0xF0: true
    case 0xE2: second >= 0x82
    case 0xEF: second == 0xB8
    default: false
    }
  }

  /// Skips a comment, a declaration, a tag, or an element that is dropped. False if the `<` is text.
  private mutating func skipTag() -> Bool {
    switch MarkupStart(at: index, in: input, commentsEnd: &commentsEnd) {
    case .text: return false
    case .skipped(let end):
      index = end
      return true
    case .tag: break
    }
    let opens = ByteScan.isLetter(input[index + 1])
    let closes = input[index + 1] == UInt8(ascii: "/")
    let start = opens ? index + 1 : index + 2
    guard let end = tagEnd(from: start) else { return false }
    index = end
    // A declaration has no name.
    guard opens || closes, let name = packedName(at: start), let role = Self.roles[name] else { return true }
    wantsBlank = true
    // For libxml2, `<svg/>` has no content.
    if opens, role != .separator, input[end - 2] != UInt8(ascii: "/") {
      index = endOfContent(of: name, isRaw: role == .rawText, from: end) ?? end
    }
    return true
  }

  /// The index after the `>` that ends a tag. A quoted `>` is skipped within 2,000 bytes, because quotes are often
  /// broken.
  private mutating func tagEnd(from start: Int) -> Int? {
    guard start < unendedTags else { return nil }
    var quote: UInt8 = 0
    var first: Int?
    var end = start
    while end < input.count {
      let byte = input[end]
      if byte == UInt8(ascii: ">") {
        if quote == 0 { return end + 1 }
        if first == nil { first = end + 1 }
      } else if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        if end > start, input[end - 1] == UInt8(ascii: "=") { quote = byte }
      }
      if let first, end - start > 2_000 { return first }
      end += 1
    }
    // Tags before it may end: the end of a dropped element is searched before the tags in it.
    if first == nil { unendedTags = start }
    return first
  }

  private enum Role { case separator, dropped, rawText }

  /// What elements do, by packed name, because a description has many tags. The tags of all others leave no trace.
  private static let roles: [UInt64: Role] = {
    var roles: [UInt64: Role] = [:]
    for (name, element) in HTMLElement.named {
      guard let key = ByteScan.packed(name.utf8) else { continue }
      if element.isDropped {
        roles[key] = HTMLElement.rawText.contains(name) ? .rawText : .dropped
      } else if element.separatesWords {
        roles[key] = .separator
      }
    }
    return roles
  }()

  /// The name of a tag as a number. Nil if no element of the table has such a name.
  private func packedName(at start: Int) -> UInt64? {
    let name = input[start...].prefix { $0 < 0x80 && ByteScan.isName($0) }
    return ByteScan.packed(name.lazy.map(ByteScan.lower))
  }

  /// The index after the end tag of a dropped element. Nil if it is missing, as another start before it shows, too.
  /// Then the content is kept: for libxml2 it ends with an element around it, and what is shown must be found.
  private mutating func endOfContent(of name: UInt64, isRaw: Bool, from start: Int) -> Int? {
    guard !endless.contains(name) else { return nil }
    var rest = input[start...]
    while let open = rest.firstIndex(of: UInt8(ascii: "<")), open + 1 < input.count {
      rest = input[(open + 1)...]
      if rest.first == UInt8(ascii: "/") {
        if packedName(at: open + 2) == name, let end = tagEnd(from: open + 2) { return end }
      } else if !isRaw, packedName(at: open + 1) == name {
        return nil
      }
    }
    endless.insert(name)
    return nil
  }

  private mutating func putReference() -> Bool {
    guard let (scalar, size) = HTMLEntities.reference(in: input[index...]) else { return false }
    let next = index + size
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x20, 0xA0: wantsBlank = true
    case UInt32(UInt8(ascii: "<")):
      // May be markup that was escaped twice.
      if next < input.count, ByteScan.isLetter(input[next]) || input[next] == UInt8(ascii: "/") { isSuspect = true }
      put(UInt8(scalar.value))
    case UInt32(UInt8(ascii: "&")):
      // Checks for a reference that was escaped twice: the ";" is in it instead of its "&".
      if HTMLEntities.reference(in: input[(next - 1)...]) != nil { isSuspect = true }
      put(UInt8(scalar.value))
    default:
      if Self.isSpecial(scalar.value) { isSuspect = true }
      if wantsBlank {
        wantsBlank = false
        if length > 0 { write(0x20) }
      }
      for byte in UTF8.encode(scalar) ?? .init() { write(byte) }
    }
    index = next
    return true
  }

  /// Whether `CleanText` may change a character.
  private static func isSpecial(_ value: UInt32) -> Bool {
    switch value {
    case ..<0x20, 0x7F...0x9F, 0xAD, 0x34F, 0x1680, 0x180E, 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x206F, 0x3000,
      0xFEFF, 0xFFF0...0xFFFF, 0xE0000...:
      true
    default: false
    }
  }
}
