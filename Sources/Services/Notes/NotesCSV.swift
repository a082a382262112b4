import Foundation
import Model

/// Bookmarks, clips and notes as CSV (RFC 4180) with the columns that Readwise imports
/// (https://docs.readwise.io/readwise/docs/importing-highlights/csv).
package enum NotesCSV {
  private static let columns = ["Highlight", "Title", "Author", "URL", "Note", "Location", "Date"]

  package static func text(_ episodes: [ExportedEpisode], _ dates: ExportDates) -> String {
    let rows = episodes.flatMap { Self.rows(of: $0, dates) }
    return ([columns] + rows).map { $0.map(field).joined(separator: ",") + "\r\n" }.joined()
  }

  private static func rows(of episode: ExportedEpisode, _ dates: ExportDates) -> [[String]] {
    let (title, podcast) = (episode.detail.row.title, episode.detail.row.podcastTitle)
    func row(_ clip: Clip, _ text: String, link: String?, note: String = "", location: String = "") -> [String] {
      [text, title, podcast, link ?? "", note, location, dates.second(clip.dateCreated)]
    }
    let notes = episode.detail.marks.filter { $0.kind == .note }.map { row($0, $0.note ?? "", link: episode.link) }
    let marks = episode.marks.map { clip in
      // Readwise imports no row without a highlight.
      row(
        clip, clip.title ?? clip.note ?? clip.times(), link: episode.link(of: clip), note: clip.note ?? "",
        location: String(TimeText.whole(clip.startTime)))
    }
    return notes + marks
  }

  private static func field(_ text: String) -> String {
    let text = String(text.unicodeScalars.filter { $0 == "\n" || $0.properties.generalCategory != .control })
    guard text.unicodeScalars.contains(where: { [",", "\"", "\n"].contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
