import Foundation
import Model
import Testing

@testable import FeedKit

@Suite struct ChapterTests {
  @Test(arguments: [
    ("37", 37.0), ("7:48", 468), ("35:12.250", 2112.25), ("01:35:52", 5752), ("05:12:03,500", 18723.5), (" 0:00 ", 0),
    ("1:02:03.", 3723),
  ])
  func normalPlayTime(_ text: String, _ seconds: Double) { #expect(NormalPlayTime.parse(text) == seconds) }

  @Test(arguments: ["", "-1", "a", "1:2:3:4", "1:", ":1", "99999999999", "1:xx", "1e5"])
  func notTimes(_ text: String) { #expect(NormalPlayTime.parse(text) == nil) }

  private func parse(_ json: String) throws -> [Chapter] { try ChaptersJSON.parse(Data(json.utf8)) }
  private func podlove(_ xml: String) throws -> [Chapter] {
    try SimpleChapters.parse(Data(xml.utf8), url: "https://e.org/psc/1.xml")
  }

  @Test func sortedWithEndsAndHiddenOnes() throws {
    let chapters = try parse(
      """
      {"version":"1.2.0","chapters":[
        {"startTime":168.5,"title":" Second\\u001b[2J <3 ","img":"https://e.org/i.png","url":"javascript:x"},
        {"startTime":0,"title":"Intro","endTime":100},
        {"startTime":60,"img":"https://e.org/swap.png","toc":false},
        {"startTime":"5:00","title":""}, {"title":"no time"}, 7, null, {"startTime":-3,"title":"early","toc":true}]}
      """)
    #expect(
      chapters == [
        Chapter(start: 0, end: 100, title: "Intro"),
        Chapter(start: 60, end: 168.5, image: "https://e.org/swap.png", hidden: true),
        Chapter(start: 168.5, end: 300, title: "Second <3", image: "https://e.org/i.png"),
        Chapter(start: 300),
      ])
  }

  @Test func placesOfChapters() throws {
    let chapters = try parse(
      """
      [{"startTime":0,"title":"A","location":{"name":" Rome ","geo":"geo:41.9,12.5","osm":"R41485"}},
      {"startTime":9,"location":{"geo":"geo:1,2"}}, {"startTime":10,"location":"Rome"}]
      """)
    let rome = FeedLocation(name: "Rome", geo: "geo:41.9,12.5", osm: "R41485")
    #expect(chapters.map(\.location) == [rome, nil, nil])
    #expect(ChapterMerge.merge([[Chapter(start: 0, title: "A")], [chapters[0]]]).map(\.location) == [rome])
    let stored = Data(#"{"start":1,"hidden":false}"#.utf8)
    #expect(try JSONDecoder().decode(Chapter.self, from: stored) == Chapter(start: 1))
  }

  @Test(arguments: ["", "\u{FEFF}\n<?xml version='1.0'?>"]) func podloveFileIsRead(prolog: String) throws {
    let file = """
      \(prolog)<psc:chapters xmlns:psc="http://podlove.org/simple-chapters/" version="1.2">
      <psc:chapter start="35:12.250" title="B &amp;amp; C" href="/b" image="b.png"/><psc:chapter start="soon"/>
      <psc:chapter start="0" title="A" href="javascript:x"/></psc:chapters>
      """
    #expect(
      try podlove(file) == [
        Chapter(start: 0, end: 2112.25, title: "A"),
        Chapter(start: 2112.25, title: "B & C", url: "https://e.org/b", image: "https://e.org/psc/b.png"),
      ])
    for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
      let wide = try #require("\u{FEFF}<chapters><chapter start='0' title='Ä'/></chapters>".data(using: encoding))
      #expect(SimpleChapters.isXML(wide))
      #expect(try SimpleChapters.parse(wide, url: nil) == [Chapter(start: 0, title: "Ä")])
    }
    let noChapters = FeedError.invalidData(.malformed(reason: "chapters: this is neither JSON nor a Podlove list"))
    #expect(throws: noChapters) { try podlove("<html><body/></html>") }
    #expect(SimpleChapters.isXML(Data(file.utf8)))
    #expect(!SimpleChapters.isXML(Data("\u{FEFF} [{}]".utf8)) && !SimpleChapters.isXML(Data()))
  }

