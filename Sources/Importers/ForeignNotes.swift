import Model

extension ForeignLibrary {
  /// Adds a sentence about something that could not be imported, unless `count` is 0.
  mutating func note(_ count: Int, one: String, many: String) {
    guard count > 0 else { return }
    notes.append(count == 1 ? "1 \(one)" : "\(count) \(many)")
  }
}
