#if canImport(CSDBus)
  import CSDBus
  import Foundation

  /// A value in a D-Bus message. It has only the types that the player needs.
  enum BusValue: Equatable, Sendable {
    case bool(Bool)
    case byte(UInt8)
    case int64(Int64)
    case uint32(UInt32)
    case int32(Int32)
    case double(Double)
    case string(String)
    case path(String)
    case strings([String])
    case bytes([UInt8])
    case texts([String: String])
    case dictionary([String: BusValue])
    case structure([BusValue])
    case variant([BusValue])  // One element: an enum cannot hold itself without a box.

    /// The signature of the type (D-Bus specification, "Type system").
    var signature: String {
      switch self {
      case .bool: "b"
      case .byte: "y"
      case .int64: "x"
      case .uint32: "u"
      case .int32: "i"
      case .double: "d"
      case .string: "s"
      case .path: "o"
      case .strings: "as"
      case .bytes: "ay"
      case .texts: "a{ss}"
      case .dictionary: "a{sv}"
      case .structure(let values): "(\(Self.types(values)))"
      case .variant: "v"
      }
    }

    fileprivate static func types(_ values: [BusValue]) -> String { values.map(\.signature).joined() }
  }

  /// A message of sd-bus that is written or read. It is released with the object.
  final class BusMessage {
    let pointer: OpaquePointer
    fileprivate let bus: earshot_sdbus
    private let isOwned: Bool

    /// - Parameter isOwned: false for a message that sd-bus lends during a call.
    init(_ pointer: OpaquePointer, _ bus: earshot_sdbus, isOwned: Bool) {
      self.pointer = pointer
      self.bus = bus
      self.isOwned = isOwned
    }

    deinit {
      if isOwned { _ = bus.message_unref(pointer) }
    }

    var interface: String { bus.message_get_interface(pointer).map { String(cString: $0) } ?? "" }
    var member: String { bus.message_get_member(pointer).map { String(cString: $0) } ?? "" }

    // MARK: Writing. An error means that there is no memory, or that the value is not allowed in a message. The message
    // is then not sent.

    func append(_ values: [BusValue]) throws(BusError) {
      for value in values { try append(value) }
    }

    private func append(_ value: BusValue) throws(BusError) {
      switch value {
      case .bool(let flag): try basic("b", Int32(flag ? 1 : 0))
      case .byte(let number): try basic("y", number)
      case .int64(let number): try basic("x", number)
      case .uint32(let number): try basic("u", number)
      case .int32(let number): try basic("i", number)
      case .double(let number): try basic("d", number)
      case .string(let text): try string("s", text)
      case .path(let text): try string("o", text)
      case .strings(let texts):
        try container("a", "s") { () throws(BusError) in
          for text in texts { try string("s", text) }
        }
      case .bytes(let bytes):
        let code = bytes.withUnsafeBytes {
          bus.message_append_array(
            pointer, CChar(bitPattern: UInt8(ascii: "y")), $0.baseAddress ?? UnsafeRawPointer(pointer), $0.count)
        }
        try check("append_array", code)
      case .texts(let entries): try dictionary("ss", entries.mapValues { .string($0) })
      case .dictionary(let entries): try dictionary("sv", entries.mapValues { .variant([$0]) })
      case .structure(let values):
        try container("r", BusValue.types(values)) { () throws(BusError) in try append(values) }
      case .variant(let inner):
        guard let inner = inner.first else { return }
        try container("v", inner.signature) { () throws(BusError) in try append(inner) }
      }
    }

    private func dictionary(_ types: String, _ entries: [String: BusValue]) throws(BusError) {
      try container("a", "{\(types)}") { () throws(BusError) in
        // Sorted, so that equal dictionaries make equal messages.
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
          try container("e", types) { () throws(BusError) in try append([.string(key), value]) }
        }
      }
    }

    private func basic<Number: BitwiseCopyable>(_ type: Unicode.Scalar, _ number: Number) throws(BusError) {
      var number = number
      try check("append", bus.message_append_basic(pointer, CChar(bitPattern: UInt8(ascii: type)), &number))
    }

    private func string(_ type: Unicode.Scalar, _ text: String) throws(BusError) {
      // A C string ends at the first NUL. Shown texts contain none.
      let code = text.withCString {
        bus.message_append_basic(pointer, CChar(bitPattern: UInt8(ascii: type)), UnsafeRawPointer($0))
      }
      try check("append", code)
    }

    private func container(
      _ type: Unicode.Scalar, _ contents: String, _ body: () throws(BusError) -> Void
    ) throws(BusError) {
      try check(
        "open_container", bus.message_open_container(pointer, CChar(bitPattern: UInt8(ascii: type)), contents))
      try body()
      try check("close_container", bus.message_close_container(pointer))
    }

    // MARK: Reading. The result is nil if the message contains another type.

    func readString() -> String? { readText("s") }
    func readPath() -> String? { readText("o") }

    private func readText(_ type: Unicode.Scalar) -> String? {
      var text: UnsafePointer<CChar>?
      guard bus.message_read_basic(pointer, CChar(bitPattern: UInt8(ascii: type)), &text) > 0, let text else {
        return nil
      }
      return String(cString: text)
    }

    func readInt64() -> Int64? {
      var number: Int64 = 0
      return bus.message_read_basic(pointer, CChar(bitPattern: UInt8(ascii: "x")), &number) > 0 ? number : nil
    }

    /// The number in a variant, of any number type that clients send.
    func readVariantNumber() -> Double? {
      var type: CChar = 0
      var contents: UnsafePointer<CChar>?
      guard bus.message_peek_type(pointer, &type, &contents) > 0, type == CChar(bitPattern: UInt8(ascii: "v")),
        let contents
      else { return nil }
      let signature = String(cString: contents)
      guard bus.message_enter_container(pointer, type, signature) > 0 else { return nil }
      defer { _ = bus.message_exit_container(pointer) }
      switch signature {
      case "d": return read("d", 0.0)
      case "x": return read("x", Int64(0)).map { Double($0) }
      case "i": return read("i", Int32(0)).map { Double($0) }
      case "u": return read("u", UInt32(0)).map { Double($0) }
      default: return nil
      }
    }

    private func read<Number: BitwiseCopyable>(_ type: Unicode.Scalar, _ zero: Number) -> Number? {
      var number = zero
      return bus.message_read_basic(pointer, CChar(bitPattern: UInt8(ascii: type)), &number) > 0 ? number : nil
    }

    private func check(_ call: String, _ code: Int32) throws(BusError) {
      guard code >= 0 else { throw .failed("sd_bus_message_\(call)", code: -code) }
    }
  }

  /// Messages of the secret service: https://specifications.freedesktop.org/secret-service/latest/types.html
  extension BusMessage {
    func readSecret() -> String? {
      guard bus.message_enter_container(pointer, CChar(bitPattern: UInt8(ascii: "r")), "oayays") > 0 else { return nil }
      defer { _ = bus.message_exit_container(pointer) }
      guard readPath() != nil, readBytes() != nil, let secret = readBytes() else { return nil }
      return String(bytes: secret, encoding: .utf8)
    }

    private func readBytes() -> [UInt8]? {
      var bytes: UnsafeRawPointer?
      var count = 0
      guard bus.message_read_array(pointer, CChar(bitPattern: UInt8(ascii: "y")), &bytes, &count) >= 0 else {
        return nil
      }
      return bytes.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
    }

    /// Reads `ao`.
    func readPaths() -> [String] {
      guard bus.message_enter_container(pointer, CChar(bitPattern: UInt8(ascii: "a")), "o") > 0 else { return [] }
      defer { _ = bus.message_exit_container(pointer) }
      var paths: [String] = []
      while let path = readPath() { paths.append(path) }
      return paths
    }

    /// Skips a variant that contains a text.
    func skipVariant() {
      guard bus.message_enter_container(pointer, CChar(bitPattern: UInt8(ascii: "v")), "s") > 0 else { return }
      _ = readString()
      _ = bus.message_exit_container(pointer)
    }
  }
#endif
