// libxml2's encoding.h declares iconv on every platform.
import CLibXML2

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Converts one charset to UTF-8, in chunks. Single-byte charsets use a table of 256 entries, all others iconv.
final class CharsetConverter {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  private let handle: iconv_t?
  /// The scalar of each byte in a single-byte charset. U+FFFD for undefined bytes.
  private let table: [UInt32]
  private var pending = ByteBuffer(capacity: 16)

  /// The charset has escape sequences, so ASCII bytes may mean other characters.
  let isStateful: Bool
  /// ASCII bytes mean ASCII at the start of each character.
  let extendsASCII: Bool
  var isSingleByte: Bool { !table.isEmpty }
  let isWindows1252: Bool

  convenience init?(label: String) { self.init(CharsetLabel(label)) }

  init?(_ label: CharsetLabel) {
    isWindows1252 = label.isWindows1252
    isStateful = ["iso-2022", "iso2022", "csiso2022", "hz", "utf-7", "utf7"].contains { label.label.hasPrefix($0) }
    if label.isWindows1252 {
      handle = nil
      table = (0...255).map { Windows1252.scalar($0) }
      extendsASCII = true
      return
    }
    var opened: iconv_t?
    for name in label.iconvNames where opened == nil && !name.contains("/") {
      let result = iconv_open("UTF-8", name)
      if result != iconv_t(bitPattern: -1) { opened = result }
    }
    guard let opened else { return nil }
    handle = opened
    table = isStateful || label.isWide ? [] : Self.singleByteTable(opened)
    var text: [UInt8] = []
    if !label.isWide { text = Self.convertOnce(opened, Array("<?xml rss=\"09\">".utf8)).text ?? [] }
    extendsASCII = text == Array("<?xml rss=\"09\">".utf8)
  }

  deinit {
    if let handle { iconv_close(handle) }
  }

  /// Appends the converted `bytes`, with U+FFFD for invalid ones. False if there were any.
  func convert(_ bytes: Bytes, final: Bool, into out: inout ByteBuffer) -> Bool {
    if isSingleByte {
      var sound = true
      for byte in bytes {
        let scalar = table[Int(byte)]
        if scalar < 0x80 { out.append(UInt8(truncatingIfNeeded: scalar)) } else { out.append(scalar: scalar) }
        if scalar == 0xFFFD { sound = false }
      }
      return sound
    }
    if let start = bytes.baseAddress { pending.append(start, bytes.count) }
    return drain(final, into: &out)
  }

  /// Whether all of `bytes` are valid, except for an incomplete character at the end. Called before any conversion.
  func fits(_ bytes: Bytes) -> Bool {
    guard let handle else { return true }
    let result = Self.convertOnce(handle, Array(bytes))
    return result.text != nil || result.isIncomplete
  }

  private func drain(_ final: Bool, into out: inout ByteBuffer) -> Bool {
    guard let handle else { return false }
    var sound = true
    var used = 0
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { room in
      while used < pending.count {
        let left = pending.count - used
        var inLeft = left
        var outLeft = room.count
        let status = (pending.start + used).withMemoryRebound(to: CChar.self, capacity: left) { source in
          var from: UnsafeMutablePointer<CChar>? = source
          var to = room.baseAddress
          return iconv(handle, &from, &inLeft, &to, &outLeft) == Int(bitPattern: UInt.max) ? errno : 0
        }
        room.baseAddress?.withMemoryRebound(to: UInt8.self, capacity: room.count) {
          out.append($0, room.count - outLeft)
        }
        used += left - inLeft
        if status == 0 || status == E2BIG { continue }
        if status == EINVAL && !final { break }
        // An invalid byte. Only this byte is skipped, so that markup after it survives.
        sound = false
        out.append(scalar: 0xFFFD)
        used += 1
      }
      if final {
        // BIG5-HKSCS and others hold back a character that may combine with the next one.
        var to = room.baseAddress
        var outLeft = room.count
        _ = iconv(handle, nil, nil, &to, &outLeft)
        room.baseAddress?.withMemoryRebound(to: UInt8.self, capacity: room.count) {
          out.append($0, room.count - outLeft)
        }
      }
    }
    pending.removeFirst(used)
    return sound
  }

  /// One conversion from the initial state. No text if not all bytes can be converted.
  private static func convertOnce(_ handle: iconv_t, _ bytes: [UInt8]) -> (text: [UInt8]?, isIncomplete: Bool) {
    _ = iconv(handle, nil, nil, nil, nil)
    var source = bytes.map { CChar(bitPattern: $0) }
    var result = [CChar](repeating: 0, count: bytes.count * 4 + 16)
    var inLeft = source.count
    var outLeft = result.count
    let status = source.withUnsafeMutableBufferPointer { source in
      result.withUnsafeMutableBufferPointer { result in
        var from = source.baseAddress
        var to = result.baseAddress
        return iconv(handle, &from, &inLeft, &to, &outLeft)
      }
    }
    let isIncomplete = status == Int(bitPattern: UInt.max) && errno == EINVAL
    // Some converters hold back a character until the end is signalled.
    let room = result.count
    result.withUnsafeMutableBufferPointer { result in
      var to = result.baseAddress.map { $0 + (room - outLeft) }
      _ = iconv(handle, nil, nil, &to, &outLeft)
    }
    _ = iconv(handle, nil, nil, nil, nil)
    guard status != Int(bitPattern: UInt.max), inLeft == 0 else { return (nil, isIncomplete) }
    return (result.prefix(room - outLeft).map { UInt8(bitPattern: $0) }, false)
  }

  /// Empty if some byte alone is an incomplete character.
  private static func singleByteTable(_ handle: iconv_t) -> [UInt32] {
    var table: [UInt32] = []
    for byte in UInt8.min...UInt8.max {
      let (text, isIncomplete) = convertOnce(handle, [byte])
      if isIncomplete { return [] }
      let scalars = String(decoding: text ?? [], as: UTF8.self).unicodeScalars
      table.append(text == nil || scalars.count != 1 ? 0xFFFD : scalars.first?.value ?? 0xFFFD)
    }
    return table
  }
}

/// Windows-1252, the usual charset of Western texts that are not UTF-8, whatever they declare.
enum Windows1252 {
  /// 0x80…0x9F. The five undefined bytes keep their Latin-1 meaning, a C1 control.
  private static let middle: [UInt16] = [
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D,
    0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
    0x0153, 0x009D, 0x017E, 0x0178,
  ]

  static func scalar(_ byte: UInt8) -> UInt32 {
    byte >= 0x80 && byte < 0xA0 ? UInt32(middle[Int(byte) - 0x80]) : UInt32(byte)
  }

  /// Like `scalar`, with U+FFFD for the five bytes that would be control characters.
  static func printable(_ byte: UInt8) -> UInt32 {
    let value = scalar(byte)
    return (0x80..<0xA0).contains(value) ? 0xFFFD : value
  }
}
