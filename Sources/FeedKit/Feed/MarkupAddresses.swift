/// Makes addresses in an HTML text absolute, because the text is used without its document and its xml:base.
enum MarkupAddresses {
  private typealias Bytes = UnsafePointer<UInt8>

  /// The text with each `href` and `src` resolved against `base`. All other bytes stay unchanged.
  static func absolute(_ html: String, base: String) -> String {
    guard html.holds(UInt8(ascii: "<")) else { return html }
    var html = html
    var result = ByteBuffer(capacity: html.utf8.count + 256)
    html.withUTF8 { text in
      guard let start = text.baseAddress else { return }
      let end = start + text.count
      var copied = start
      var at = start
      while let open = ByteScan.find(UInt8(ascii: "<"), at, end) {
        at = addresses(ofTag: open + 1, end) { value in
          let reference = UnsafeBufferPointer(start: value.start, count: value.end - value.start)
          result.append(copied, value.start - copied)
          for byte in RelativeAddress.resolve(String(decoding: reference, as: UTF8.self), base: base).utf8 {
            result.append(byte)
          }
          copied = value.end
        }
      }
      result.append(copied, end - copied)
    }
    return String(decoding: result.bytes, as: UTF8.self)
  }

  /// Visits the addresses in the attributes of the tag whose name starts at `start`. Returns where to continue.
  private static func addresses(ofTag start: Bytes, _ end: Bytes, visit: (ByteScan.Value) -> Void) -> Bytes {
    guard start < end, ByteScan.isNameStart(start.pointee), var at = ByteScan.name(start, end) else { return start }
    while true {
      at = ByteScan.blanks(at, end)
      guard at < end, at.pointee != UInt8(ascii: ">"), at.pointee != UInt8(ascii: "<") else { return at }
      guard let nameEnd = ByteScan.name(at, end) else { return end }
      let equals = ByteScan.blanks(nameEnd, end)
      guard nameEnd > at, equals < end, equals.pointee == UInt8(ascii: "=") else {
        at = max(nameEnd, at + 1)
        continue
      }
      let first = ByteScan.blanks(equals + 1, end)
      guard first < end, let value = ByteScan.value(first, end) else { return end }
      if isAddress(at, nameEnd - at), value.isSound { visit(value) }
      at = value.next
    }
  }

  private static func isAddress(_ name: Bytes, _ length: Int) -> Bool {
    switch length {
    case 3: ByteScan.has("src", name, name + length, ignoringCase: true)
    case 4: ByteScan.has("href", name, name + length, ignoringCase: true)
    default: false
    }
  }
}
