import Model

/// The counts and totals of titles and rows. All screens take them from here, so that they say the same.
enum Totals {
  /// A count in a column; empty for 0.
  static func shown(_ count: Int) -> String { count > 0 ? String(count) : "" }

  /// Such as `3 new, 12 unplayed` or `12 unplayed`.
  static func words(new: Int, unplayed: Int) -> String {
    new > 0 && new < unplayed ? "\(new) new, \(unplayed) unplayed" : new > 0 ? "\(new) new" : "\(unplayed) unplayed"
  }

  /// Such as `1h 25m left` and `ends 22:10`: the time that the queue takes at the current speed. Nothing if that of an
  /// episode is not known. The queue begins when what is playing outside of it has ended.
  static func queue(_ state: State) -> [String] {
    let playing = state.player.isActive ? state.player.episode.map { [$0.id] } ?? [] : []
    let before = playing.filter { !state.queue.contains($0) }
    let lengths = (before + state.queue).map { timeLeft($0, state) }
    guard !state.queue.isEmpty, lengths.allSatisfy({ $0 != nil }) else { return [] }
    let left = lengths.reduce(0) { $0 + ($1 ?? 0) } / max(0.1, state.player.speed)
    // A feed may claim any length.
    guard left.isFinite else { return [] }
    // Nobody listens longer without a break.
    guard left < 12 * 3600 else { return ["\(TimeText.short(left)) left"] }
    return ["\(TimeText.short(left)) left", "ends \(state.calendar.timeOfDay(state.now.addingTimeInterval(left)))"]
  }

  /// In seconds; nil if the length is not known.
  private static func timeLeft(_ id: EpisodeID, _ state: State) -> Double? {
    let isLoaded = state.player.episode?.id == id
    guard let row = state.library.rows[id] ?? (isLoaded ? state.player.episode : nil),
      let duration = isLoaded ? state.player.duration ?? row.duration : row.duration, duration > 0
    else { return nil }
    let isHeard = !isLoaded && row.status.isOver
    return max(0, duration - (isHeard ? 0 : isLoaded ? state.player.position : row.position))
  }

  /// Those of the downloads that are not complete, then such as `840 MB on disk` for the finished ones.
  static func downloads(_ state: State) -> [String] {
    let stored = state.downloads.storedBytes
    return coming(state) + (stored > 0 ? ["\(SizeText.bytes(stored)) on disk"] : [])
  }

  /// Such as `340 MB of 1.2 GB`, `3.4 MB/s` and `4m left`, for the downloads that are not complete.
  private static func coming(_ state: State) -> [String] {
    let items = state.downloads.items.filter { $0.phase == .running || $0.phase == .waiting }
    guard !items.isEmpty else { return [] }
    let received = sum(items.map(\.received))
    let rate = state.downloads.rate
    let speed = [SizeText.rate(rate)].compactMap { $0 }
    guard items.allSatisfy({ $0.total != nil }) else { return [SizeText.bytes(received)] + speed }
    let total = sum(items.compactMap(\.total))
    let left = [DownloadText.timeLeft(total - received, rate: rate)].compactMap { $0 }
    return ["\(SizeText.bytes(received)) of \(SizeText.bytes(total))"] + speed + left
  }

  /// A server may claim any size, so the sum is limited.
  private static func sum(_ sizes: [Int64]) -> Int64 {
    Int64(min(1e18, sizes.reduce(0.0) { $0 + max(0, Double($1)) }))
  }
}
