/// The name of an element. All occurrences in a document share one instance.
///
/// `id` counts from 0 in order of first appearance, so a sink can store data about names in an array and find it with
/// one access. `local` and `namespace` need to be read only for a new `id`.
struct XMLName: Sendable {
  let id: Int
  let namespace: XMLNamespace
  /// Without prefix, as spelled in the document.
  let local: String
}

/// Receives the events of an `XMLReader` in document order. Each `start` has an `end`, even if the document was cut
/// off.
protocol XMLSink: AnyObject {
  /// `attributes` are valid only during the call.
  func start(_ name: XMLName, _ attributes: XMLAttributes)
  func end(_ name: XMLName)
  /// A piece of text in UTF-8 without control characters, valid only during the call. Text may come in many pieces.
  func text(_ bytes: UnsafeBufferPointer<UInt8>)
  /// The document has ended with open elements; their `end`s follow. The text being collected may be incomplete.
  func cutOff()
}

extension XMLSink {
  func cutOff() {}
}

/// The attributes of a start tag, read directly from the parser's memory. Only requested values are copied.
struct XMLAttributes {
  /// libxml2's array with five pointers per attribute: local name, prefix, namespace address, value, end of the
  /// value.
  typealias Slots = UnsafeMutablePointer<UnsafePointer<UInt8>?>

  let count: Int
  private let slots: Slots?

  init(slots: Slots?, count: Int) {
    self.slots = slots
    self.count = slots == nil ? 0 : max(0, count)
  }

  /// The value of the attribute with this local name: without prefix, else with any prefix, else with different case
  /// (`isPermalink`, `URL`). XML is case-sensitive, but authors of feeds are not.
  subscript(_ local: StaticString) -> String? {
    var second: Int?
    for index in 0..<count where matches(index, local) {
      if prefix(index) == nil { return value(index) }
      if second == nil { second = index }
    }
    return (second ?? (0..<count).first { matches($0, local, ignoringCase: true) }).map(value)
  }

  /// The value of `prefix:local`, for prefixes defined by the XML specification (`xml:base`, `xml:lang`).
  func value(prefix wanted: StaticString, _ local: StaticString) -> String? {
    for index in 0..<count where prefix(index) != nil {
      if let prefix = prefix(index), Self.equal(prefix, wanted), matches(index, local) { return value(index) }
    }
    return nil
  }

  /// Whether any attribute has a prefix. A fast test before looking for `xml:base`.
  var hasPrefixed: Bool {
    for index in 0..<count where prefix(index) != nil { return true }
    return false
  }

  func name(_ index: Int) -> String {
    guard index < count, let pointer = slots?[index * 5] else { return "" }
    return String(cString: pointer)
  }

  func value(_ index: Int) -> String {
    guard index < count, let first = slots?[index * 5 + 3], let last = slots?[index * 5 + 4], last > first else {
      return ""
    }
    return Self.decode(UnsafeBufferPointer(start: first, count: last - first))
  }

  private func prefix(_ index: Int) -> UnsafePointer<UInt8>? { slots?[index * 5 + 1] }

  private func matches(_ index: Int, _ local: StaticString, ignoringCase: Bool = false) -> Bool {
    guard let pointer = slots?[index * 5] else { return false }
    return Self.equal(pointer, local, ignoringCase: ignoringCase)
  }

  private static func equal(
    _ pointer: UnsafePointer<UInt8>, _ text: StaticString, ignoringCase: Bool = false
  ) -> Bool {
    let count = text.utf8CodeUnitCount
    let wanted = text.utf8Start
    for offset in 0..<count where pointer[offset] != wanted[offset] {
      // Names consist mostly of letters, and other characters never differ in this bit alone.
      guard ignoringCase, pointer[offset] | 0x20 == wanted[offset] | 0x20 else { return false }
    }
    return pointer[count] == 0
  }

  /// Without NOENT, libxml2 passes `&amp;` in attributes as `&#38;`, for a later stage that does not exist here.
  private static func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    return bytes.contains(UInt8(ascii: "&")) ? text.replacing("&#38;", with: "&") : text
  }
}
