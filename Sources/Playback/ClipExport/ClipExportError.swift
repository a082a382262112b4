/// Why a clip was not exported. No file is left behind.
public enum ClipExportError: Error, Sendable, Equatable {
  /// The source could not be read: not reachable, not audio, or shorter than the clip. Words for the user.
  case source(String)
  /// The target file cannot be created.
  case target(path: String, why: String)
  /// The target file could not be written to the end, such as on a full disk.
  case unwritten(path: String, why: String)
  /// The file extension is not a supported format.
  case format(path: String)
}

extension ClipExportError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .source(let why): "The clip was not exported: \(why)."
    case .target(let path, let why), .unwritten(let path, let why): "\(path) cannot be written: \(why)."
    case .format(let path):
      "\(path): the name must end in one of \(ClipFormat.allCases.map { ".\($0.rawValue)" }.joined(separator: " "))."
    }
  }
}
