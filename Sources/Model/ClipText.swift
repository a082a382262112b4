extension Clip {
  /// The clip as text for sharing: its title, its episode, and a link that plays it. Unknown values are left out.
  public func sharedLines(of episode: EpisodeDetail) -> [String] {
    let source = "\(episode.row.podcastTitle): \(episode.row.title), \(times())"
    return [title, source, link(of: episode.feed.mediaURL)].compactMap { $0 }
  }

  /// Such as `12:00–12:45`; for a bookmark, its only time.
  /// - Parameter range: the sign between the times.
  public func times(_ range: String = "–") -> String {
    TimeText.clock(startTime) + (endTime.map { range + TimeText.clock($0) } ?? "")
  }

  /// The range of an excerpt that plays it; nil for a bookmark.
  public var range: ClosedRange<Double>? { endTime.map { startTime...max(startTime, $0) } }
}

extension [Clip] {
  /// The parts to skip, in seconds.
  public var skippedRanges: [ClosedRange<Double>] { filter { $0.kind == .skip }.compactMap(\.range) }

  /// The note about the episode. Two devices may have written one each, which are read together.
  public var episodeNote: String? {
    let notes = filter { $0.kind == .note }.sorted {
      ($0.dateCreated, $0.id.rawValue) < ($1.dateCreated, $1.id.rawValue)
    }
    .compactMap(\.note)
    return notes.isEmpty ? nil : notes.joined(separator: "\n")
  }
}

extension EpisodeDetail {
  /// The episode as text for sharing, with a link to its page or its media, without passwords and keys.
  public var sharedLines: [String] {
    let source = [row.podcastTitle, row.title].filter { !$0.isEmpty }.joined(separator: ": ")
    // The path of a file would only tell others about this machine.
    let media = feed.mediaURL.flatMap { FolderAddress.isLocal($0) ? nil : $0 }
    let address = ShownAddress(feed.link) ?? ShownAddress(media)
    return [source] + (address.map { [$0.description] } ?? [])
  }
}
