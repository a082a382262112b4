import Foundation

/// Compares texts for searches in lists: without case, accents and width.
enum SearchText {
  static func fold(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }

  static func matches(_ text: String, _ foldedWords: String) -> Bool { fold(text).contains(foldedWords) }
}
