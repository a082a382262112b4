extension String {
  /// Appends spaces until the text has this many columns. A wider text is not cut.
  public func rightPadded(_ columns: Int) -> String { self + blanks(columns) }

  /// Inserts spaces before the text until it has this many columns. A wider text is not cut.
  public func leftPadded(_ columns: Int) -> String { blanks(columns) + self }

  private func blanks(_ columns: Int) -> String {
    String(repeating: " ", count: max(0, columns - Clusters.width(self)))
  }
}
