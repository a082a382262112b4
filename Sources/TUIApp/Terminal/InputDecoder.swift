import TerminalKit

/// Converts what ncurses reads to keys, pastes and mouse events. It does not use a terminal: the codes come from a
/// closure.
struct InputDecoder {
  /// A result of `get_wch`.
  enum Code: Equatable {
    case character(UInt32)
    /// A key that ncurses recognized, by ncurses' number or by a number of `KeySequences`.
    case function(UInt32)
  }

  /// The longest paste, in characters, to limit the memory.
  private static let pasteLimit = 4 << 20

  /// The beginning of a paste. Its end may come with a later read.
  private var paste: String?
  /// How many characters at the end of the last read are the beginning of `pasteBegin`.
  private var begunPaste = 0
  /// The last codes of the last read.
  private var recent: [Code] = []
  /// Milliseconds within which the rest of a sequence comes. Nobody types one so quickly.
  private static let timeout: UInt64 = 500
  /// Milliseconds after which the end of a paste is not expected any more. Otherwise the keyboard would be locked. A
  /// slow line may well be silent for some seconds.
  private static let pasteTimeout: UInt64 = 10_000
  private var clicks = ClickCounter()
  /// The beginning of the terminal's answer to a query, without `CSI`. Its end may come with a later read.
  private var report: [UInt32]?
  /// The last batch was full, so there may be more in ncurses' buffer, which `poll` does not see.
  private(set) var isFull = false
  /// The terminal's answer to DA1 (`CSI ? numbers c`).
  private(set) var deviceAttributes: Set<Int>?
  /// The terminal's answers about its size in pixels.
  private(set) var pixels = PixelReport()

  /// The maximum number of codes in one call of `events`, except for the rest of the last sequence. The next call reads
  /// the others. In between, the program handles signals.
  static let batch = 4096

  /// Reads until `next` returns nil, or for one batch.
  /// - Parameters:
  ///   - milliseconds: a steady clock, to detect double clicks.
  ///   - silence: for how many milliseconds the program waited for input before this read. The time in which it did
  ///     something else does not count, because the rest of a paste may have been there.
  mutating func events(milliseconds: UInt64, after silence: UInt64 = 0, next: @escaping () -> Code?) -> [InputEvent] {
    var events: [InputEvent] = []
    var source = Lookahead(next: next, recent: recent)
    var count = 0
    if silence > Self.timeout { begunPaste = 0 }
    if silence > Self.pasteTimeout, let text = paste {
      paste = nil
      events.append(.paste(text))
    }
    while count < Self.batch || source.isWaiting, let code = source.take() {
      count += 1
      if begunPaste > 0, beginsLatePaste(code, &source) { continue }
      if let event = event(code, &source, milliseconds) { events.append(event) }
    }
    recent = source.recent
    begunPaste =
      paste == nil
      ? (1..<Self.pasteBegin.count).last { Self.pasteBegin.prefix($0).elementsEqual(recent.suffix($0)) } ?? 0 : 0
    isFull = count >= Self.batch
    return events
  }

  private mutating func event(_ code: Code, _ source: inout Lookahead, _ milliseconds: UInt64) -> InputEvent? {
    if paste != nil { return pasted(code) }
    if report != nil, reported(code) { return nil }
    switch code {
    case .function(KeySequences.pasteBegin):
      paste = ""
      return nil
    case .function(KeySequences.pasteEnd): return nil
    case .function(KeySequences.mouse): return mouse(&source, milliseconds)
    case .function(let number): return KeySequences.key(number).map(InputEvent.key)
    case .character(0x1B): return escape(&source)
    case .character(let value): return Self.key(value).map(InputEvent.key)
    }
  }

  /// The marks of a paste as single characters. On a slow line their bytes arrive so far apart that ncurses reports ESC
  /// as the key Esc.
  fileprivate static let pasteBegin = "\u{1B}[200~".unicodeScalars.map { Code.character($0.value) }
  private static let pasteEnd = Array("\u{1B}[201~".unicodeScalars)

