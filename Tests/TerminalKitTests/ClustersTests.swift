import Testing

@testable import TerminalKit

@Suite struct ClustersTests {
  struct Case: CustomStringConvertible, Sendable {
    let text: String
    let clusters: [String]
    let width: Int
    var description: String { text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ") }
  }

  static let cases: [Case] = [
    Case(text: "abc", clusters: ["a", "b", "c"], width: 3),
    Case(text: "", clusters: [], width: 0),
    Case(text: "流動", clusters: ["流", "動"], width: 4),
    Case(text: "e\u{301}x", clusters: ["e\u{301}", "x"], width: 2),
    Case(text: "한", clusters: ["한"], width: 2),
    Case(text: "\u{1112}\u{1161}\u{11AB}", clusters: ["\u{1112}\u{1161}\u{11AB}"], width: 2),
    Case(text: "👩‍👩‍👧‍👦!", clusters: ["👩", "!"], width: 3),
    Case(text: "👩🏽‍🚀a", clusters: ["👩", "a"], width: 3),
    Case(text: "👍🏿", clusters: ["👍"], width: 2),
    Case(text: "🏽", clusters: ["🏽"], width: 2),
    Case(text: "🇩🇪🇫🇷", clusters: ["D", "E", "F", "R"], width: 4),
    Case(text: "❤️", clusters: ["❤"], width: 1),
    Case(text: "🏳️‍🌈", clusters: ["🏳"], width: 1),
    Case(text: "1️⃣", clusters: ["1\u{20E3}"], width: 1),
    Case(text: "مُ", clusters: ["م\u{64F}"], width: 1),
    Case(text: "कि", clusters: ["क", "\u{93F}"], width: 2),
    Case(text: "क्ष", clusters: ["क\u{94D}", "ष"], width: 2),
    Case(text: "\u{301}a", clusters: ["a"], width: 1),
    Case(
      text: "a\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}b", clusters: ["a\u{300}\u{301}\u{302}\u{303}", "b"], width: 2),
    Case(text: "a\tb\nc", clusters: ["a", " ", "b", " ", "c"], width: 5),
    Case(text: "می\u{200C}خواهم", clusters: ["م", "ی", "خ", "و", "ا", "ه", "م"], width: 7),
    Case(text: "\u{1B}[31mred\u{1B}[0m", clusters: ["r", "e", "d"], width: 3),
    Case(text: "a\u{200D}b", clusters: ["a", "b"], width: 2),
    Case(text: "\u{3000}", clusters: ["\u{3000}"], width: 2),
    Case(text: "…", clusters: ["…"], width: 1),
  ]

  @Test(arguments: cases) func clustersAreSplitAsTerminalsCount(_ row: Case) {
    let clusters = Clusters.split(row.text)
    #expect(clusters.map { Array($0.text.unicodeScalars) } == row.clusters.map { Array($0.unicodeScalars) })
    #expect(Clusters.width(row.text) == row.width)
    #expect(clusters.allSatisfy { $0.width == 1 || $0.width == 2 })
  }

  @Test(arguments: [true, false]) func plainPartsAreReadAsByTheDecoder(keepsNewlines: Bool) {
    for text in HostileText(seed: 7, count: 4000) {
      var clusters: [Cluster] = []
      ASCIIClusters.append(Substring(text), keepsNewlines: keepsNewlines, to: &clusters)
      let decoded = Array(ClusterSequence(Substring(text), keepsNewlines: keepsNewlines))
      #expect(clusters == decoded, "\(text.debugDescription)")
    }
  }

  @Test(arguments: [
    ("abcdef", 6, "…", "abcdef", 6), ("abcdef", 5, "…", "abcd…", 5), ("abcdef", 1, "…", "…", 1),
    ("abcdef", 0, "…", "", 0), ("abcdef", -3, "…", "", 0), ("流動的資金", 5, "…", "流動…", 5),
    ("流動的資金", 4, "…", "流…", 3), ("流動的資金", 3, "", "流", 2), ("流", 1, "…", "…", 1), ("流", 1, "", "", 0),
    ("abcdef", 2, "...", "ab", 2), ("abcdef", 4, "...", "a...", 4), ("ab\u{301}", 2, "…", "ab\u{301}", 2),
  ])
  func clustersFitTheColumns(_ text: String, _ columns: Int, _ ellipsis: String, _ expected: String, _ width: Int) {
    let fitted = Clusters.fit(text, columns: columns, ellipsis: ellipsis)
    #expect(fitted.clusters.map(\.text).joined() == expected)
    #expect(fitted.width == width)
  }

  @Test func clusterWidthOfASubstring() { #expect(Clusters.width("abc流def".dropFirst(2).dropLast(3)) == 3) }

  @Test func clusterFitStopsReadingAtTheLastColumn() {
    let long = String(repeating: "長い", count: 500_000)
    for _ in 0..<1000 { #expect(Clusters.fit(long, columns: 40, ellipsis: "…").width == 39) }
  }

  /// Of Unicode 15 and 16: fonts and terminals draw them in two columns.
  @Test(arguments: ["🩷", "🫨", "🪿", "🫎", "🩵", "🫩", "🪾"]) func youngEmojiAreWide(emoji: String) {
    #expect(Clusters.width(emoji) == 2)
  }

  @Test func widthTableIsSorted() {
    for table in [WidthTable.wide, WidthTable.zero] {
      #expect(table.count.isMultiple(of: 2))
      #expect(
        zip(table, table.dropFirst()).enumerated().allSatisfy { $0.isMultiple(of: 2) ? $1.0 <= $1.1 : $1.0 < $1.1 })
    }
  }

  @Test(arguments: ["", "a", "é", "e\u{301}", "漢", "\u{10FFFF}", "a\u{301}\u{302}\u{303}\u{304}"])
  func clusterTextIsKept(text: String) {
    let cluster = ClusterText(text)
    #expect(cluster.string.unicodeScalars.elementsEqual(text.unicodeScalars))
    #expect(cluster.count == text.unicodeScalars.count)
  }

  @Test func clusterTextHasFiveScalarsAtMost() {
    var cluster = ClusterText("a\u{301}\u{302}\u{303}\u{304}\u{305}")
    #expect(cluster.count == 5)
    let before = cluster
    cluster.append("\u{306}")
    #expect(cluster == before)
  }
}
