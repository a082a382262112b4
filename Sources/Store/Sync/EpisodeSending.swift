import GRDB

/// What servers require of the states that one run sends.
struct EpisodeSending {
  /// The last episode that was sent. Episodes are sent in the order of their ids.
  var last: Int64 = 0
  /// Guids that two episodes of the library have. Nil: not read yet.
  private var shared: Set<String>?
  /// The number of states that were sent with each time.
  private var counts: [Double: Int] = [:]
  /// For full seconds: the next earlier one that may have room.
  private var earlier: [Double: Double] = [:]

  /// mygpo returns at most 1,000 actions, and `since` is in seconds: more actions of one second can never be requested.
  /// A state is up to two actions, and a run that was interrupted may have sent some of the same second.
  private static let statesOfOneSecond = 200

  /// The guid, unless another episode of the library has it, too. Nextcloud keeps one state for each guid, and other
  /// players search all podcasts for it.
  mutating func unique(_ guid: String?, _ db: Database) throws -> String? {
    if shared == nil { shared = try Library.sharedGUIDs(db) }
    return guid.flatMap { shared?.contains($0) == true ? nil : $0 }
  }

  /// The time to send: the same, or some seconds earlier if many states have this time, as after “mark all”.
  /// - Parameters:
  ///   - time: seconds since 1970, shared, whole.
  ///   - seen: an earlier time of the same episode. The result is later.
  mutating func spread(_ time: Double, after seen: Double?) -> Double {
    var free = time
    while counts[free, default: 0] >= Self.statesOfOneSecond { free = earlier[free, default: free - 1] }
    if free < time { earlier[time] = free }
    let result = max(free, seen.map { $0 + 1 } ?? free)
    let sent = min(result, time)
    counts[sent, default: 0] += 1
    return sent
  }
}
