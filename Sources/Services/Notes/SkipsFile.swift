import FeedKit
import Foundation
import Model

/// Reads parts to skip from a file: JSON `[{"start": 12.5, "end": "1:02", "label": "…"}]`, labels of Audacity, or
/// chapters of ffmetadata.
package enum SkipsFile {
  package static let maxBytes = 4_000_000
  private static let limit = 1000
  private static let tooLarge = ReportedError("the file is too large for a list of parts")

  package static func parse(_ data: Data) throws(ReportedError) -> [SkippedPart] {
    guard data.count <= maxBytes else { throw tooLarge }
    let text = String(decoding: data, as: UTF8.self).replacing("\u{FEFF}", with: "")
    let parts: [SkippedPart]? =
      switch text.first(where: { !$0.isWhitespace }) {
      case "[", "{": json(text)
      case ";": text.hasPrefix(";FFMETADATA") ? ffmetadata(text) : nil
      default: labels(text)
      }
    guard let parts else {
      throw ReportedError(
        "the file is neither JSON ([{\"start\": 1, \"end\": 2}]), nor labels of Audacity, nor ffmetadata")
    }
    guard !parts.isEmpty else { throw ReportedError("the file lists no parts") }
    guard parts.count <= limit else { throw tooLarge }
    for (index, part) in parts.enumerated() {
      guard part.start.isFinite, part.end.isFinite, part.start >= 0, part.end > part.start else {
        throw ReportedError("part \(index + 1) of the file does not end after it starts")
      }
    }
    return parts.sorted { $0.start < $1.start }
  }

  /// A list, or an object with a list as `segments`, `parts` or `skips`.
  private static func json(_ text: String) -> [SkippedPart]? {
    let value = JSONValue(text)
    let list = value?.array ?? ["segments", "parts", "skips"].lazy.compactMap { value?[$0]?.array }.first
    return list?.map { entry in
      SkippedPart(
        start: seconds(entry["start"]), end: seconds(entry["end"]),
        label: (entry["label"] ?? entry["title"])?.string.flatMap(label))
    }
  }

  private static func seconds(_ value: JSONValue?) -> Double {
    if case .number(let seconds)? = value { seconds } else { value?.string.flatMap(NormalPlayTime.parse) ?? .nan }
  }

  /// Lines of start, end and label with tabs between them (Audacity manual, "Importing and Exporting Labels"). A line
  /// with a backslash is about frequencies.
  private static func labels(_ text: String) -> [SkippedPart]? {
    var parts: [SkippedPart] = []
    for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("\\") {
      let fields = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
      // Audacity writes a comma where the listener's language does.
      let numbers = fields.prefix(2).map { Double($0.replacing(",", with: ".").trimmingCharacters(in: .whitespaces)) }
      guard numbers.count == 2, let start = numbers[0], let end = numbers[1] else { return nil }
      parts.append(SkippedPart(start: start, end: end, label: fields.count > 2 ? label(String(fields[2])) : nil))
    }
    return parts
  }

  /// The sections [CHAPTER] with TIMEBASE, START, END and title (ffmpeg-formats(1), "Metadata").
  private static func ffmetadata(_ text: String) -> [SkippedPart]? {
    var parts: [SkippedPart] = []
    var isChapter = false
    var base = 1e-9
    var values: [String: String] = [:]
    func close() {
      guard isChapter else { return }
      let times = ["START", "END"].map { values[$0].flatMap(Double.init).map { $0 * base } ?? .nan }
      parts.append(SkippedPart(start: times[0], end: times[1], label: values["title"].flatMap(label)))
    }
    for line in text.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("[") {
        close()
        (isChapter, base, values) = (line == "[CHAPTER]", 1e-9, [:])
      } else if !line.hasPrefix(";"), !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") {
        let (name, value) = (String(line[..<equals]), String(line[line.index(after: equals)...]))
        if name == "TIMEBASE" {
          let numbers = value.split(separator: "/").map { Double($0) ?? 0 }
          base = numbers.count == 2 && numbers[1] > 0 ? numbers[0] / numbers[1] : .nan
        } else {
          values[name] = value.replacing(/\\(.)/) { String($0.1) }
        }
      }
    }
    close()
    return parts
  }

  private static func label(_ text: String) -> String? {
    let line = CleanText.line(String(text.prefix(200)))
    return line.isEmpty ? nil : line
  }
}