  /// Whether this is the rest of a mark whose first characters came with the previous read. Without this, the pasted
  /// text would run commands.
  private mutating func beginsLatePaste(_ code: Code, _ source: inout Lookahead) -> Bool {
    let rest = Self.pasteBegin.dropFirst(begunPaste)
    begunPaste = 0
    var taken = [code]
    while rest.starts(with: taken), taken.count < rest.count, let next = source.take() { taken.append(next) }
    guard taken.elementsEqual(rest) else {
      source.putBack(Array(taken.dropFirst()))
      return false
    }
    paste = ""
    return true
  }

  private mutating func pasted(_ code: Code) -> InputEvent? {
    switch code {
    case .character(let value):
      if let scalar = Unicode.Scalar(value) { paste?.unicodeScalars.append(scalar) }
      if value == UInt32(UInt8(ascii: "~")),
        paste?.unicodeScalars.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) == true
      {
        paste?.unicodeScalars.removeLast(Self.pasteEnd.count)
        break
      }
      if (paste?.utf8.count ?? 0) < Self.pasteLimit { return nil }
    case .function(KeySequences.pasteEnd): break
    case .function: return nil
    }
    let text = paste ?? ""
    paste = nil
    return .paste(text)
  }

  /// Decodes what follows ESC: nothing (Esc), a key with Alt, or an unknown sequence, which is dropped.
  private mutating func escape(_ source: inout Lookahead) -> InputEvent? {
    guard let following = source.take() else { return .key(Key(.escape)) }
    switch following {
    case .function(let number):
      guard var key = KeySequences.key(number) else {
        source.putBack(following)
        return .key(Key(.escape))
      }
      key.modifiers.insert(.alt)
      return .key(key)
    case .character(0x1B):
      source.putBack(following)
      return .key(Key(.escape))
    case .character(UInt32(UInt8(ascii: "["))), .character(UInt32(UInt8(ascii: "O"))):
      if swallowSequence(&source) { return nil }
    case .character: break
    }
    guard case .character(let value) = following, var key = Self.key(value) else { return nil }
    key.modifiers.insert(.alt)
    return .key(key)
  }

  /// Reads parameters, intermediates and the final byte of a sequence (ECMA-48 §5.4).
  /// - Returns: false if nothing follows: it was Alt-[ or Alt-O.
  private mutating func swallowSequence(_ source: inout Lookahead) -> Bool {
    guard let first = source.take() else { return false }
    if case .character(let value) = first, Self.reportBegins.contains(value) {
      report = [value]
      while report != nil, let code = source.take() {
        if !reported(code) { source.putBack(code) }
      }
      return true
    }
    var code: Code? = first
    var parameters = ""
    while case .character(let value) = code, (0x20..<0x40).contains(value) {
      if let scalar = Unicode.Scalar(value), parameters.utf8.count < 8 { parameters.unicodeScalars.append(scalar) }
      code = source.take()
    }
    if case .character(let value) = code, (0x40..<0x7F).contains(value) {
      // This is the beginning of a paste. Its ESC and its "[" came separately.
      if parameters == "200", value == UInt32(UInt8(ascii: "~")) { paste = "" }
      return true
    }
    if let code { source.putBack(code) }
    return true
  }

  /// Takes a character of a report.
  /// - Returns: false if the character does not belong to it, which ends the report.
  private mutating func reported(_ code: Code) -> Bool {
    guard case .character(let value) = code, (0x20..<0x7F).contains(value), let begun = report, begun.count < 64 else {
      report = nil
      return false
    }
    guard value >= 0x40 else {
      report?.append(value)
      return true
    }
    report = nil
    let text = String(String.UnicodeScalarView(begun.compactMap(Unicode.Scalar.init)))
    let numbers = text.drop { $0 == "?" }.split(separator: ";").compactMap { Int($0) }
    switch (text.first, Unicode.Scalar(value)) {
    case ("?", "c"): deviceAttributes = Set(numbers)
    case (_, "t"): pixels.receive(numbers)
    default: break
    }
    return true
  }

  /// The first characters after `CSI` of the answers to DA1 and to the questions about pixels.
  private static let reportBegins = Set("?46".unicodeScalars.map(\.value))

  /// Decodes the rest of ESC [ < in mouse mode 1006: button;column;row, then M for pressed or m for released.
  private mutating func mouse(_ source: inout Lookahead, _ milliseconds: UInt64) -> InputEvent? {
    var numbers = [0]
    while case .character(let value)? = source.take() {
      switch value {
      case 0x30...0x39: numbers[numbers.count - 1] = min(9999, numbers[numbers.count - 1] * 10 + Int(value - 0x30))
      case 0x3B where numbers.count < 3: numbers.append(0)
      case 0x4D, 0x6D:
        guard numbers.count == 3 else { return nil }
        let point = Point(max(0, numbers[1] - 1), max(0, numbers[2] - 1))
        return kind(button: numbers[0], released: value == 0x6D, at: point, milliseconds).map {
          .mouse(MouseEvent($0, at: point))
        }
      default: return nil
      }
    }
    return nil
  }

  /// Bits 0–1 are the button, 32 is motion, 64 the wheel (xterm's ctlseqs, "Extended coordinates"). Only the left
  /// button is used.
  private mutating func kind(button: Int, released: Bool, at point: Point, _ milliseconds: UInt64) -> MouseEvent.Kind? {
    switch (button & ~(4 | 8 | 16), released) {
    case (0, false): clicks.isSecond(at: point, milliseconds) ? .doubleClick : .press
    case (0, true): .release
    case (32, _): .drag
    case (64, _): .wheelUp
    case (65, _): .wheelDown
    default: nil
    }
  }

  /// The key of a character. Control characters are keys with Control, except for Enter, Tab, Esc and Backspace.
  private static func key(_ value: UInt32) -> Key? {
    switch value {
    case 0x0D, 0x0A: return Key(.enter)
    case 0x09: return Key(.tab)
    case 0x1B: return Key(.escape)
    case 0x7F: return Key(.backspace)
    case 0: return Key(" ", .control)
    case 0x01..<0x1B: return Key(Character(Unicode.Scalar(UInt8(value + 0x60))), .control)
    case 0x1C..<0x20: return Key(Character(Unicode.Scalar(UInt8(value + 0x40))), .control)
    case 0x80..<0xA0: return nil
    default: return Unicode.Scalar(value).map { Key(Character($0)) }
    }
  }
}

