import Model

/// Reads show notes, which the store has as HTML. The store parses nothing itself.
public struct NotesReader: Sendable {
  /// Converts show notes to plain text for the search index. Called on any thread.
  public var plainText: @Sendable (_ notes: String) -> String
  /// The chapters that show notes list. The duration of the episode is in seconds; nil if unknown.
  public var chapters: @Sendable (_ notes: String, _ duration: Double?) -> [Chapter]

  public init(
    plainText: @escaping @Sendable (String) -> String = { $0 },
    chapters: @escaping @Sendable (String, Double?) -> [Chapter] = { _, _ in [] }
  ) {
    self.plainText = plainText
    self.chapters = chapters
  }
}
