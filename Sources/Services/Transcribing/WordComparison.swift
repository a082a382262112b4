import Model

/// Compares a made transcript with a true one, by words without case and punctuation.
package enum WordComparison {
  /// The share of words that are right, 0 to 1: one minus the word error rate (replaced, missing and added words by the
  /// words of the true text).
  package static func share(of made: Transcript, rightBy truth: Transcript) -> Double {
    let (made, truth) = (words(made), words(truth))
    guard !truth.isEmpty else { return made.isEmpty ? 1 : 0 }
    // The distance of Levenshtein, a row at a time.
    var row = Array(0...made.count)
    for (index, word) in truth.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in made.indices {
        let replaced = diagonal + (made[column] == word ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, min(row[column], diagonal) + 1)
      }
    }
    return max(0, 1 - Double(row[made.count]) / Double(truth.count))
  }

  private static func words(_ transcript: Transcript) -> [Substring] {
    transcript.lines.flatMap { line in
      line.text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’" }
    }
  }
}
