/// Why a clip was not written. Nothing is left behind then.
public enum ClipExportError: Error, Sendable, Equatable {
  /// The source: not reached, not audio, ended before the clip did. In words for people.
  case source(String)
  /// The file cannot be made.
  case target(path: String, why: String)
  /// The file was begun, and what follows cannot be written: the disk is full.
  case unwritten(path: String, why: String)
  /// The name's ending is none that a clip can be written as.
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
