import CMpv
import Foundation

/// A value of mpv's commands and properties: `mpv_node` without pointers.
enum MpvValue: Equatable {
  case none
  case string(String)
  case flag(Bool)
  case integer(Int64)
  case double(Double)
  case array([MpvValue])
  /// In order, because mpv's maps can be ordered.
  case map([MpvEntry])

  /// A finite integer or double.
  var number: Double? {
    switch self {
    case .double(let value): value.isFinite ? value : nil
    case .integer(let value): Double(value)
    default: nil
    }
  }

  var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  var bool: Bool? { if case .flag(let value) = self { value } else { nil } }
  var text: String? { if case .string(let value) = self { value } else { nil } }
  var elements: [MpvValue] { if case .array(let values) = self { values } else { [] } }

  subscript(key: String) -> MpvValue {
    guard case .map(let pairs) = self else { return .none }
    return pairs.first { $0.key == key }?.value ?? .none
  }
}

/// A key and a value of `MpvValue.map`. A struct, because Swift 6.2 finds a circular reference in an enum with an array
/// of tuples that contain the enum.
struct MpvEntry: Equatable {
  var key: String
  var value: MpvValue

  init(_ key: String, _ value: MpvValue) { (self.key, self.value) = (key, value) }
}

// MARK: From and to C

extension MpvValue {
  /// Copies the node. mpv still owns and frees the original.
  init(_ node: mpv_node) {
    switch node.format {
    case MPV_FORMAT_STRING: self = node.u.string.map { .string(String(cString: $0)) } ?? .none
    case MPV_FORMAT_FLAG: self = .flag(node.u.flag != 0)
    case MPV_FORMAT_INT64: self = .integer(node.u.int64)
    case MPV_FORMAT_DOUBLE: self = .double(node.u.double_)
    case MPV_FORMAT_NODE_ARRAY: self = .array(Self.values(node).map { $0.value })
    case MPV_FORMAT_NODE_MAP: self = .map(Self.values(node))
    default: self = .none
    }
  }

  private static func values(_ node: mpv_node) -> [MpvEntry] {
    guard let list = node.u.list?.pointee, let values = list.values else { return [] }
    return (0..<Int(max(0, list.num))).map { index in
      let key = list.keys?[index].map { String(cString: $0) } ?? ""
      return MpvEntry(key, MpvValue(values[index]))
    }
  }

  /// Passes the value to C as a node that is valid only during `body`.
  func withNode<Result>(_ body: (UnsafeMutablePointer<mpv_node>) -> Result) -> Result {
    var memory = NodeMemory()
    defer { memory.release() }
    var node = memory.node(for: self)
    return body(&node)
  }
}

/// Owns the memory of one `mpv_node` that is passed to mpv, which only reads it during the call.
private struct NodeMemory {
  private var strings: [UnsafeMutablePointer<CChar>] = []
  private var blocks: [UnsafeMutableRawPointer] = []

  mutating func node(for value: MpvValue) -> mpv_node {
    var node = mpv_node()
    switch value {
    case .none: node.format = MPV_FORMAT_NONE
    case .string(let text):
      node.format = MPV_FORMAT_STRING
      node.u.string = string(text)
    case .flag(let flag):
      node.format = MPV_FORMAT_FLAG
      node.u.flag = flag ? 1 : 0
    case .integer(let number):
      node.format = MPV_FORMAT_INT64
      node.u.int64 = number
    case .double(let number):
      node.format = MPV_FORMAT_DOUBLE
      node.u.double_ = number
    case .array(let values):
      node.format = MPV_FORMAT_NODE_ARRAY
      node.u.list = list(values, keys: nil)
    case .map(let pairs):
      node.format = MPV_FORMAT_NODE_MAP
      node.u.list = list(pairs.map(\.value), keys: pairs.map(\.key))
    }
    return node
  }

  private mutating func string(_ text: String) -> UnsafeMutablePointer<CChar>? {
    guard let copy = strdup(text) else { return nil }
    strings.append(copy)
    return copy
  }

  private mutating func list(_ values: [MpvValue], keys: [String]?) -> UnsafeMutablePointer<mpv_node_list> {
    let nodes = block(values.map { node(for: $0) })
    let list = mpv_node_list(
      num: Int32(clamping: values.count), values: nodes, keys: keys.map { names in block(names.map { string($0) }) })
    return block([list])
  }

  private mutating func block<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
    memory.initialize(from: elements, count: elements.count)
    blocks.append(UnsafeMutableRawPointer(memory))
    return memory
  }

  mutating func release() {
    for string in strings { free(string) }
    for block in blocks { block.deallocate() }
  }
}
