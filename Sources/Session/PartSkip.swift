import Model

/// Parts of the item that the listener has marked to be skipped.
extension ListeningSession {
  /// Replaces the parts, in seconds. Parts that touch or overlap are one.
  public mutating func receive(skipped parts: [ClosedRange<Double>]) {
    skippedParts = parts.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, part in
      if let last = merged.last, part.lowerBound <= last.upperBound + Self.chapterTolerance {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, part.upperBound)
      } else {
        merged.append(part)
      }
    }
  }

  /// Seconds before a part in which a position that the listener has chosen counts as inside. An undo leads to the last
  /// stored position before the part.
  private static var nearPart: Double { 1.5 }

  /// A part in which the listener has chosen a position is heard.
  mutating func hearPart(at second: Double) {
    heardPart = skippedParts.first { second >= $0.lowerBound - Self.nearPart && second < $0.upperBound }
  }

  /// Skips the part that the position is in. The place before it can be undone and is in the jump list.
  mutating func skipPart() -> [SessionEffect] {
    let part = skippedParts.first {
      position >= $0.lowerBound - Self.chapterTolerance && position < $0.upperBound - 0.5
    }
    guard let part, part != heardPart, let sound, let currentPlace else { return [] }
    let target = min(part.upperBound, duration ?? .infinity)
    // If the parts leave nothing to hear, the listener who plays it wants to hear it all the same.
    let isEverything = duration.map { part.lowerBound < 1 && part.upperBound > $0 - 1 } ?? false
    guard target > position, !isEverything else { return [] }
    let skipped = target - position
    // A seek may lead to a position a little before the end.
    heardPart = part
    addSavedTime(.part, skipped)
    jumps.add(currentPlace)
    let before = savePosition() + [SessionEffect.note(.jump(from: keptPosition == nil ? position : nil, to: target))]
    // No message when the sleep timer pauses at this moment: it has its own message.
    let message: [SessionEffect] = sound.requestedPause == true ? [] : [.message(.skippedPart(skipped))]
    return before + message + skip(to: target)
  }
}
