/// What Earshot does by itself with the episodes that a filter finds. docs/HOOKS.md describes rules.
public struct Rule: Sendable, Equatable {
  public var id: RuleID
  /// Unique, ignoring case and diacritics.
  public var name: String
  /// An `EpisodeFilter` as text.
  public var filter: String
  public var action: RuleAction
  public var isOn: Bool

  public init(id: RuleID, name: String, filter: String, action: RuleAction, isOn: Bool = true) {
    self.id = id
    self.name = name
    self.filter = filter
    self.action = action
    self.isOn = isOn
  }

  /// A change of one property. The others stay as they are stored: another process or device may have changed them.
  public enum Change: Sendable, Equatable {
    case name(String)
    case filter(String)
    case action(RuleAction)
    case isOn(Bool)

    public func apply(to rule: inout Rule) {
      switch self {
      case .name(let name): rule.name = name
      case .filter(let filter): rule.filter = filter
      case .action(let action): rule.action = action
      case .isOn(let isOn): rule.isOn = isOn
      }
    }
  }

  /// The name of a rule without one: its filter, cut to 40 characters.
  public static func standardName(_ filter: String) -> String {
    filter.count > 40 ? filter.prefix(39) + "…" : filter
  }
}

/// The action of a rule. `text` is what the listener writes, and what is stored.
public enum RuleAction: Sendable, Hashable, Encodable {
  case queue, queueNext, download, played, deleted, notify, transcribe
  /// No later rule touches the episode.
  case keep
  case tag(String)
  /// Adds to the playlist with this title.
  case playlist(String)

  /// The words of the actions, in the order of the documentation. `tag` and `playlist` need a name.
  public static let words = [
    "queue", "queue-next", "download", "played", "deleted", "tag", "playlist", "notify", "transcribe", "keep",
  ]

  /// Parses `queue` or `tag NAME`. Nil if the text is neither.
  public init?(_ text: String) {
    let word = text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    let name = text.drop(while: \.isWhitespace).dropFirst(word.count).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    switch (word, name.isEmpty) {
    case ("queue", true): self = .queue
    case ("queue-next", true): self = .queueNext
    case ("download", true): self = .download
    case ("played", true): self = .played
    case ("deleted", true): self = .deleted
    case ("notify", true): self = .notify
    case ("transcribe", true): self = .transcribe
    case ("keep", true): self = .keep
    case ("tag", false): self = .tag(name)
    case ("playlist", false): self = .playlist(name)
    default: return nil
    }
  }

  public var text: String {
    switch self {
    case .queue: "queue"
    case .queueNext: "queue-next"
    case .download: "download"
    case .played: "played"
    case .deleted: "deleted"
    case .notify: "notify"
    case .transcribe: "transcribe"
    case .keep: "keep"
    case .tag(let name): "tag \(name)"
    case .playlist(let title): "playlist \(title)"
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  /// What is never done twice to an episode. An episode that was taken out of the queue does not come back as the next.
  public var key: String { self == .queueNext ? RuleAction.queue.text : text }

  /// What was done, before “by rule NAME” or a number of episodes.
  public var done: String {
    switch self {
    case .queue: "queued"
    case .queueNext: "queued as next"
    case .download: "marked for download"
    case .played: "marked as played"
    case .deleted: "deleted"
    case .notify: "announced"
    case .transcribe: "put on the list of transcripts to make"
    case .keep: "kept"
    case .tag(let name): "tagged “\(name)”"
    case .playlist(let title): "added to “\(title)”"
    }
  }
}

/// A change of the rules by the listener.
public enum RuleChange: Sendable, Equatable {
  case add(name: String, filter: String, RuleAction)
  case update(RuleID, Rule.Change)
  case remove(RuleID)
  case move(RuleID, to: Int)
  /// Applies the rule to the whole library, or to these episodes of it.
  case run(RuleID, among: [EpisodeID]? = nil)
}

/// What a rule did with an episode.
public struct RuleAct: Sendable, Equatable, Encodable {
  public var episode: EpisodeID
  public var rule: String
  public var action: RuleAction

  public init(episode: EpisodeID, rule: String, action: RuleAction) {
    self.episode = episode
    self.rule = rule
    self.action = action
  }

  /// One line for each rule: `Rule “Daily”: queued 3 episodes`.
  public static func lines(_ acts: [RuleAct]) -> [String] {
    acts.grouped { [$0.rule, $0.action.text] }.map { _, acts in
      "Rule “\(acts[0].rule)”: \(Counted.text(acts.count, "episode")) \(acts[0].action.done)"
    }
  }
}

/// What a run of rules did.
public struct RuleReport: Sendable, Equatable, Encodable {
  public var acts: [RuleAct]
  /// Sentences about rules that could not act.
  public var problems: [String]

  public init(acts: [RuleAct] = [], problems: [String] = []) { (self.acts, self.problems) = (acts, problems) }

  public var isEmpty: Bool { acts.isEmpty && problems.isEmpty }
  /// The number of episodes that rules acted on.
  public var episodes: Int { Set(acts.map(\.episode)).count }
  /// One line for each rule, for the log.
  public var lines: [String] { RuleAct.lines(acts) + problems }

  public static func += (left: inout RuleReport, right: RuleReport) {
    left.acts += right.acts
    left.problems += right.problems.filter { !left.problems.contains($0) }
  }
}

/// The episodes that a rule would act on now.
public struct RulePreview: Sendable, Equatable {
  /// In the order in which the rule would act on them.
  public var episodes: [EpisodeID] = []
  /// How many of them were published in the last 30 days.
  public var recent = 0
  /// How many match, but are left out as back catalogue.
  public var backCatalogue = 0
  public init() {}

  /// Such as `7 episodes now; 3 of the last 30 days`.
  public var text: String {
    var text = "\(Counted.text(episodes.count, "episode")) now"
    if !episodes.isEmpty { text += "; \(recent) of the last 30 days" }
    if backCatalogue > 0 { text += "; \(backCatalogue) of the back catalogue left out (“catalogue” includes them)" }
    return text
  }
}

extension EpisodeFilter.Condition {
  /// Whether an episode may match later without a refresh: the condition compares `age`, `heard` or `left`, or a date
  /// with a day relative to today.
  public var changesWithTime: Bool {
    contains { part in
      switch part {
      case .number(let field, _, _): field == .age || field == .left
      case .date(_, _, .daysAgo): true
      case .date(let field, _, _): field == .heard
      default: false
      }
    }
  }

  /// Whether a rule with this condition may touch the back catalogue.
  public var namesCatalogue: Bool { contains { $0 == .flag(.catalogue) } }
}