/// A source of codes to which codes can be put back.
private struct Lookahead {
  let next: () -> InputDecoder.Code?
  private var waiting: [InputDecoder.Code] = []

  /// The last codes that were read.
  private(set) var recent: [InputDecoder.Code]

  init(next: @escaping () -> InputDecoder.Code?, recent: [InputDecoder.Code]) {
    self.next = next
    self.recent = recent
  }

  var isWaiting: Bool { !waiting.isEmpty }

  mutating func take() -> InputDecoder.Code? {
    guard waiting.isEmpty else { return waiting.removeFirst() }
    guard let code = next() else { return nil }
    if recent.count == InputDecoder.pasteBegin.count - 1 { recent.removeFirst() }
    recent.append(code)
    return code
  }

  mutating func putBack(_ code: InputDecoder.Code) { waiting.insert(code, at: 0) }
  mutating func putBack(_ codes: [InputDecoder.Code]) { waiting.insert(contentsOf: codes, at: 0) }
}

/// Detects double clicks. Times are in milliseconds.
private struct ClickCounter {
  private static let within: UInt64 = 400
  private var last: (point: Point, milliseconds: UInt64)?

  mutating func isSecond(at point: Point, _ milliseconds: UInt64) -> Bool {
    if let last, last.point == point, milliseconds &- last.milliseconds <= Self.within {
      self.last = nil
      return true
    }
    last = (point, milliseconds)
    return false
  }
}

/// The terminal's answers to `TerminalMode.askPixels`.
struct PixelReport: Equatable {
  private var reportedCell: Size?
  private var textArea: Size?

  /// - Parameter numbers: which answer it is, the height and the width, in pixels.
  mutating func receive(_ numbers: [Int]) {
    guard numbers.count == 3, numbers[1...].allSatisfy({ (1...100_000).contains($0) }) else { return }
    let size = Size(numbers[2], numbers[1])
    switch numbers[0] {
    case 6: reportedCell = size
    case 4: textArea = size
    default: break
    }
  }

  /// The size of a cell in pixels.
  /// - Parameter window: the size of the text area in cells.
  func cell(window: Size) -> Size? {
    if let reportedCell { return reportedCell }
    guard let textArea, window.width > 0, window.height > 0 else { return nil }
    let cell = Size(textArea.width / window.width, textArea.height / window.height)
    return cell.width > 0 && cell.height > 0 ? cell : nil
  }
}
