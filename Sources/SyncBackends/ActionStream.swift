import Foundation
import Model
import Sync

/// Parses `{"actions":[{…},…],"timestamp":…}` while it arrives. Each action is passed on and then dropped, so that only
/// the newest action of each episode needs memory.
///
/// `@unchecked`, because only the transport's thread uses it until its answer is returned.
final class ActionStream: SyncBody, @unchecked Sendable {
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// The bytes of the current action.
  private var object: [UInt8] = []
  private var isTooLarge = false
  /// The outermost object. Every list in it is replaced by 0.
  private var outer: [UInt8] = []

  private(set) var reducer = EpisodeReducer()
  private(set) var count = 0
  private(set) var newest = 0.0
  /// The latest possible time, in seconds since 1970, with a tolerance for wrong clocks.
  private var latest = 0.0
  /// The maximum size of an action in bytes. Real ones have a guid and two addresses.
  private static let maxBytes = 1_000_000

  /// Called when a page begins. If a page broke off, the next one repeats its actions. They must not be counted twice.
  func begin(at time: Double?) {
    reset()
    // The clock of the server or of this device may be slow.
    let now = Date().timeIntervalSince1970
    latest = max(time ?? now + 366 * 86_400, now) + SyncClock.maxServerFuture
  }

  /// Called before a page is requested, because its answer may have no body.
  func reset() {
    (depth, isInString, isEscaped, count) = (0, false, false, 0)
    object = []
    outer = []
  }

  func add(_ bytes: UnsafeRawBufferPointer) {
    // The start of the bytes that belong to `depth` and were not stored yet.
    var start = 0
    var index = 0
    // Local variables are faster than fields, and there are millions of bytes.
    var (depth, isInString, isEscaped) = (self.depth, self.isInString, self.isEscaped)
    while index < bytes.count {
      let byte = bytes[index]
      defer { index += 1 }
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if depth == 2 {
          append(bytes[start..<index], depth: 1)
          outer.append(UInt8(ascii: "0"))
        } else if depth == 3 {
          object.removeAll(keepingCapacity: true)
          isTooLarge = false
          start = index
        }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 2 {
          append(bytes[start...index], depth: 3)
          finishObject()
        }
        if depth == 1 || depth == 2 { start = index + 1 }
      default: break
      }
    }
    append(bytes[start...], depth: depth)
    (self.depth, self.isInString, self.isEscaped) = (depth, isInString, isEscaped)
  }

  private func append(_ bytes: Slice<UnsafeRawBufferPointer>, depth: Int) {
    if depth >= 3 {
      // An object that is too large is dropped, because a truncated one would have another meaning.
      isTooLarge = isTooLarge || object.count + bytes.count > Self.maxBytes
      if !isTooLarge { object.append(contentsOf: bytes) }
    } else if depth <= 1, outer.count + bytes.count < Self.maxBytes {
      outer.append(contentsOf: bytes)
    }
  }

  private func finishObject() {
    count += 1
    guard !isTooLarge else { return }
    guard var action = JSONValue(object).flatMap(GPodderAction.init(json:)) else { return }
    // Some programs write times in the year 7600. If such a time meant "now" at every sync, the action would overwrite
    // later changes. If it were taken literally, no change would ever be later. So the time is ignored.
    if let timestamp = action.timestamp, timestamp > latest { action.timestamp = nil }
    if let timestamp = action.timestamp { newest = max(newest, timestamp) }
    if let change = action.change { reducer.add(change) }
  }

  /// The page without its actions. Call it when a page is complete.
  func page(from server: String) throws(SyncError) -> JSONValue {
    guard depth == 0, let value = JSONValue(outer), value["actions"] != nil else {
      throw .malformed(server: server, cause: "the list of actions is incomplete")
    }
    return value
  }
}

extension GPodderAction {
  /// Nil for an unknown action.
  init?(json: JSONValue) {
    guard let podcast = json["podcast"]?.string, let episode = json["episode"]?.string,
      let kind = json["action"]?.string.flatMap({ Kind(rawValue: $0.lowercased()) })
    else { return nil }
    self.init(
      podcast: SyncAddress.received(podcast), episode: SyncAddress.received(episode), guid: json["guid"]?.string,
      device: json["device"]?.string, kind: kind, timestamp: json["timestamp"].flatMap(SyncTime.parse),
      started: Self.seconds(json["started"]), position: Self.seconds(json["position"]),
      total: Self.seconds(json["total"]))
  }

  /// Seconds, limited to −1 and 10⁹, so that sums do not overflow. Negative values mean unknown.
  private static func seconds(_ value: JSONValue?) -> Int? {
    value?.number.flatMap { $0.isFinite ? Int(min(max($0, -1), 1_000_000_000)) : nil }
  }

  var json: JSONValue {
    var members: [String: JSONValue] = [
      "podcast": .string(podcast), "episode": .string(episode), "action": .string(kind.rawValue),
      "timestamp": .string(SyncTime.text(timestamp ?? 0)),
    ]
    members["guid"] = guid.map { .string($0) }
    members["device"] = device.map { .string($0) }
    members["started"] = started.map { .number(Double($0)) }
    members["position"] = position.map { .number(Double($0)) }
    members["total"] = total.map { .number(Double($0)) }
    return .object(members)
  }
}

/// Times in the formats of servers: with a zone, `Z`, or none (which means UTC), with fractions, or as seconds since
/// 1970.
enum SyncTime {
  /// The format that every server accepts: `YYYY-MM-DDTHH:MM:SS`, without a zone.
  static func text(_ seconds: Double) -> String {
    String(ISODate.text(Date(timeIntervalSince1970: seconds)).dropLast())
  }

  /// The time of a response, from which the next request continues. Whole seconds since 1970, rounded down.
  ///
  /// Some servers return the time of an action, which may be in the future. Then later actions would be missed, so the
  /// time is limited.
  static func cursor(_ value: JSONValue?, until answer: SyncAnswer) -> Int? {
    value.flatMap(parse).map { Int(min($0, answer.time + 1)) }
  }

  /// Seconds since 1970; nil if it is not a time.
  static func parse(_ value: JSONValue) -> Double? {
    if let number = value.number {
      guard number > 0, number.isFinite else { return nil }
      // Some programs write milliseconds.
      return number > 100_000_000_000 ? number / 1000 : number
    }
    guard let text = value.string else { return nil }
    let bytes = Array(text.utf8)
    guard bytes.count >= 19, [UInt8(ascii: "T"), UInt8(ascii: " ")].contains(bytes[10]) else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count else { return nil }
      var value = 0
      for byte in bytes[range] {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    let days = Gregorian.daysSinceEpoch(year, month, day)
    let whole = Double(days * 86_400 + hour * 3600 + minute * 60 + second)
    var index = 19
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      while index < bytes.count, (0x30...0x39).contains(bytes[index]) { index += 1 }
    }
    if index < bytes.count, bytes[index] == UInt8(ascii: " ") { index += 1 }
    guard index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") else {
      return whole
    }
    let sign = bytes[index] == UInt8(ascii: "-") ? -1.0 : 1.0
    let hours = number(index + 1..<index + 3) ?? 0
    let minuteStart = index + 3 < bytes.count && bytes[index + 3] == UInt8(ascii: ":") ? index + 4 : index + 3
    let minutes = number(minuteStart..<minuteStart + 2) ?? 0
    return whole - sign * Double(hours * 3600 + minutes * 60)
  }
}
