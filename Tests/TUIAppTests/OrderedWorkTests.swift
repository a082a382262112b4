import Foundation
import Synchronization
import Testing

@testable import TUIApp

@Suite(InTurn()) struct OrderedWorkTests {
  @Test func resultsComeInTheOrderOfTheInputs() throws {
    // Earlier inputs take longer.
    let work = OrderedWork(Array(0..<200)) { input in (0..<(200 - input) * 50).reduce(input) { $0 ^ $1 ^ $1 } }
    var results: [Int] = []
    try work.forEach { results.append($0) }
    #expect(results == Array(0..<200))
  }

  @Test func workIsOnlyAFewInputsAhead() throws {
    let started = Mutex(0)
    var received = 0
    let work = OrderedWork(Array(0..<100)) { (_: Int) in started.withLock { $0 += 1 } }
    try work.forEach {
      received += 1
      let ahead = started.withLock { $0 } - received
      #expect(ahead <= ProcessInfo.processInfo.activeProcessorCount)
    }
    #expect(received == 100)
  }

  @Test func errorEndsTheWork() {
    struct Failure: Error {}
    var results: [Int] = []
    #expect(throws: Failure.self) {
      try OrderedWork(Array(0..<100)) { input in
        if input == 20 { throw Failure() }
        return input
      }.forEach { results.append($0) }
    }
    #expect(results == Array(0..<20))
  }

  @Test func noInputsGiveNoResults() throws {
    try OrderedWork([]) { (input: Int) in input }.forEach { _ in Issue.record("there is no result") }
  }
}
