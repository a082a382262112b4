import Model

/// The id of a request. It distinguishes a late answer from the current one.
public typealias RequestID = Int

/// Everything that the program has asked for and that has not answered yet. An answer or a failure removes its entry.
/// An answer without an entry is too late and is dropped.
public struct Awaited: Equatable, Sendable {
  /// What was asked for, and the part of State that waits for it.
  public enum Subject: Equatable, Sendable {
    /// The answer to a question to the library.
    case library(AnyLibraryQuestion)
    /// The transcript for the full-screen view.
    case transcript
    case chapters
    /// The chapters for the picker of an episode.
    case chapterPicker(EpisodeID)
    /// The audio devices: to choose one, or the one with this name.
    case devices(wanted: String?)
    case refresh
    /// A podcast that is being added, by its address.
    case podcast(String)
    /// Search results of the directories.
    case directories
    /// A podcast to look at without subscribing: its name, and the row of the Discover screen that was opened.
    case visit(name: String, row: String?)

    /// Whether it replaces an earlier request, whose answer is no longer wanted.
    fileprivate func replaces(_ earlier: Subject) -> Bool {
      switch (self, earlier) {
      case (.refresh, _), (.podcast, _): false
      case (.visit, .visit): true
      case (.chapterPicker, .chapterPicker), (.devices, .devices): true
      case (.library(let question), .library(let earlier)): question.replaces(earlier)
      default: self == earlier
      }
    }
  }

  private var subjects: [RequestID: Subject] = [:] { didSet { arriving = arriving.filter { subjects[$0.key] != nil } } }
  /// What has arrived of the podcasts that are being added.
  private var arriving: [RequestID: ArrivingPodcast] = [:]
  /// The last id that was given.
  public private(set) var last: RequestID = 0

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

  /// Replaces the question that an outstanding answer belongs to.
  /// - Returns: false if the answer is not outstanding.
  mutating func replace(_ asked: some LibraryQuestion, by question: some LibraryQuestion) -> Bool {
    guard let request = drop(.library(AnyLibraryQuestion(asked))) else { return false }
    let subject = Subject.library(AnyLibraryQuestion(question))
    subjects = subjects.filter { !subject.replaces($0.value) }
    subjects[request] = subject
    return true
  }

  /// Drops the answers to the questions of this type for which `isDropped` is true.
  mutating func drop<Question: LibraryQuestion>(
    _ type: Question.Type, where isDropped: (Question) -> Bool = { _ in true }
  ) {
    subjects = subjects.filter { !($0.value.question(type).map(isDropped) ?? false) }
  }

  /// Whether an answer to a question of this type is outstanding.
  public func contains<Question: LibraryQuestion>(
    _ type: Question.Type, where isWanted: (Question) -> Bool = { _ in true }
  ) -> Bool {
    questions(type).contains(where: isWanted)
  }

  /// Whether an answer is outstanding that this question would replace.
  func containsEarlier(_ question: some LibraryQuestion) -> Bool {
    let subject = Subject.library(AnyLibraryQuestion(question))
    return subjects.values.contains { subject.replaces($0) }
  }

  /// Whether the library will soon answer something that the current screen shows. The event loop then waits a few
  /// milliseconds before it draws.
  public var isOnScreenSoon: Bool { isAny { $0.destination == .screen } }

  /// Whether the library will soon answer with the content of an overlay.
  var isPickerSoon: Bool { isAny { $0.destination == .overlay } }

  private func isAny(_ isWanted: (any LibraryQuestion) -> Bool) -> Bool {
    subjects.values.contains { if case .library(let asked) = $0 { isWanted(asked.question) } else { false } }
  }

  public func contains(_ subject: Subject) -> Bool { subjects.values.contains(subject) }

  public func contains(_ question: some LibraryQuestion) -> Bool {
    contains(.library(AnyLibraryQuestion(question)))
  }

  func subject(of request: RequestID) -> Subject? { subjects[request] }

  /// Stores what has arrived of a podcast that is being added.
  mutating func receive(_ podcast: ArrivingPodcast, _ request: RequestID) {
    if subjects[request] != nil { arriving[request] = podcast }
  }

  /// What has arrived of the podcast that was added last.
  var newestArriving: ArrivingPodcast? { arriving.max { $0.key < $1.key }?.value }

  /// The newest request for this subject.
  func request(_ subject: Subject) -> RequestID? { requests { $0 == subject }.last }

  /// The newest request with a question of this type.
  func request<Question: LibraryQuestion>(_ type: Question.Type) -> RequestID? {
    requests { $0.question(type) != nil }.last
  }

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

  /// The questions of this type whose answers are outstanding.
  func questions<Question: LibraryQuestion>(_ type: Question.Type) -> [Question] {
    subjects.values.compactMap { $0.question(type) }
  }
}

extension Awaited.Subject {
  /// The question, if it is one of this type.
  func question<Question: LibraryQuestion>(_ type: Question.Type) -> Question? {
    if case .library(let asked) = self { asked.question as? Question } else { nil }
  }
}

extension State {
  /// Makes the effect that asks a question.
  mutating func ask(_ question: some LibraryQuestion) -> Effect {
    let question = AnyLibraryQuestion(question)
    return .ask(awaited.begin(.library(question)), question)
  }

  /// Cancels a request, whose answer is no longer wanted. Nil: there is none.
  mutating func cancel(_ request: RequestID?) -> [Effect] {
    guard let request else { return [] }
    awaited.end(request)
    return [.cancel(request)]
  }

  /// Asks a question if the library has changed since it was asked, and no answer is outstanding.
  mutating func askIfStale<Question: LibraryQuestion>(_ question: Question) -> [Effect] {
    guard !awaited.containsEarlier(question) else { return [] }
    return library.asked.insert(ObjectIdentifier(Question.self)).inserted ? [ask(question)] : []
  }

  /// The same for a list, which also shows whether there was an answer.
  mutating func askIfStale(_ query: WritableKeyPath<State, QueryState>, _ question: some LibraryQuestion) -> [Effect] {
    guard self[keyPath: query].isStale, !awaited.containsEarlier(question) else { return [] }
    self[keyPath: query].asked()
    return [ask(question)]
  }
}

/// The state of a question to the store whose answer replaces the previous one. It is not asked again while an answer
/// is outstanding (`Awaited`), however often the library changes. If it failed, it is asked again after the next
/// change.
public struct QueryState: Equatable, Sendable {
  public private(set) var hasAnswer = false
  public private(set) var isStale = true

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
