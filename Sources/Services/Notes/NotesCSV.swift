import Foundation
import Model

/// Bookmarks, clips and notes as CSV (RFC 4180) with the columns that Readwise imports
/// (https://docs.readwise.io/readwise/docs/importing-highlights/csv).
package enum NotesCSV {
  private static let columns = ["Highlight", "Title", "Author", "URL", "Note", "Location", "Date"]

  package static func text(_ episodes: [ExportedEpisode], _ dates: ExportDates) -> String {
    let rows = episodes.flatMap { episode in
      let title = [episode.detail.row.title, episode.detail.row.podcastTitle]
      let notes = episode.detail.marks.filter { $0.kind == .note }.map { clip in
        [clip.note ?? ""] + title + [episode.link ?? "", "", "", dates.second(clip.dateCreated)]
      }
      return notes
        + episode.marks.map { clip in
          // Readwise imports no row without a highlight.
          [clip.title ?? clip.note ?? clip.times()] + title
            + [
              episode.link(of: clip) ?? "", clip.note ?? "", String(Int(clip.startTime)),
              dates.second(clip.dateCreated),
            ]
        }
    }
    return ([columns] + rows).map { $0.map(field).joined(separator: ",") + "\r\n" }.joined()
  }

  private static func field(_ text: String) -> String {
    let text = String(text.unicodeScalars.filter { $0 == "\n" || $0.properties.generalCategory != .control })
    guard text.unicodeScalars.contains(where: { [",", "\"", "\n"].contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
