import Model

/// The id of a request. It distinguishes a late answer from the current one.
public typealias RequestID = Int

/// Everything that the program has asked for and that has not answered yet. An answer or a failure removes its entry.
/// An answer without an entry is too late and is dropped.
public struct Awaited: Equatable, Sendable {
  /// What was asked for, and the part of State that waits for it.
  public enum Subject: Equatable, Sendable {
    case podcasts, queue, playlists
    /// The list of episodes of a screen.
    case episodes(Tab)
    /// Which episodes of a screen's list match the words of the search in the list.
    case matches(Tab)
    case rows(Set<EpisodeID>)
    case reader(Reader)
    /// The details of what is next to the selection, before they are shown.
    case readAhead(Tab, ReaderState.Subject)
    /// The contents of the selected playlist.
    case playlist
    /// The result of a search of the whole library.
    case found
    /// The transcript for the full-screen view.
    case transcript
    case chapters
    /// The chapters for the picker of an episode.
    case chapterPicker(EpisodeID)
    /// A question that carries its own receiver.
    case once(AnyLibraryQuestion)
    /// The audio devices: to choose one, or the one with this name.
    case devices(wanted: String?)
    case refresh
    /// A podcast that is being added, by its address.
    case podcast(String)
    /// Search results of the directories.
    case directories
    /// A podcast to look at without subscribing: its name, and the row of the Discover screen that was opened.
    case visit(name: String, row: String?)
    /// The suggested podcasts, and the names of the subscriptions.
    case suggestions
    /// A trailer or a live stream to play.
    case extra

    /// Whether it replaces an earlier request, whose answer is no longer wanted.
    fileprivate func replaces(_ earlier: Subject) -> Bool {
      switch (self, earlier) {
      case (.rows, _), (.refresh, _), (.podcast, _): false
      case (.visit, .visit): true
      case (.chapterPicker, .chapterPicker), (.devices, .devices): true
      case (.once(let question), .once(let earlier)): question.replaces(earlier)
      default: self == earlier
      }
    }
  }

  /// A text of an episode or a podcast on the screen.
  public enum Reader: Hashable, Sendable {
    case details(Tab)
    /// The notes in the full-screen view.
    case notes
  }

  private var subjects: [RequestID: Subject] = [:]
  /// The last id that was given.
  public private(set) var last: RequestID = 0

  public init() {}

  /// Adds an entry, and removes the entries that it replaces.
  public mutating func begin(_ subject: Subject) -> RequestID {
    subjects = subjects.filter { !subject.replaces($0.value) }
    last += 1
    subjects[last] = subject
    return last
  }

  /// Removes the entry of a request that was answered, has failed or was cancelled.
  /// - Returns: nil if nobody waited for it.
  @discardableResult
  mutating func end(_ request: RequestID) -> Subject? { subjects.removeValue(forKey: request) }

  /// Removes the entry for this subject, because its answer is no longer wanted.
  @discardableResult
  mutating func drop(_ subject: Subject) -> RequestID? {
    let request = request(subject)
    if let request { subjects[request] = nil }
    return request
  }

  /// Lets an answer that was asked for ahead be the one that the screen waits for.
  /// - Returns: false if it was not asked for.
  mutating func promote(_ ahead: Subject, to subject: Subject) -> Bool {
    guard let request = drop(ahead) else { return false }
    subjects = subjects.filter { $0.value != subject }
    subjects[request] = subject
    return true
  }

  /// Drops the answers to questions that were asked ahead, about this subject or all. They may be older than the last
  /// change.
  mutating func dropReadAhead(of subject: ReaderState.Subject? = nil) {
    subjects = subjects.filter {
      if case .readAhead(_, let about) = $0.value { subject != nil && about != subject } else { true }
    }
  }

