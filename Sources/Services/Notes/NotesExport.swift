import FeedKit
import Foundation
import Model

/// An episode with everything that an export of the listener's notes may contain.
package struct ExportedEpisode: Sendable {
  package var detail: EpisodeDetail
  /// Bookmarks and clips in order of time, without notes about the whole episode.
  package var marks: [Clip]
  package var note: String?
  /// Empty unless they were asked for.
  package var chapters: [Chapter] = []
  package var transcript: Transcript?
  /// The show notes as plain text, a line for each paragraph.
  package var showNotes: [String] = []
  /// Another episode has the same guid.
  package var isGUIDShared = false

  package init(_ detail: EpisodeDetail) {
    self.detail = detail
    marks = detail.marks.filter { $0.kind == .clip }
    note = detail.marks.episodeNote
  }

  /// The page of the episode, else its media, without passwords and keys.
  package var link: String? {
    [detail.feed.link, detail.feed.mediaURL].compactMap { $0 }
      .first { $0.hasPrefix("https://") || $0.hasPrefix("http://") }
      .map { String(ShownAddress($0).description.prefix { $0 != "#" }) }
  }

  /// The address of a mark (W3C Media Fragments 1.0, 4.2.1).
  package func link(of clip: Clip) -> String? { clip.link(of: detail.feed.link) ?? clip.link(of: detail.feed.mediaURL) }

  /// A command that plays from a mark. The guid is the same on every device, but it may contain anything, and name
  /// several episodes.
  package func command(of clip: Clip) -> String {
    let guid = detail.feed.guid.flatMap { guid in
      isGUIDShared || guid.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9:\/._@=-]{0,199}/) == nil || Int(guid) != nil
        ? nil : guid
    }
    return "earshot play \(guid ?? String(detail.id.rawValue)) --start \(TimeText.clock(clip.startTime))"
  }
}

/// The days and times of an export, in the listener's time zone.
package struct ExportDates: Sendable {
  private let calendar: Calendar

  package init(timeZone: TimeZone = .current) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    self.calendar = calendar
  }

  /// Such as `2026-11-27`.
  package func day(_ date: Date) -> String {
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    return Gregorian.text(parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
  }

  /// Such as `2026-11-27 14:05:09`.
  package func second(_ date: Date) -> String {
    let parts = calendar.dateComponents([.hour, .minute, .second], from: date)
    let time = [parts.hour, parts.minute, parts.second].map { Gregorian.padded($0 ?? 0, 2) }
    return "\(day(date)) \(time.joined(separator: ":"))"
  }
}

/// Show notes as paragraphs of plain text.
package enum ShowNotesText {
  package static func paragraphs(_ notes: String) -> [String] {
    HTMLDocument.parse(notes).blocks.compactMap { block in
      let text: String
      switch block {
      case .heading(_, let spans), .paragraph(let spans), .quote(let spans): text = spans.map(\.text).joined()
      case .item(_, let ordinal, let spans):
        text = (ordinal.map { "\($0). " } ?? "• ") + spans.map(\.text).joined()
      case .code(let code): text = code
      case .image, .rule: return nil
      }
      let line = CleanText.line(text)
      return line.isEmpty ? nil : line
    }
  }
}