  @Test(arguments: ["<psc:chap", "<psc:chapter start='9' tit", "<psc:chapter start='9' title='B'/>"])
  func podloveFileThatIsCutOffIsRefused(rest: String) {
    let cutOff = FeedError.invalidData(.malformed(reason: "chapters: the list is cut off"))
    let start = "<psc:chapters xmlns:psc='http://podlove.org/simple-chapters'><psc:chapter start='0' title='A'/>"
    #expect(throws: cutOff) { try podlove(start + rest) }
  }

  /// podcast:chapters wins, wherever it is.
  @Test func feedLinksToPodloveChapters() throws {
    let link = "<atom:link rel='http://podlove.org/simple-chapters' href='/1.psc' type='application/xml'/>"
    let url = "https://e.org/feed"
    #expect(try FeedSample.item(link, url: url).chaptersURL == "https://e.org/1.psc")
    let json = "<podcast:chapters url='/1.json' type='application/json+chapters'/>"
    for both in [link + json, json + link] {
      #expect(try FeedSample.item(both, url: url).chaptersURL == "https://e.org/1.json")
    }
    #expect(try FeedSample.channel("<item/>" + link).link == nil)
    let list = "<psc:chapters><psc:chapter start='0' title='A'/></psc:chapters>"
    for both in [link + list, list + link] {
      let item = try FeedSample.item(both, url: url)
      #expect(item.chaptersURL == nil && item.chapters.count == 1, "the file is not needed")
    }
  }

  @Test func pictureOfAHiddenChapterEndsWithIt() {
    let list = [
      Chapter(start: 0, image: "a"), Chapter(start: 10, end: 12, image: "h", hidden: true),
      Chapter(start: 11, hidden: true), Chapter(start: 20),
    ]
    #expect([-1, 5, 11.5, 15, 25].map { list.picture(at: $0) } == [nil, "a", "h", "a", nil])
  }

  @Test func bareListAndByteOrderMark() throws {
    #expect(try parse("\u{FEFF}[{\"startTime\":1}]") == [Chapter(start: 1)])
    #expect(try parse("{\"chapters\":[]}") == [])
  }

