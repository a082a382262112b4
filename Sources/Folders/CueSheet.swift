import Foundation
import Model

/// The chapters that a cue sheet (`.cue`) gives to the files that it names.
public struct CueSheet: Equatable {
  struct Part: Equatable {
    /// The name of the file, without its directory.
    var file: String
    var chapters: [Chapter]
  }

  private(set) var parts: [Part] = []

  private static let chapterLimit = 5000

  /// Lines that are not understood are left out.
  init(_ bytes: [UInt8]) {
    var title: String?
    var isInTrack = false
    var count = 0
    for line in Self.text(bytes).split(whereSeparator: \.isNewline) {
      let words = Self.words(line)
      switch words.first?.uppercased() {
      case "FILE" where words.count > 1:
        let name = words[1].split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? words[1]
        parts.append(Part(file: name, chapters: []))
        isInTrack = false
      case "TRACK": (title, isInTrack) = (nil, true)
      case "TITLE" where isInTrack && words.count > 1: title = words[1]
      case "INDEX" where words.count > 2 && Int(words[1]) == 1:
        guard !parts.isEmpty, count < Self.chapterLimit, let start = Self.seconds(words[2]) else { continue }
        count += 1
        parts[parts.count - 1].chapters.append(Chapter(start: start, title: title))
      default: break
      }
    }
  }

  /// UTF-8, else Latin-1, which every sequence of bytes is.
  private static func text(_ bytes: [UInt8]) -> String {
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    return String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// Words are separated by spaces, or are in quotation marks.
  private static func words(_ line: Substring) -> [String] {
    var words: [String] = []
    var rest = line.drop(while: \.isWhitespace)
    while let first = rest.first {
      if first == "\"" {
        rest = rest.dropFirst()
        words.append(String(rest.prefix { $0 != "\"" }))
        rest = rest.drop { $0 != "\"" }.dropFirst()
      } else {
        words.append(String(rest.prefix { !$0.isWhitespace }))
        rest = rest.drop { !$0.isWhitespace }
      }
      rest = rest.drop(while: \.isWhitespace)
    }
    return words
  }

  /// Minutes, seconds and frames, of which a second has 75.
  private static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: ":").map { Int($0) }
    guard parts.count == 3, let minutes = parts[0], let seconds = parts[1], let frames = parts[2],
      (0...100_000).contains(minutes), (0..<60).contains(seconds), (0..<75).contains(frames)
    else { return nil }
    return Double(minutes * 60 + seconds) + (Double(frames) / 75 * 1000).rounded() / 1000
  }
}

extension CueSheet {
  /// Bytes.
  private static let sizeLimit = 1 << 20

  /// The chapters of sounds from the cue sheets beside them, by the path of the sound. A sheet with one part for a file
  /// gives it none.
  public static func chapters(in contents: FolderContents, root: [UInt8]) -> [[UInt8]: [Chapter]] {
    var result: [[UInt8]: [Chapter]] = [:]
    for file in contents.cueSheets {
      guard let open = RegularFile(root + [UInt8(ascii: "/")] + file.path), open.size <= sizeLimit,
        let bytes = open.read(at: 0, open.size)
      else { continue }
      let directory = FolderPath.directory(of: file.path)
      let sounds = contents.sounds.filter { FolderPath.directory(of: $0.path) == directory }
      let parts = CueSheet(bytes).parts
      for part in parts where part.chapters.count > 1 {
        let named = sounds.first { TextFolding.fold(FolderPath.name(of: $0.path)) == TextFolding.fold(part.file) }
        // Programs that convert the sound do not change the name in the sheet.
        let alike =
          parts.count == 1 ? sounds.first { FolderPath.stem(of: $0.path) == FolderPath.stem(of: file.path) } : nil
        if let sound = named ?? alike { result[sound.path] = part.chapters }
      }
    }
    return result
  }
}
