import Model

/// Whether lines with times are a list of chapters. Each rule refuses something that real notes contain.
struct NotesChapterRules {
  let lines: [NotesLine]
  /// The indices of the lines of the list.
  let listed: [Int]
  /// Of the episode, in seconds.
  let duration: Double?

  var accept: Bool {
    isRising && isWithinEpisode && isSpread && !isTimetable && !isTranscript && !areVerses && !isOfAnotherEpisode
  }

  private var times: [Double] { listed.map { lines[$0].second } }
  private var first: Double { times[0] }
  private var last: Double { times[times.count - 1] }

  /// Durations of songs and results of matches go up and down.
  private var isRising: Bool { zip(times, times.dropFirst()).allSatisfy { $0 < $1 } }

  /// Lists of longer files belong to another episode, or to a video.
  private var isWithinEpisode: Bool { last < duration ?? 12 * 3600 }

  /// Results of a race and verses ("3:16 …", "3:17 …") are close together. Chapters begin in the first half, and take
  /// ten seconds at least.
  private var isSpread: Bool {
    let gaps = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
    return first <= last / 2 && gaps[gaps.count / 2] >= 10
  }

  /// Times of the day: hours and minutes that are multiples of five, from the morning to the evening.
  private var isTimetable: Bool {
    times.allSatisfy { $0.truncatingRemainder(dividingBy: 5) == 0 && (6 * 60..<24 * 60).contains($0) }
  }

  /// People speak about 13 letters a second. A list of chapters with a description of each has less than a third.
  private var isTranscript: Bool {
    let text = lines[listed[0]..<listed[listed.count - 1]]
    let letters = text.reduce(0.0) { sum, line in
      line.text.unicodeScalars.reduce(sum) { $0 + ($1.value >= 0x2E80 ? 3 : 1) }
    }
    return letters > 5 * (last - first)
  }

  /// Verses end with two numbers and have nothing between the book and them: "Romans 10:13".
  private var areVerses: Bool {
    listed.allSatisfy { index in
      guard lines[index].side == .end, let words = lines[index].title?.split(separator: " "), words.count <= 2,
        let book = words.last
      else { return false }
      return Self.books.contains { book.lowercased().hasPrefix($0) }
    }
  }

  /// The beginnings of the names of the books of the Bible in English, German, French and Spanish.
  private static let books = [
    "gen", "gén", "exod", "éxod", "lev", "lév", "num", "núm", "deut", "joshua", "josua", "judg", "rich", "ruth", "sam",
    "king", "kön", "chron", "ezra", "neh", "néh", "esth", "job", "hiob", "psal", "ps", "prov", "spr", "ecc", "pred",
    "song", "isa", "jes", "ésa", "jer", "jér", "lam", "klag", "eze", "hes", "dan", "hos", "joel", "amos", "obad",
    "jon", "mic", "nah", "hab", "zeph", "hag", "zec", "sach", "mal", "mat", "mar", "luk", "luc", "joh", "john", "jean",
    "juan", "act", "apost", "hech", "rom", "röm", "cor", "kor", "gal", "eph", "éph", "efe", "phil", "fil", "col", "kol",
    "thes", "tess", "tim", "tit", "heb", "héb", "jam", "jak", "jac", "sant", "pet", "pie", "ped", "jud", "rev", "off",
    "apoc",
  ]

  /// The line before the list says that it is of another episode.
  private var isOfAnotherEpisode: Bool {
    guard listed[0] > 0 else { return false }
    let heading = lines[listed[0] - 1].text.lowercased()
    return Self.others.contains { heading.contains($0) }
  }

  private static let others = [
    "last episode", "previous episode", "next episode", "other episode", "last week", "next week", "letzte folge",
    "letzten folge", "vorherige", "nächste folge", "nächsten folge", "épisode précédent", "épisode suivant",
    "episodio anterior", "próximo episodio", "предыдущ", "прошл",
  ]
}
