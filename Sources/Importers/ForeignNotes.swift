import Model

extension ForeignLibrary {
  /// Says what could not be taken over, when there was any of it.
  mutating func note(_ count: Int, one: String, many: String) {
    guard count > 0 else { return }
    notes.append(count == 1 ? "1 \(one)" : "\(count) \(many)")
  }
}
