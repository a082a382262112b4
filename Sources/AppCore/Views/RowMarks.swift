import Model

/// A fact about an episode, as rows of lists show it: a mark in the columns of marks, and words in linear mode. The
/// rows, the help and linear mode use this table. To add a fact, add a row.
struct RowMark: Sendable {
  /// The symbol, and its form for `ascii`. Empty: the fact is only in the words of linear mode.
  var glyph = ""
  var ascii = ""
  var role: Role = .text
  /// The meaning of the symbol, for the help.
  var meaning = ""
  /// It is seen in most lists.
  var isCommon = false
  /// The words in linear mode; nil if the fact is not true.
  var words: @Sendable (EpisodeRow, State) -> String?
  /// Whether the row has the symbol.
  var isShown: @Sendable (EpisodeRow) -> Bool = { _ in false }
  /// The column of the symbol. In one column, the first one that is true is shown.
  var column = Column.queue

  enum Column: CaseIterable, Sendable {
    case queue, file
  }

  /// All marks, in the order of rows and of linear mode.
  static let all = [
    RowMark { row, _ in row.isLive ? "on air" : nil },
    RowMark("≡", "Q", .queued, "in the queue", "queued", isCommon: true, in: .queue, \.isQueued),
    RowMark { row, state in state.downloads[row.id].map(AccessibleText.download) },
    RowMark("↓", "D", .downloaded, "downloaded", "downloaded", isCommon: true, in: .file, \.isDownloaded),
    RowMark("∅", "G", .gone, "gone from feed", "no longer in the feed", in: .file, \.isGoneFromFeed),
    RowMark { row, _ in row.hasMedia ? nil : "nothing to play" },
  ]

  /// The marks with a symbol.
  static let symbols = all.filter { !$0.glyph.isEmpty }

  private init(words: @escaping @Sendable (EpisodeRow, State) -> String?) { self.words = words }

  private init(
    _ glyph: String, _ ascii: String, _ role: Role, _ meaning: String, _ words: String, isCommon: Bool = false,
    in column: Column, _ isShown: @escaping @Sendable (EpisodeRow) -> Bool
  ) {
    (self.glyph, self.ascii, self.role, self.meaning, self.isCommon) = (glyph, ascii, role, meaning, isCommon)
    self.column = column
    self.words = { row, _ in isShown(row) ? words : nil }
    self.isShown = isShown
  }
}
