import Model

/// The counts and totals of tabs, titles and rows. All screens take them from here, so that they say the same.
enum Totals {
  /// A count in a column; empty for 0.
  static func shown(_ count: Int) -> String { count > 0 ? String(count) : "" }

  /// Such as `3 new, 12 unplayed` or `12 unplayed`.
  static func words(new: Int, unplayed: Int) -> String {
    new > 0 && new < unplayed ? "\(new) new, \(unplayed) unplayed" : new > 0 ? "\(new) new" : "\(unplayed) unplayed"
  }

  /// The number beside the name of a screen; 0: none is shown. Downloads counts those that are not complete.
  static func count(of tab: Tab, _ state: State) -> Int {
    switch tab {
    case .new: state.podcasts.reduce(0) { $0 + $1.new }
    case .queue: state.queue.count
    case .downloads: state.downloads.items.count
    case .podcasts, .playlists, .history, .find, .discover: 0
    }
  }
}
