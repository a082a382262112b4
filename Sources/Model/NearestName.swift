/// Finds the names that an unknown word may mean: those that it abbreviates, and those with almost the same letters.
public enum NearestName {
  /// The most names that are suggested.
  private static let limit = 3

  /// The likely names, the most similar first.
  public static func names(for word: String, among names: some Sequence<String>) -> [String] {
    let word = word.lowercased()
    guard !word.isEmpty else { return [] }
    // One typing error in four letters.
    let tolerance = max(1, word.count / 4)
    let ranked = names.compactMap { name -> (errors: Int, name: String)? in
      if word.count > 1, name.lowercased().hasPrefix(word) { return (0, name) }
      guard abs(word.count - name.count) <= tolerance else { return nil }
      let errors = distance(Array(word.unicodeScalars), Array(name.lowercased().unicodeScalars))
      return errors <= tolerance ? (errors, name) : nil
    }
    return ranked.sorted { ($0.errors, $0.name) < ($1.errors, $1.name) }.prefix(limit).map(\.name)
  }

  /// The end of an error message, such as `; did you mean seek_forward?`. Empty if no name is near.
  public static func question(for word: String, among names: some Sequence<String>) -> String {
    let near = Self.names(for: word, among: names)
    return near.isEmpty ? "" : "; did you mean \(near.joined(separator: ", "))?"
  }

  /// The number of letters to insert, delete, replace or swap (optimal string alignment).
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    // Long words are no names, and the table would be large.
    guard left.count < 64, right.count < 64 else { return .max }
    var rows = [Array(0...right.count)]
    for (y, a) in left.enumerated() {
      var row = [y + 1]
      for (x, b) in right.enumerated() {
        var least = min(rows[y][x] + (a == b ? 0 : 1), rows[y][x + 1] + 1, row[x] + 1)
        if y > 0, x > 0, a == right[x - 1], left[y - 1] == b { least = min(least, rows[y - 1][x - 1] + 1) }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
