/// What must be written to turn one frame into another.
extension Frame {
  /// The columns of a row that differ from the same row of a frame of the same size, with whole clusters of both rows.
  /// Nil if the rows are equal.
  public func changedColumns(of y: Int, since other: Frame) -> Range<Int>? {
    let (first, last) = (y * size.width, (y + 1) * size.width)
    return cells.withUnsafeBufferPointer { new in
      other.cells.withUnsafeBufferPointer { old in
        var (start, end) = (first, last)
        while start < end, new[start] == old[start] { start += 1 }
        if start == end { return nil }
        while new[end - 1] == old[end - 1] { end -= 1 }
        while start > first, new[start].width == 0 || old[start].width == 0 { start -= 1 }
        while end < last, new[end].width == 0 || old[end].width == 0 { end += 1 }
        return start - first..<end - first
      }
    }
  }

  /// The clusters of a row in these columns, with fewer changes of style than the frame has: a blank takes the style of
  /// the cluster before it if it looks the same. Blanks at the end of the row keep theirs, because a terminal clears
  /// them with one sequence.
  public func clusters(of y: Int, in columns: Range<Int>) -> [Cell] {
    guard !columns.isEmpty else { return [] }
    let row = row(y)
    let blank: ClusterText = " "
    let lastText = row.lastIndex { $0.scalars != blank } ?? row.startIndex
    var style = row[row.startIndex + columns.lowerBound].style
    var clusters: [Cell] = []
    clusters.reserveCapacity(columns.count)
    for index in row.startIndex + columns.lowerBound..<row.startIndex + columns.upperBound where row[index].width > 0 {
      var cell = row[index]
      if cell.scalars == blank, index < lastText, cell.style.isSameOnBlanks(as: style) { cell.style = style }
      style = cell.style
      clusters.append(cell)
    }
    return clusters
  }
}
