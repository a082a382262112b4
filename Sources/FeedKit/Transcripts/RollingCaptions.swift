/// Captions that roll up: each cue repeats the lines of the cue before and adds one, or adds words to the last line.
/// YouTube's WebVTT files do so.
enum RollingCaptions {
  /// The rows of each cue without what the cue before has shown already. Unchanged if the captions do not roll, because
  /// speakers repeat themselves, too.
  /// - Parameter cues: the rows of each cue, as plain text.
  static func unrolled(_ cues: [[String]]) -> [[String]] {
    let rows = cues.map { $0.filter { !$0.isEmpty } }
    var result = cues
    var before: [String] = []
    var (pairs, repeats, additions) = (0, 0, 0)
    for (index, cue) in rows.enumerated() where !cue.isEmpty {
      defer { before = cue }
      guard !before.isEmpty else { continue }
      pairs += 1
      guard let rest = rest(of: cue, after: before) else { continue }
      repeats += 1
      if !rest.isEmpty { additions += 1 }
      result[index] = rest
    }
    // A chant repeats whole cues and adds nothing. In a conversation few answers repeat the line before.
    return pairs >= 2 && additions > 0 && repeats * 2 >= pairs ? result : cues
  }

  /// The new rows of a cue; nil if it repeats nothing.
  private static func rest(of cue: [String], after before: [String]) -> [String]? {
    for count in stride(from: min(cue.count, before.count), through: 1, by: -1) {
      let shown = before.suffix(count)
      if shown.elementsEqual(cue.prefix(count)) { return Array(cue.dropFirst(count)) }
      // The last row has grown.
      if shown.dropLast().elementsEqual(cue.prefix(count - 1)), let last = shown.last,
        cue[count - 1].hasPrefix(last + " ")
      {
        return [String(cue[count - 1].dropFirst(last.count + 1))] + cue.dropFirst(count)
      }
    }
    return nil
  }
}
