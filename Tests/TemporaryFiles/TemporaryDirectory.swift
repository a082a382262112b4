import Foundation

/// A directory that is deleted when the value is released.
public final class TemporaryDirectory: Sendable {
  public let path: String

  public init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("earshot-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path) } catch {
      FileHandle.standardError.write(Data("left behind: \(path)\n".utf8))
    }
  }

  public func write(_ bytes: [UInt8], as name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    return "\(path)/\(name)"
  }
}
