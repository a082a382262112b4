import Seeded
import Testing

@testable import TerminalKit

@Suite struct ListStateTests {
  private func list(_ count: Int, at row: Int, height: Int) -> ListState {
    var list = ListState(count: count)
    list.moveTo(row)
    list.fit(count: count, height: height)
    return list
  }

  @Test func listScrollsBeforeTheEdge() {
    var list = list(100, at: 0, height: 10)
    for _ in 0..<7 { list.move(by: 1) }
    list.fit(count: 100, height: 10)
    #expect(list.visibleRange(height: 10) == 0..<10)
    list.move(by: 1)
    list.fit(count: 100, height: 10)
    #expect(list.visibleRange(height: 10) == 1..<11)
    list.moveTo(99)
    list.fit(count: 100, height: 10)
    #expect(list.visibleRange(height: 10) == 90..<100)
    list.move(by: -8)
    list.fit(count: 100, height: 10)
    #expect(list.top == 89)
  }

  @Test func shorterListKeepsAValidSelection() {
    var list = list(100, at: 99, height: 10)
    list.fit(count: 3, height: 10)
    #expect(list.selected == 2)
    #expect(list.visibleRange(height: 10) == 0..<3)
    list.fit(count: 0, height: 10)
    #expect(list.selection == nil)
    #expect(list.visibleRange(height: 10).isEmpty)
  }

  @Test func selectionIsVisibleAfterAnyFit() {
    var random = SplitMix64(seed: 7)
    var list = ListState()
    for _ in 0..<20_000 {
      let height = Int.random(in: -1...12, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: list.moveTo(Int.random(in: -5...40, using: &random))
      case 1: list.move(by: [Int.min, Int.max, -3, 3].randomElement(using: &random) ?? 0)
      case 2: list.moveTo(0)
      case 3: list.moveTo(list.count - 1)
      default: break
      }
      list.fit(count: Int.random(in: 0...30, using: &random), height: height)
      guard height > 0, let selection = list.selection else { continue }
      let rows = list.visibleRange(height: height)
      #expect(rows.contains(selection))
      #expect(rows.count == min(height, list.count))
    }
  }
}
