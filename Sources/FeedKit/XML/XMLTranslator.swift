import CLibXML2

/// Converts libxml2's events to ours. Each name is resolved once, by the address of its interned string.
///
/// libxml2 keeps names in a dictionary of the parser context, so equal names have equal pointers during its lifetime.
/// A small hash table from (local, namespace) pointers to `XMLName` avoids string comparisons.
final class XMLTranslator {
  private let sink: any XMLSink
  var isDamaged = false

  private struct Slot {
    var local: UnsafePointer<UInt8>?
    var prefix: UnsafePointer<UInt8>?
    var address: UnsafePointer<UInt8>?
    var name: XMLName?
  }
  // Raw memory, because each access to an array in a class is checked for exclusivity.
  private var slots: UnsafeMutablePointer<Slot>
  private var capacity = 256
  private var known = 0
  /// A document with more different names is junk. Further names all map to the same unknown one.
  private let nameLimit = 4096
  private var nameless: XMLName?
  /// The prefix and the address of the root, if the address belongs to no format. It stands for the format's own.
  private var misused: (prefix: String?, address: String)?

  init(sink: any XMLSink) {
    self.sink = sink
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: Slot(), count: capacity)
  }

  deinit {
    slots.deinitialize(count: capacity)
    slots.deallocate()
  }

  typealias CText = UnsafePointer<UInt8>

  func start(_ local: CText?, _ prefix: CText?, _ address: CText?, _ attributes: XMLAttributes.Slots?, _ count: Int32) {
    sink.start(name(local, prefix, address), XMLAttributes(slots: attributes, count: Int(count)))
  }

  func end(_ local: CText?, _ prefix: CText?, _ address: CText?) { sink.end(name(local, prefix, address)) }

  func text(_ bytes: CText?, _ count: Int32) {
    guard let bytes, count > 0 else { return }
    text(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }

  func text(_ bytes: UnsafeBufferPointer<UInt8>) { sink.text(bytes) }

  func cutOff() { sink.cutOff() }

  private func name(_ local: CText?, _ prefix: CText?, _ address: CText?) -> XMLName {
    let mask = capacity - 1
    var index = Self.hash(local, address) & mask
    while let name = slots[index].name {
      if slots[index].local == local, slots[index].address == address, slots[index].prefix == prefix { return name }
      index = (index + 1) & mask
    }
    return resolve(local, prefix, address, at: index)
  }

  private static func hash(_ local: CText?, _ address: CText?) -> Int {
    let a = UInt(bitPattern: local)
    let b = UInt(bitPattern: address)
    return Int(truncatingIfNeeded: (a >> 3) ^ (a >> 11) ^ (b >> 4))
  }

  private func resolve(_ local: CText?, _ prefix: CText?, _ address: CText?, at index: Int) -> XMLName {
    guard known < nameLimit else {
      let name = nameless ?? XMLName(id: nameLimit, namespace: .other, local: "")
      nameless = name
      return name
    }
    var localName = local.map { String(cString: $0) } ?? ""
    var prefixName = prefix.map { String(cString: $0) }
    // libxml2 reports an undeclared prefix as part of the local name.
    if address == nil, let colon = localName.firstIndex(of: ":"), colon > localName.startIndex {
      prefixName = String(localName[..<colon])
      localName = String(localName[localName.index(after: colon)...])
    }
    let addressName = address.map { String(cString: $0) }
    var namespace = XMLNamespace.resolve(address: addressName, prefix: prefixName)
    if known == 0, namespace == .other || namespace.isModule, let addressName { misused = (prefixName, addressName) }
    if let misused, misused.address == addressName, misused.prefix == prefixName { namespace = .none }
    let name = XMLName(id: known, namespace: namespace, local: localName)
    slots[index] = Slot(local: local, prefix: prefix, address: address, name: name)
    known += 1
    if known * 2 > capacity { rehash() }
    return name
  }

  private func rehash() {
    let old = UnsafeMutableBufferPointer(start: slots, count: capacity)
    capacity *= 2
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: Slot(), count: capacity)
    let mask = capacity - 1
    for slot in old where slot.name != nil {
      var index = Self.hash(slot.local, slot.address) & mask
      while slots[index].name != nil { index = (index + 1) & mask }
      slots[index] = slot
    }
    old.deinitialize()
    old.deallocate()
  }
}
