import Foundation

/// What was heard in one year. All times are in seconds.
public struct YearInListening: Sendable, Equatable {
  /// A podcast or an episode with an amount.
  public struct Entry: Sendable, Equatable, Encodable {
    public var title: String
    /// Seconds, or a count.
    public var amount: Double
    public init(title: String, amount: Double) {
      self.title = title
      self.amount = amount
    }
  }

  /// Days in a row with listening.
  public struct Streak: Sendable, Equatable {
    /// Counted from 1970-01-01.
    public var first: Int
    public var days: Int
    public var last: Int { first + days - 1 }

    /// All streaks of days, in order of time.
    public static func all(of days: [Int]) -> [Streak] {
      days.sorted().reduce(into: []) { streaks, day in
        if streaks.last?.last == day - 1 {
          streaks[streaks.count - 1].days += 1
        } else {
          streaks.append(Streak(first: day, days: 1))
        }
      }
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
  public var saved: [Entry] = []
  /// From January to December.
  public var months = [Double](repeating: 0, count: 12)
  /// The most heard podcasts, by seconds.
  public var mostHeard: [Entry] = []
  /// The episodes with the most bookmarks and clips of the year.
  public var mostBookmarked: [Entry] = []
  /// Bookmarks and clips of the year.
  public var bookmarks = 0

  public init(year: Int) { self.year = year }
}

extension [YearInListening.Entry] {
  /// What saved time, such as `25m by speed`. Less than a second is left out.
  public var causes: [String] { filter { $0.amount >= 1 }.map { "\(TimeText.short($0.amount)) by \($0.title)" } }
}

extension YearInListening {
  public struct Line: Sendable, Equatable {
    public var text: String
    public var isHeading: Bool
    public init(text: String, isHeading: Bool = false) { (self.text, self.isHeading) = (text, isHeading) }
  }

  /// The year as lines of text, which can be shared.
  /// - Parameters:
  ///   - width: in columns.
  ///   - bar: draws a bar of a share from 0 to 1 and a width. Nil: without bars, for a screen reader.
  public func lines(width: Int, bar: ((Double, Int) -> String)?) -> [Line] {
    guard episodes > 0 else { return [Line(text: "Nothing was heard in \(year).")] }
    var lines: [Line] = []
    func add(_ text: String) { lines.append(Line(text: text)) }
    func addHeading(_ text: String) { lines += [Line(text: ""), Line(text: text, isHeading: true)] }
    add(
      "\(TimeText.short(heard)) heard: \(Counted.text(episodes, "episode")) of \(Counted.text(podcasts, "podcast")), "
        + "on \(Counted.text(days, "day"))")
    if let streak {
      let end = streak.days > 1 ? " to \(DayText.text(ofDay: streak.last))" : ""
      add("Longest streak: \(Counted.text(streak.days, "day")), \(DayText.text(ofDay: streak.first))\(end)")
    }
    if !saved.isEmpty {
      let total = saved.reduce(0) { $0 + $1.amount }
      let parts = saved.causes.joined(separator: ", ")
      add("Saved: \(TimeText.short(total))" + (saved.count > 1 ? " (\(parts))" : " by \(saved[0].title)"))
    }
    if bookmarks > 0 { add(Counted.text(bookmarks, "bookmark or clip", "bookmarks and clips")) }
    addHeading("By month")
    let most = months.max() ?? 0
    let barWidth = max(0, width - 16)
    for (name, seconds) in zip(DayText.months, months) {
      let time = seconds > 0 ? TimeText.short(seconds) : "-"
      let blank = String(repeating: " ", count: max(0, 8 - time.count))
      let drawn = most > 0 ? bar.map { $0(seconds / most, min(40, barWidth)) } : nil
      var line = "  \(name)\(blank)\(time)  \(drawn ?? "")"
      while line.last == " " { line.removeLast() }
      add(line)
    }
    if !mostHeard.isEmpty {
      addHeading("Most heard")
      for entry in mostHeard {
        let time = TimeText.short(entry.amount)
        add("  \(String(repeating: " ", count: max(0, 8 - time.count)))\(time)  \(entry.title)")
      }
    }
    if !mostBookmarked.isEmpty {
      addHeading("Most bookmarked")
      for entry in mostBookmarked { add("  \(String(repeating: " ", count: 7))\(Int(entry.amount))  \(entry.title)") }
    }
    return lines
  }
}
