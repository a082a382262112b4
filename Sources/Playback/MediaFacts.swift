import Foundation
import Model

/// What a file says about itself.
public struct MediaFacts: Codable, Sendable, Equatable {
  /// FFmpeg's names of the tags of all formats, in lower case.
  public var metadata: [String: String] = [:]
  /// Seconds.
  public var duration: Double?
  public var chapters: [Chapter] = []
  /// Whether a picture is in the file.
  public var hasPicture = false
}

/// Reads facts of files without playing them, with a core of mpv. It must have a process of its own, because a process
/// has only one core (see `MpvCore`), and because a hostile file may end it.
///
/// mpv is used and not libavformat itself, whose structures have no stable layout across the releases of FFmpeg.
public final class MediaFactsReader {
  private let core: MpvCore

  /// Characters of one tag, and the number of chapters.
  private static let (textLimit, chapterLimit) = (20_000, 5000)
  /// Seconds after which a file is given up. A disk that stands still needs more than ten to start, and a busy machine,
  /// too.
  public static let patience = 30.0

  /// - Parameter readsPictures: only `writePicture` is used.
  public init(readsPictures: Bool = false) throws {
    var options = PlayerOptions(output: .null(isTimed: true))
    options.overrides = [MpvOption("pause", "yes"), MpvOption("keep-open", "no")]
    if readsPictures { options.overrides += [MpvOption("vid", "1"), MpvOption("aid", "no")] }
    let library = try MpvLibrary(names: options.libraryNames)
    core = try MpvCore(library: library, options: MpvOption.table(for: options))
  }

  deinit { core.terminate() }

  /// - Parameter address: `file://` and a path. It is trusted.
  /// - Returns: nil if the file cannot be read.
  public func read(_ address: String) -> MediaFacts? {
    guard open(address) else { return nil }
    var facts = MediaFacts()
    let tags = core.value(of: "metadata")
    if case .map(let entries) = tags {
      for entry in entries {
        guard let text = entry.value.text else { continue }
        facts.metadata[entry.key.lowercased()] = String(text.prefix(Self.textLimit))
      }
    }
    facts.duration = core.value(of: .duration).number
    facts.chapters = Array(FileChapters.read(core.value(of: .chapters), tags: tags).prefix(Self.chapterLimit))
    facts.hasPicture = core.value(of: "track-list").elements.contains { $0["albumart"].bool == true }
    return facts
  }

  /// Writes the picture that is in a file.
  /// - Parameter file: ends with `.jpg`.
  /// - Returns: false if there is none, or it cannot be decoded or written.
  public func writePicture(of address: String, to file: String) -> Bool {
    guard open(address) else { return false }
    let end = ContinuousClock.now + .seconds(Self.patience)
    while ContinuousClock.now < end {
      switch core.wait(timeout: max(0, (end - ContinuousClock.now) / .seconds(1))) {
      // The picture is decoded.
      case .playbackRestart:
        let arguments = [MpvEntry("filename", .string(file)), MpvEntry("flags", .string("video"))]
        return (try? core.command("screenshot-to-file", arguments)) != nil
      case .endFile, .shutDown: return false
      default: break
      }
    }
    return false
  }

  private func open(_ address: String) -> Bool {
    // A file must not refer to others, as a manifest can.
    guard let entry = try? core.load(address, [("access-references", "no")]) else { return false }
    let end = ContinuousClock.now + .seconds(Self.patience)
    var isStarted = false
    while ContinuousClock.now < end {
      switch core.wait(timeout: max(0, (end - ContinuousClock.now) / .seconds(1))) {
      case .startFile(entry): isStarted = true
      case .fileLoaded where isStarted: return true
      case .endFile(entry, _), .shutDown: return false
      default: break
      }
    }
    core.stop()
    return false
  }
}
