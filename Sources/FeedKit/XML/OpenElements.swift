/// The names of the open elements, innermost last, as spelled in the document.
struct OpenElements: ~Copyable {
  private struct Entry {
    var offset: Int
    var length: Int
    var namespaces: Int
  }
  private var entries: [Entry] = []
  private var names = ByteBuffer(capacity: 1024)
  /// The number of active namespace declarations.
  private(set) var namespaces = 0

  init(capacity: Int) { entries.reserveCapacity(capacity) }

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }

  mutating func push(_ name: UnsafePointer<UInt8>, _ length: Int, namespaces declared: Int) {
    entries.append(Entry(offset: names.count, length: length, namespaces: declared))
    names.append(name, length)
    namespaces += declared
  }

  func isInnermost(_ name: UnsafePointer<UInt8>, _ length: Int) -> Bool {
    guard let entry = entries.last, entry.length == length else { return false }
    return ByteScan.equal(names.start + entry.offset, name, length)
  }

  /// Writes the innermost name and removes it.
  mutating func popName(into out: inout ByteBuffer) {
    guard let entry = entries.popLast() else { return }
    out.append(names.start + entry.offset, entry.length)
    names.truncate(to: entry.offset)
    namespaces -= entry.namespaces
  }

  /// The number of elements inside the innermost one with this name. Nil if none is open. If no name matches exactly,
  /// case is ignored (`<Item>…</item>`).
  func depth(of name: UnsafePointer<UInt8>, _ length: Int) -> Int? {
    var nearly: Int?
    for depth in 0..<entries.count {
      let entry = entries[entries.count - 1 - depth]
      guard entry.length == length else { continue }
      let own = names.start + entry.offset
      if ByteScan.equal(own, name, length) { return depth }
      if nearly == nil, ByteScan.equal(own, name, length, ignoringCase: true) { nearly = depth }
    }
    return nearly
  }
}
