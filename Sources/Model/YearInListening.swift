import Foundation

/// What was heard in one year. All times are in seconds.
public struct YearInListening: Sendable, Equatable {
  /// A podcast or an episode with an amount.
  public struct Place: Sendable, Equatable {
    public var title: String
    /// Seconds, or a count.
    public var amount: Double
    public init(title: String, amount: Double) {
      self.title = title
      self.amount = amount
    }
  }

  /// Days in a row with listening, such as `2026-03-01`.
  public struct Streak: Sendable, Equatable {
    public var days: Int
    public var first: String
    public var last: String
    public init(days: Int, first: String, last: String) {
      self.days = days
      self.first = first
      self.last = last
    }
  }

  public var year: Int
  public var heard = 0.0
  public var episodes = 0
  public var podcasts = 0
  /// Days on which something was heard.
  public var days = 0
  public var streak: Streak?
  /// Saved time by its cause, such as “speed”. Only what is a second or more.
  public var saved: [Place] = []
  /// From January to December.
  public var months = [Double](repeating: 0, count: 12)
  /// The most heard podcasts, by seconds.
  public var mostHeard: [Place] = []
  /// The episodes with the most bookmarks and clips of the year.
  public var mostBookmarked: [Place] = []
  /// Bookmarks and clips of the year.
  public var bookmarks = 0

  public init(year: Int) { self.year = year }
}

extension YearInListening {
  private static let names = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The year as lines of text, which can be shared.
  /// - Parameters:
  ///   - width: in columns.
  ///   - bar: draws a bar of a share from 0 to 1 and a width. Nil: without bars, for a screen reader.
  public func lines(width: Int, bar: ((Double, Int) -> String)?) -> [String] {
    guard episodes > 0 else { return ["Nothing was heard in \(year)."] }
    var lines = [
      "\(TimeText.short(heard)) heard: \(Counted.text(episodes, "episode")) of \(Counted.text(podcasts, "podcast")), "
        + "on \(Counted.text(days, "day"))"
    ]
    if let streak {
      lines.append(
        "Longest streak: \(Counted.text(streak.days, "day"))"
          + (streak.days > 1 ? ", \(streak.first) to \(streak.last)" : ", \(streak.first)"))
    }
    if !saved.isEmpty {
      let total = saved.reduce(0) { $0 + $1.amount }
      let parts = saved.map { "\(TimeText.short($0.amount)) by \($0.title)" }.joined(separator: ", ")
      lines.append("Saved: \(TimeText.short(total))" + (saved.count > 1 ? " (\(parts))" : " by \(saved[0].title)"))
    }
    if bookmarks > 0 { lines.append(Counted.text(bookmarks, "bookmark or clip", "bookmarks and clips")) }
    lines += ["", "By month"]
    let most = months.max() ?? 0
    let barWidth = max(0, width - 16)
    for (name, seconds) in zip(Self.names, months) {
      let time = seconds > 0 ? TimeText.short(seconds) : "-"
      let blank = String(repeating: " ", count: max(0, 8 - time.count))
      let drawn = most > 0 ? bar.map { $0(seconds / most, min(40, barWidth)) } : nil
      var line = "  \(name)\(blank)\(time)  \(drawn ?? "")"
      while line.last == " " { line.removeLast() }
      lines.append(line)
    }
    if !mostHeard.isEmpty {
      lines += ["", "Most heard"]
      lines += mostHeard.map { place in
        let time = TimeText.short(place.amount)
        return "  \(String(repeating: " ", count: max(0, 8 - time.count)))\(time)  \(place.title)"
      }
    }
    if !mostBookmarked.isEmpty {
      lines += ["", "Most bookmarked"]
      lines += mostBookmarked.map { "  \(String(repeating: " ", count: 7))\(Int($0.amount))  \($0.title)" }
    }
    return lines
  }
}
