import Foundation

/// Files with bytes that once broke a reader, or were written to break one.
public enum SeedFiles {
  /// Gives each file of a folder to a reader: whole, and truncated at many lengths, as by a broken connection.
  /// - Parameter longest: the longest truncated part, in bytes.
  /// - Returns: how many files there are.
  public static func read(_ folder: URL, longest: Int, with reader: (Data) -> Void) throws -> Int {
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    for file in files {
      let data = try Data(contentsOf: file)
      reader(data)
      for length in stride(from: 0, to: min(data.count, longest), by: 7) { reader(data.prefix(length)) }
    }
    return files.count
  }
}
