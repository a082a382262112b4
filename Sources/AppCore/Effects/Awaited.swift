import Model

/// Numbers what State asks for, so that a late answer can be told from the one that is awaited.
public typealias RequestID = Int

/// All that the program has asked for and waits for, an entry each. An answer ends its entry, and so does a failure: it
/// leaves nothing behind. An answer without an entry comes too late and is dropped.
public struct Awaited: Equatable, Sendable {
  /// What is waited for, and for which part of State.
  public enum Subject: Equatable, Sendable {
    case podcasts, queue, playlists
    /// The list of episodes of a screen.
    case episodes(Tab)
    /// Which episodes of a screen's list match the words that are searched for in it.
    case matches(Tab)
    case rows(Set<EpisodeID>)
    case reader(Reader)
    /// What the selected playlist holds.
    case playlist
    /// What a search of the library finds.
    case found
    /// Of the episode in the view of what plays.
    case transcript
    case chapters
    /// The chapters of an episode, to choose one of.
    case chapterPicker(EpisodeID)
    /// The settings of a podcast, to be shown in a picker.
    case settingPicker(PodcastID)
    case statistics
    /// An episode, to be copied as text: the clip of it, else itself.
    case share(Clip?)
    /// The playlists, to be asked to which of them this is added.
    case playlistPicker(Playlist.Item)
    case devicePicker
    case refresh
    /// A podcast, by its address.
    case podcast(String)
    /// What directories find.
    case directories
    /// A podcast to be looked at: how it is called, and the row of the Discover screen that it was asked for from.
    case visit(name: String, row: String?)
    /// What is suggested, and the names of what is subscribed to.
    case suggestions
    /// A trailer or a stream, to be heard.
    case extra

    /// Whether it takes the place of an earlier one, whose answer is then no longer wanted.
    fileprivate func replaces(_ earlier: Subject) -> Bool {
      switch (self, earlier) {
      case (.rows, _), (.refresh, _), (.podcast, _): false
      case (.visit, .visit): true
      case (.settingPicker, .settingPicker), (.playlistPicker, .playlistPicker), (.chapterPicker, .chapterPicker),
        (.share, .share):
        true
      default: self == earlier
      }
    }
  }

  /// A text of an episode or a podcast that is on the screen.
  public enum Reader: Hashable, Sendable {
    case details(Tab)
    /// In the view of what plays.
    case notes
  }

  private var subjects: [RequestID: Subject] = [:]
  /// The newest id that was given.
  public private(set) var last: RequestID = 0

  public init() {}

  /// Waits for this from now on.
  public mutating func begin(_ subject: Subject) -> RequestID {
    subjects = subjects.filter { !subject.replaces($0.value) }
    last += 1
    subjects[last] = subject
    return last
  }

  /// It is answered, has failed or was called off. Nil: nobody waited for it.
  @discardableResult
  mutating func end(_ request: RequestID) -> Subject? { subjects.removeValue(forKey: request) }

  /// Whoever waited for this does so no longer.
  @discardableResult
  mutating func drop(_ subject: Subject) -> RequestID? {
    let request = request(subject)
    if let request { subjects[request] = nil }
    return request
  }

  /// Whether an answer is on its way from the library that the screen shows as soon as it is here.
  public var isOnScreenSoon: Bool {
    subjects.values.contains {
      switch $0 {
      case .episodes, .rows, .reader, .playlist: true
      default: false
      }
    }
  }

  public func contains(_ subject: Subject) -> Bool { subjects.values.contains(subject) }

  func subject(of request: RequestID) -> Subject? { subjects[request] }

  /// The newest request for this.
  func request(_ subject: Subject) -> RequestID? { requests { $0 == subject }.last }

  /// The oldest first.
  private func requests(_ isWanted: (Subject) -> Bool) -> [RequestID] {
    subjects.filter { isWanted($0.value) }.keys.sorted()
  }

  /// The refreshes that are under way, the oldest first.
  var refreshes: [RequestID] { requests { $0 == .refresh } }

  /// Podcasts that were asked for, to be added or to be looked at, and have not come yet, the newest last.
  var additions: [(request: RequestID, address: String)] {
    subjects.compactMap { request, subject -> (request: RequestID, address: String)? in
      switch subject {
      case .podcast(let address): (request, address)
      case .visit(let name, _): (request, name)
      default: nil
      }
    }.sorted { $0.request < $1.request }
  }

  /// The podcast to be looked at that has not come yet.
  var visit: RequestID? { requests { if case .visit = $0 { true } else { false } }.last }

  /// Episodes whose rows were asked for and are not here yet.
  var rows: Set<EpisodeID> {
    subjects.values.reduce(into: []) { rows, subject in
      if case .rows(let ids) = subject { rows.formUnion(ids) }
    }
  }

  /// Rows that are on their way are older than what has been asked for since.
  mutating func dropRows() { subjects = subjects.filter { if case .rows = $0.value { false } else { true } } }
}

extension State {
  /// The effect that puts a question; its answer is for `subject`.
  mutating func ask(_ question: Question, for subject: Awaited.Subject) -> Effect {
    .ask(awaited.begin(subject), question)
  }

  /// Whether what `query` tells may be wrong and was not asked for again yet. True but once, until it is invalidated.
  mutating func mustAsk(_ query: WritableKeyPath<State, QueryState>, for subject: Awaited.Subject) -> Bool {
    guard self[keyPath: query].isStale, !awaited.contains(subject) else { return false }
    self[keyPath: query].asked()
    return true
  }

  /// Asks for the rows of these episodes, but for those that are here, on their way, or could not be read.
  mutating func askForRows(_ ids: some Sequence<EpisodeID>) -> [Effect] {
    let onTheirWay = awaited.rows
    let missing = ids.filter { rows[$0] == nil && !onTheirWay.contains($0) && !unreadableRows.contains($0) }
    return missing.isEmpty ? [] : [ask(.rows(missing), for: .rows(Set(missing)))]
  }
}
