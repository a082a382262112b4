import CNcurses
import Foundation

/// Reads input without ncurses while very much of it is waiting.
///
/// ncurses makes two system calls for every byte: a megabyte takes more than two seconds (measured: 0.4 s in ncurses
/// and 2 s in the kernel). Nobody types that fast, so only the sequences of `KeySequences` are recognized here. A
/// sequence that only the terminal description has arrives as characters, and `InputDecoder` drops it.
struct TerminalFlood {
  /// The minimum number of waiting bytes: more than any key has, and more than a person types in a second.
  static let threshold = 512
  /// The largest read: what a terminal device can hold (N_TTY_BUF_SIZE of Linux).
  private static let piece = 4096
  /// Milliseconds to wait for the rest of a sequence, as in ncurses (`set_escdelay`).
  private static let timeout: Int32 = 25

  let descriptor: Int32
  /// Bytes of an incomplete character or sequence.
  private var begun: [UInt8] = []
  private var codes: ArraySlice<InputDecoder.Code> = []

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// The next code; nil if less than the threshold is waiting.
  mutating func next() -> InputDecoder.Code? {
    while codes.isEmpty {
      guard fill() else { return nil }
    }
    return codes.popFirst()
  }

  /// Reads more bytes.
  /// - Returns: false if there is nothing to do here.
  private mutating func fill() -> Bool {
    let waiting = cn_waiting(descriptor)
    guard waiting >= 0 else { return false }
    if begun.isEmpty, waiting < Self.threshold { return false }
    if waiting == 0 {
      // This may be a lone Esc. Half a character waits for its other half.
      guard begun.first == 0x1B else { return false }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, Self.timeout) <= 0 {
        codes = begun.map { .character(UInt32($0)) }[...]
        begun = []
        return true
      }
    }
    var buffer = [UInt8](repeating: 0, count: Self.piece)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return false }
    let (codes, rest) = Self.codes(of: begun + buffer[..<count])
    self.codes = codes[...]
    begun = rest
    return true
  }

  /// Decodes bytes.
  /// - Returns: the codes, and the rest, which is the beginning of a character or sequence.
  static func codes(of bytes: [UInt8]) -> (codes: [InputDecoder.Code], rest: [UInt8]) {
    var codes: [InputDecoder.Code] = []
    codes.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x1B {
        let tail = bytes[index...]
        if let match = sequences.first(where: { tail.starts(with: $0.bytes) }) {
          codes.append(.function(match.number))
          index += match.bytes.count
          continue
        }
        if sequences.contains(where: { $0.bytes.count > tail.count && $0.bytes.starts(with: tail) }) {
          return (codes, Array(tail))
        }
      }
      guard byte >= 0x80 else {
        codes.append(.character(UInt32(byte)))
        index += 1
        continue
      }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC2 ? 2 : 1
      let end = index + length
      if end > bytes.count, bytes[(index + 1)...].allSatisfy({ $0 & 0xC0 == 0x80 }) {
        return (codes, Array(bytes[index...]))
      }
      // Bytes that are not UTF-8 are dropped, as in ncurses.
      if end <= bytes.count, let text = String(validating: bytes[index..<end], as: UTF8.self),
        let scalar = text.unicodeScalars.first
      {
        codes.append(.character(scalar.value))
        index = end
      } else {
        index += 1
      }
    }
    return (codes, [])
  }

  private static let sequences = KeySequences.definitions.map { (bytes: Array($0.sequence.utf8), number: $0.number) }
    .sorted { $0.bytes.count > $1.bytes.count }
}
