import Foundation

/// How a value is written as JSON (RFC 8259, UTF-8). All JSON that Earshot writes is written here, so none of it holds
/// raw control characters (`JSONBuffer`). Foundation's `JSONDecoder` reads it.
public struct JSONFormat: Sendable {
  public enum Secrets: Sendable {
    case shown
    /// Removes `user:password@` from addresses.
    case loginsHidden
    /// Removes keys from addresses, too.
    case hidden
  }

  /// On several lines, in the layout of `JSONEncoder`.
  public var isPretty = false
  /// Members are sorted by name, so that equal values give equal texts. Otherwise they have the order in which the
  /// value encodes them.
  public var isSorted = true
  /// Absent values are null, and absent lists are empty. Otherwise their keys are left out.
  public var hasAllKeys = false
  /// For the library: dates are seconds since 1970, and numbers that JSON does not have are texts ("inf", "nan").
  /// Otherwise dates are ISO 8601 in UTC with whole seconds, and such numbers are null.
  public var isStored = false
  public var secrets = Secrets.shown

  public init(
    isPretty: Bool = false, isSorted: Bool = true, hasAllKeys: Bool = false, isStored: Bool = false,
    secrets: Secrets = .shown
  ) {
    self.isPretty = isPretty
    self.isSorted = isSorted
    self.hasAllKeys = hasAllKeys
    self.isStored = isStored
    self.secrets = secrets
  }

  /// What `earshot feed` prints. The passwords in its addresses are the listener's; its keys belong to the feed.
  public static let feed = JSONFormat(isSorted: false, hasAllKeys: true, secrets: .loginsHidden)

  /// Throws what `value` throws while it is encoded.
  public func bytes(of value: some Encodable) throws -> [UInt8] {
    let buffer = JSONBuffer(self)
    try JSONEncoding(buffer: buffer, depth: 0).write(value)
    return buffer.bytes
  }

  public func text(of value: some Encodable) throws -> String { String(decoding: try bytes(of: value), as: UTF8.self) }

  /// Reads a value that was written with `isStored`.
  public static func decodeStored<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(type, from: data)
  }

  /// Writes in pieces, because a list of all episodes does not fit into memory.
  public func write(_ value: some Encodable, to sink: @escaping (UnsafeRawBufferPointer) -> Void) throws {
    let buffer = JSONBuffer(self, sink: sink)
    try JSONEncoding(buffer: buffer, depth: 0).write(value)
    buffer.drain()
  }
}
