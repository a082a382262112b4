import Model

/// Compares texts for searches in lists (`TextFolding`).
enum SearchText {
  static func fold(_ text: String) -> String { TextFolding.fold(text) }

  static func matches(_ text: String, _ foldedWords: String) -> Bool { fold(text).contains(foldedWords) }
}