  @Test(arguments: [#""a\ud83d""#, "\"a\tb\"", "\"a\nb\"", "NaN", "-Infinity"])
  func badValuesLoseNoOtherChapters(value: String) throws {
    let chapters = try parse(#"{"chapters":[{"startTime":0,"title":"NaN \" NaN"},{"startTime":9,"title":\#(value)}]}"#)
    #expect(chapters.map(\.start) == [0, 9] && chapters[0].title == "NaN \" NaN")
  }

  @Test func titlesArePlainText() throws {
    let chapters = try parse(#"[{"startTime":0,"title":"Q &amp; A"},{"startTime":9,"title":"It&#39;s <b>bold</b>"}]"#)
    #expect(chapters.map(\.title) == ["Q & A", "It's bold"])
  }

  @Test func errors() {
    let notJSON = FeedError.invalidData(.malformed(reason: "chapters: this is not JSON"))
    #expect(throws: notJSON) { try parse("<html>") }
    let noChapters = FeedError.invalidData(.malformed(reason: "chapters: the JSON has no list of chapters"))
    #expect(throws: noChapters) { try parse("{\"error\":404}") }
    #expect(throws: notJSON) { try parse(String(repeating: "[", count: 100_000)) }
    let tooLarge = FeedError.invalidData(.malformed(reason: "chapters: 9000000 bytes are too many"))
    #expect(throws: tooLarge) { try ChaptersJSON.parse(Data(count: 9_000_000)) }
  }

  @Test func longerListWins() {
    let one = [Chapter(start: 0, title: "a")]
    let two = [Chapter(start: 0), Chapter(start: 9)]
    #expect(ChapterMerge.merge([one, two]) == two)
    #expect(ChapterMerge.merge([two, one, []]) == two)
    #expect(ChapterMerge.merge([]) == [])
  }

  @Test func sameListsAreMergedFieldByField() {
    let first = [Chapter(start: 0, title: "a"), Chapter(start: 10.2, url: "https://e.org")]
    let second = [Chapter(start: 0.9, title: "b", image: "i"), Chapter(start: 10, end: 20, title: "c")]
    #expect(
      ChapterMerge.merge([first, second]) == [
        Chapter(start: 0, title: "a", image: "i"), Chapter(start: 10.2, end: 20, title: "c", url: "https://e.org"),
      ])
  }

  @Test func richerListWinsWhenTimesDiffer() {
    let poor = [Chapter(start: 0, title: "a"), Chapter(start: 10)]
    let rich = [Chapter(start: 0, title: "a"), Chapter(start: 13, title: "b")]
    #expect(ChapterMerge.merge([poor, rich]) == rich)
    #expect(ChapterMerge.merge([rich, poor]) == rich)
  }

  /// Servers insert advertisements, of which the feed knows nothing.
  @Test func timesOfTheFileWin() {
    let feed = [
      Chapter(start: 0, title: "Intro", url: "https://e.org"), Chapter(start: 10, title: "Topic", image: "i"),
    ]
    let file = [Chapter(start: 0, title: "Intro"), Chapter(start: 30, title: "topic")]
    #expect(
      ChapterMerge.merge([feed], file: file) == [
        Chapter(start: 0, title: "Intro", url: "https://e.org"), Chapter(start: 30, title: "topic", image: "i"),
      ])
    let other = [Chapter(start: 0, title: "One"), Chapter(start: 30, title: "Two")]
    #expect(ChapterMerge.merge([feed], file: other) == other)
    #expect(ChapterMerge.merge([feed + [Chapter(start: 20)]], file: file).count == 3, "the longer list wins")
    #expect(ChapterMerge.merge([feed], file: []) == feed && ChapterMerge.merge([], file: file) == file)
  }

  @Test func doubledListIsListedOnce() {
    let feed = [Chapter(start: 0, title: "a"), Chapter(start: 10, title: "b"), Chapter(start: 20, title: "c")]
    let file = [Chapter(start: 0, title: "a"), Chapter(start: 12, title: "b")]
    let doubled = file + file.map { Chapter(start: $0.start + 0.04, title: $0.title) }
    #expect(ChapterMerge.merge([], file: doubled) == file)
    #expect(ChapterMerge.merge([feed], file: doubled) == feed, "it does not win by its length")
    #expect(ChapterMerge.merge([feed + feed]) == feed)
    let untitled = [Chapter(start: 0), Chapter(start: 5)]
    #expect(ChapterMerge.merge([], file: untitled + untitled) == untitled)
    let oneSecond = [Chapter(start: 5, title: "x"), Chapter(start: 5, title: "y")]
    #expect(ChapterMerge.merge([oneSecond]) == oneSecond)
  }

  @Test func chaptersOutsideOfTheFileAreLeftOut() {
    let file = [Chapter(start: 0, title: "a"), Chapter(start: 10, title: "b")]
    let feed = [Chapter(start: -5)] + file + [Chapter(start: 60), Chapter(start: 61)]
    #expect(ChapterMerge.merge([feed], duration: 60) == file)
    #expect(ChapterMerge.merge([feed]).count == 4, "the duration is unknown")
  }

  @Test(arguments: ["chp0", "CHAP_12", "ch01", "chapter-3"]) func internalIDIsNoTitle(id: String) {
    #expect(ChapterMerge.fileChapters([Chapter(start: 0, title: id)]) == [Chapter(start: 0)])
  }

  @Test(arguments: ["Chapter 3", "Chp", "1984", "ch4os"]) func titleThatLooksLikeAnIDIsKept(title: String) {
    #expect(ChapterMerge.fileChapters([Chapter(start: 0, title: title)]) == [Chapter(start: 0, title: title)])
  }

  @Test func fileChaptersAreCleanedAndCompleted() {
    let chapters = [Chapter(start: 5, title: " b "), Chapter(start: 0, url: "javascript:x")]
    #expect(ChapterMerge.fileChapters(chapters) == [Chapter(start: 0, end: 5), Chapter(start: 5, title: "b")])
  }
}
