import FeedKit
import Model

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
