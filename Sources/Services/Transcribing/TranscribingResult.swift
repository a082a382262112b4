import FeedKit
import Foundation
import Model

/// The file that a recogniser has written: the first that exists of `{output}.vtt`, `.srt`, `.json` and `.tsv`.
enum TranscribingResult {
  /// Nil if there is none.
  static func read(_ output: String, duration: Double?) throws(ReportedError) -> Transcript? {
    for ending in RecognizedText.endings {
      let file = "\(output).\(ending)"
      let name = (file as NSString).lastPathComponent
      var status = stat()
      guard lstat(file, &status) == 0 else { continue }
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw ReportedError("\(name) is refused: it is not a file", .data)
      }
      guard status.st_size > 0 else { throw ReportedError("\(name) is refused: it is empty", .data) }
      guard status.st_size <= RecognizedText.maxBytes else {
        throw ReportedError("\(name) is refused: \(RecognizedTextError.tooLarge.description)", .data)
      }
      let data: Data
      do { data = try Data(contentsOf: URL(fileURLWithPath: file)) } catch {
        throw ReportedError("\(name) cannot be read: \(FileFailure.text(error))")
      }
      do throws(RecognizedTextError) {
        return try RecognizedText.read(data, ending: ending, duration: duration)
      } catch {
        throw ReportedError("\(name) is refused: \(error.description)", .data)
      }
    }
    return nil
  }

  /// Why a running recogniser must be stopped: its result is too large already.
  static func problem(_ output: String) -> String? {
    for ending in RecognizedText.endings {
      var status = stat()
      if lstat("\(output).\(ending)", &status) == 0, status.st_size > RecognizedText.maxBytes {
        return "output.\(ending): \(RecognizedTextError.tooLarge.description)"
      }
    }
    return nil
  }
}
