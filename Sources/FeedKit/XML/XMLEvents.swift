/// The name of an element, the same instance for every occurrence within a document.
///
/// `id` counts up from 0 in order of first appearance, so that a sink can keep what it knows of a name in an array and
/// decide with one look-up; `local` and `namespace` need to be looked at only when a new `id` turns up.
final class XMLName: Sendable {
  let id: Int
  let namespace: XMLNamespace
  /// Without prefix, as the document spells it.
  let local: String

  init(id: Int, namespace: XMLNamespace, local: String) {
    self.id = id
    self.namespace = namespace
    self.local = local
  }
}

/// What an `XMLReader` tells, in document order. Every `start` gets its `end`, also in a document that was cut off.
protocol XMLSink: AnyObject {
  /// `attributes` are valid during the call only.
  func start(_ name: XMLName, _ attributes: XMLAttributes)
  func end(_ name: XMLName)
  /// A piece of text, UTF-8 without control characters, valid during the call only. Text may come in many pieces.
  func text(_ bytes: UnsafeBufferPointer<UInt8>)
  /// The document has ended although elements are open; their `end`s follow. Text that was being collected may be cut.
  func cutOff()
}

extension XMLSink {
  func cutOff() {}
}

/// The attributes of a start tag, straight from the parser's memory: nothing is copied until a value is asked for.
struct XMLAttributes {
  /// libxml2's array of five pointers an attribute: local name, prefix, namespace address, value, end of the value.
  typealias Slots = UnsafeMutablePointer<UnsafePointer<UInt8>?>

  let count: Int
  private let slots: Slots?

  init(slots: Slots?, count: Int) {
    self.slots = slots
    self.count = slots == nil ? 0 : max(0, count)
  }

  /// The value of the attribute with this local name and no prefix, else with any prefix, else in other letters
  /// (`isPermalink`, `URL`): XML tells cases apart, people who write feeds do not.
  subscript(_ local: StaticString) -> String? {
    var second: Int?
    for index in 0..<count where matches(index, local) {
      if prefix(index) == nil { return value(index) }
      if second == nil { second = index }
    }
    return (second ?? (0..<count).first { matches($0, local, ignoringCase: true) }).map(value)
  }

  /// The value of `prefix:local` for prefixes that are fixed by the XML specification (`xml:base`, `xml:lang`).
  func value(prefix wanted: StaticString, _ local: StaticString) -> String? {
    for index in 0..<count where prefix(index) != nil {
      if let prefix = prefix(index), Self.equal(prefix, wanted), matches(index, local) { return value(index) }
    }
    return nil
  }

  /// True when some attribute has a prefix: the cheap test before looking for `xml:base`.
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
      // Names are letters but for a few: other characters never differ in this bit alone.
      guard ignoringCase, pointer[offset] | 0x20 == wanted[offset] | 0x20 else { return false }
    }
    return pointer[count] == 0
  }

  /// Without NOENT libxml2 hands over a `&amp;` of an attribute as `&#38;`, for a later stage that we don't have.
  private static func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    return bytes.contains(UInt8(ascii: "&")) ? text.replacing("&#38;", with: "&") : text
  }
}
