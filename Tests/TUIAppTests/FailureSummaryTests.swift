import Model
import Testing

@testable import AppCore

@Suite(InTurn()) struct FailureSummaryTests {
  @Test func fewFailuresAreListed() {
    var summary = FailureSummary()
    summary.add(
      title: "A", message: "A: no connectivity: the name a.example could not be found", feedURL: "https://a.example/f")
    summary.add(title: "B", message: "invalid data: the answer is empty", feedURL: "https://b.example/f")
    #expect(
      summary.lines == [
        "A: no connectivity: the name a.example could not be found", "B: invalid data: the answer is empty",
      ])
  }

  @Test func manyFailuresAreGroupedByCause() {
    var summary = FailureSummary()
    for number in 1...500 {
      summary.add(
        title: "P\(number)", message: "P\(number): no connectivity: the name h\(number).example could not be found",
        feedURL: "https://h\(number).example/feed")
    }
    summary.add(title: "Odd", message: "Odd: invalid data: the answer is empty", feedURL: "https://o.example/")
    #expect(
      summary.lines == [
        "500 podcasts: no connectivity: the name its server could not be found (P1, P2, P3 and 497 more)",
        "Odd: invalid data: the answer is empty",
      ])
  }

  @Test func causesAreLimited() {
    var summary = FailureSummary()
    for number in 1...100 { summary.add(title: "P\(number)", message: "cause \(number)", feedURL: "") }
    #expect(summary.lines.count == FailureSummary.causeLimit + 1)
    #expect(summary.lines.last == "88 further podcasts failed for other causes")
  }
}
