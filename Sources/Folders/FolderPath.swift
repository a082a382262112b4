/// Parts of the path of a file, as texts for people: what is not UTF-8 becomes U+FFFD.
enum FolderPath {
  private static let slash = UInt8(ascii: "/")

  static func directory(of path: [UInt8]) -> [UInt8] { Array(path[..<(path.lastIndex(of: slash) ?? 0)]) }

  static func name(of path: [UInt8]) -> String {
    String(decoding: path.split(separator: slash).last ?? [], as: UTF8.self)
  }

  /// The name without its ending.
  static func stem(of path: [UInt8]) -> String { withoutEnding(name(of: path)) }

  /// The whole path without the ending of the name.
  static func whole(_ path: [UInt8]) -> String { withoutEnding(String(decoding: path, as: UTF8.self)) }

  private static func withoutEnding(_ text: String) -> String {
    guard let dot = text.lastIndex(of: "."), dot > text.startIndex else { return text }
    return String(text[..<dot])
  }
}
