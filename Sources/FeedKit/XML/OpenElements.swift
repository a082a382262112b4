/// The names of the elements that are open, innermost last, as the document spells them.
struct OpenElements: ~Copyable {
  private struct Entry {
    var offset: Int
    var length: Int
    var namespaces: Int
  }
  private var entries: [Entry] = []
  private var names = ByteBuffer(capacity: 1024)
  /// Namespace declarations in force.
  private(set) var namespaces = 0

  init(capacity: Int) { entries.reserveCapacity(capacity) }

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }

  mutating func push(_ name: UnsafePointer<UInt8>, _ length: Int, namespaces declared: Int) {
    entries.append(Entry(offset: names.count, length: length, namespaces: declared))
    names.append(name, length)
    namespaces += declared
  }

  /// Writes the innermost name and forgets it.
  mutating func popName(into out: inout ByteBuffer) {
    guard let entry = entries.popLast() else { return }
    out.append(names.start + entry.offset, entry.length)
    names.truncate(to: entry.offset)
    namespaces -= entry.namespaces
  }

  /// How many elements stand inside the innermost one of this name; nil when none is open. A name that matches in all
  /// but case counts when none matches exactly (`<Item>…</item>`).
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
