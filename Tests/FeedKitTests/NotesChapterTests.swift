import Foundation
import Model
import Testing

@testable import FeedKit

/// Chapters from lists of times in show notes, in the styles of real podcasts, and notes that only look like a list.
@Suite struct NotesChapterTests {
  /// An episode of an hour.
  private func chapters(_ notes: String, duration: Double? = 3600) -> [String] {
    NotesChapters.find(in: notes, duration: duration).map { "\(Int($0.start)) \($0.title ?? "-")" }
  }

  private static let expected = ["0 Intro", "225 The guest", "2530 What is next?"]

  static let styles: [String] = [
    "00:00 Intro\n03:45 The guest\n42:10 What is next?",
    "About the talk.<br>0:00 Intro<br/>3:45 The guest<br/>42:10 What is next?<br>Write to us: a@example.org",
    "<p>(00:00) Intro</p><p>(03:45) The guest</p><p>(42:10) What is next?</p>",
    "<p>[00:00:00] - Intro</p><p>[00:03:45] - The guest</p><p>[00:42:10] - What is next?</p>",
    "<ul><li>00:00 – Intro</li><li>03:45 – The guest</li><li>42:10 – What is next?</li></ul>",
    "<ul><li>Intro (00:00)</li><li>The guest (03:45)</li><li>What is next? (42:10)</li></ul>",
    "Intro - 00:00:00.\nThe guest - 00:03:45.\nWhat is next? - 00:42:10.",
    "Intro 00:00\nThe guest 03:45\nWhat is next? 42:10",
    "<strong>0:00</strong> - Intro<ul><li>A link</li></ul><strong>3:45</strong> - The guest<p>A text about them.</p>"
      + "<strong>42:10</strong> - What is next?",
    "_00:00__ - Intro\n**03:45** - The guest\n_42:10_ - What is next?",
    "▶️ 00:00 Intro\n▶️ 03:45 The guest\n▶️ 42:10 What is next?",
    "1. 00:00 Intro\n2. 03:45 The guest\n3. 42:10 What is next?",
    "Chapter 1 (00:00) Intro\nChapter 2 (03:45) The guest\nChapter 3 (42:10) What is next?",
    "00:00-03:45 Intro\n03:45-42:10 The guest\n42:10-59:00 What is next?",
    "00:00 bis 03:45: Intro\n03:45 bis 42:10: The guest\n42:10 bis 59:00: What is next?",
    "Intro (00:00 – 03:45)\nThe guest (03:45 – 42:10)\nWhat is next? (42:10 – 59:00)",
    "00:00\nIntro\n03:45\nThe guest\n42:10\nWhat is next?",
    "00：00 Intro\n03：45 The guest\n42：10 What is next?",
    "&lt;p&gt;00:00 Intro&lt;br&gt;03:45 The guest&lt;br&gt;42:10 What is next?&lt;/p&gt;",
    "<a href=\"https://example.org/watch?t=0\">00:00</a> Intro<br><a href=\"https://example.org/watch?t=225\">03:45</a>"
      + " The guest<br><a href=\"https://example.org/watch?t=2530\">42:10</a> What is next?",
    "Recorded at 20:15 with a score of 3:2.\n\n00:00 Intro\n03:45 The guest\n42:10 What is next?",
    // In two languages.
    "00:00 Intro\n03:45 The guest\n42:10 What is next?\n\nAuf Deutsch:\n00:00 Anfang\n03:45 Der Gast\n42:10 Was folgt?",
  ]

  @Test(arguments: styles) func aListIsFound(_ notes: String) { #expect(chapters(notes) == Self.expected) }

  static let others: [String: String] = [
    "two times": "00:00 Intro\n03:45 The guest",
    "times in sentences": "We talk at 03:45 about it, at 12:10 about that,\nand then at 42:10 about them.",
    "times that go back": "00:00 Intro\n42:10 The end\n03:45 The guest",
    "beyond the end": "00:00 Intro\n03:45 The guest\n1:42:10 What is next?",
    "verses": "John 3:16\nRomans 10:13\nPsalm 23:01\nIsaiah 40:31",
    "rising verses at the ends": "Luke 02:11\nRomans 10:13\nIsaiah 40:31",
    "verses at the beginnings": "3:16 For God so loved\n3:17 For God did not send\n3:18 Whoever believes",
    "times of the day": "20:15 Uhr The news\n21:45 Uhr A film\n23:00 Uhr The end",
    "a timetable": "09:00 Doors\n09:30 Keynote\n11:15 Coffee\n18:00 Party",
    "a programme in the evening": "Tonight:\n20:15 The film\n21:45 The news\n23:00 Sport",
    "scores": "3:2 Rome\n4:1 Turin\n5:0 Milan",
    "results of a race": "1. Abel 27:41\n2. Baker 27:52\n3. Cole 28:10",
    "prices": "$1:20 Tea\n$3:45 Cake\n$4:10 Both",
    "songs with their lengths": "A song (3:45)\nAnother (4:10)\nA third (3:58)",
    "rising lengths of songs": "A song (3:45)\nAnother (4:10)\nA third (4:58)",
    "a log": "Jul 18 17:45:21 kernel: down\nJul 18 17:45:25 kernel: up\nJul 18 17:46:21 kernel: down",
    "links without words": "00:00\n\n03:45\n\n42:10\n",
    "another episode": "In the previous episode:\n00:00 Intro\n03:45 The guest\n42:10 What is next?",
    "dates": "2024-05-01 10:00 A\n2024-05-02 11:00 B\n2024-05-03 12:00 C",
  ]

  @Test(arguments: others.keys.sorted()) func otherTimesAreNoChapters(_ kind: String) throws {
    #expect(chapters(try #require(Self.others[kind])) == [])
  }

  @Test func aTranscriptIsNoList() {
    let sentence = String(repeating: "So people say what they think about it. ", count: 20)
    let lines = (0..<30).map { "\($0):\($0.isMultiple(of: 2) ? "00" : "30") Ann: \(sentence)" }
    #expect(chapters(lines.joined(separator: "\n")) == [])
    #expect(chapters(lines.joined(separator: "\n\n")) == [])
  }

  @Test func anUnknownDurationAllowsTwelveHours() {
    let notes = "00:00 A\n01:10:00 B\n02:20:00 C"
    #expect(chapters(notes, duration: nil) == ["0 A", "4200 B", "8400 C"])
    #expect(chapters(notes, duration: 8000) == [])
    #expect(chapters("00:00 A\n11:10:00 B\n12:20:00 C", duration: nil) == [])
  }

  @Test func chaptersSayWhereTheyAreFromAndEndWhereTheNextBegins() {
    let found = NotesChapters.find(in: "00:00 A\n10:00 B\n20:00 C", duration: 3600)
    #expect(found.map(\.origin) == [.notes, .notes, .notes])
    #expect(found.map(\.end) == [600, 1200, nil])
    #expect(found.heading == "Chapters from the notes")
  }

  @Test func titlesAreCleanAndShort() throws {
    let long = String(repeating: "word ", count: 100)
    let found = NotesChapters.find(in: "00:00 \u{1B}[31mRed\n10:00 \(long)\n20:00 C", duration: 3600)
    #expect(found.first?.title == "Red")
    #expect(try #require(found[1].title).count == 200)
  }

  @Test func muchTextIsReadInTime() {
    #expect(NotesChapters.find(in: String(repeating: "00:00 A\n", count: 100_000), duration: 3600) == [])
    #expect(NotesChapters.find(in: String(repeating: "1:", count: 500_000), duration: 3600) == [])
  }
}