  /// Whether the library will soon answer something that the current screen shows. The event loop then waits a few
  /// milliseconds before it draws.
  public var isOnScreenSoon: Bool {
    subjects.values.contains {
      switch $0 {
      case .episodes, .rows, .reader, .playlist: true
      default: false
      }
    }
  }

  /// Whether the library will soon answer with the content of an overlay.
  var isPickerSoon: Bool {
    subjects.values.contains { if case .once(let question) = $0 { question.opensOverlay } else { false } }
  }

  public func contains(_ subject: Subject) -> Bool { subjects.values.contains(subject) }

  func subject(of request: RequestID) -> Subject? { subjects[request] }

  /// The newest request for this subject.
  func request(_ subject: Subject) -> RequestID? { requests { $0 == subject }.last }

  /// Oldest first.
  private func requests(_ isWanted: (Subject) -> Bool) -> [RequestID] {
    subjects.filter { isWanted($0.value) }.keys.sorted()
  }

  /// The request for the audio devices.
  var devices: RequestID? { requests { if case .devices = $0 { true } else { false } }.last }

  /// The running refreshes, oldest first.
  var refreshes: [RequestID] { requests { $0 == .refresh } }

  /// Podcasts that are being added or opened and have not arrived, oldest first.
  var additions: [(request: RequestID, address: String)] {
    subjects.compactMap { request, subject -> (request: RequestID, address: String)? in
      switch subject {
      case .podcast(let address): (request, address)
      case .visit(let name, _): (request, name)
      default: nil
      }
    }.sorted { $0.request < $1.request }
  }

  /// The podcast that is being opened without subscribing.
  var visit: RequestID? { requests { if case .visit = $0 { true } else { false } }.last }

  /// Episodes whose rows were asked for and have not arrived.
  var rows: Set<EpisodeID> {
    subjects.values.reduce(into: []) { rows, subject in
      if case .rows(let ids) = subject { rows.formUnion(ids) }
    }
  }

  /// Drops the answers to all questions for rows. They would be older than the latest change.
  mutating func dropRows() { subjects = subjects.filter { if case .rows = $0.value { false } else { true } } }
}

extension State {
  /// Makes the effect that asks a question. Its answer belongs to `subject`.
  mutating func ask(_ question: Question, for subject: Awaited.Subject) -> Effect {
    .ask(awaited.begin(subject), question)
  }

  /// Whether a query is stale and must be asked now. Marks it as asked, so that it is true once until the next
  /// `invalidate`.
  mutating func mustAsk(_ query: WritableKeyPath<State, QueryState>, for subject: Awaited.Subject) -> Bool {
    guard self[keyPath: query].isStale, !awaited.contains(subject) else { return false }
    self[keyPath: query].asked()
    return true
  }

  /// Asks for the rows of these episodes, except for rows that are known, already asked for, or unreadable.
  mutating func askForRows(_ ids: some Sequence<EpisodeID>) -> [Effect] {
    let awaitedRows = awaited.rows
    let missing = ids.filter { library.lacksRow($0) && !awaitedRows.contains($0) }
    return missing.isEmpty ? [] : [ask(.rows(missing), for: .rows(Set(missing)))]
  }
}

/// The state of a question to the store whose answer replaces the previous one. It is not asked again while an answer
/// is outstanding (`Awaited`), however often the library changes. If it failed, it is asked again after the next
/// change.
public struct QueryState: Equatable, Sendable {
  public private(set) var hasAnswer = false
  public private(set) var isStale = true
  public init() {}

  /// Marks the answer as possibly out of date.
  mutating func invalidate() { isStale = true }

  mutating func asked() { isStale = false }

  mutating func answered() { hasAnswer = true }

  /// Whether there is no answer yet, but one will come.
  /// - Parameter isAwaited: the question was asked.
  func isPending(_ isAwaited: Bool) -> Bool { !hasAnswer && (isStale || isAwaited) }

  /// Forgets the answer, because another question replaces it.
  mutating func reset() { self = QueryState() }
}
