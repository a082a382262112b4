import Foundation
import HTTP
import Synchronization
import Testing

@testable import Services
@testable import TUIApp

@Suite(InTurn()) struct WorkerThreadsTests {
  @Test func workersRunAllTasksWithinTheLimit() async {
    let workers = WorkerThreads("test", atOnce: 3)
    let count = Mutex((now: 0, most: 0, done: 0))
    await withCheckedContinuation { continuation in
      for _ in 0..<200 {
        workers.add {
          count.withLock {
            $0.now += 1
            $0.most = max($0.most, $0.now)
          }
          sched_yield()
          let isLast = count.withLock {
            $0.now -= 1
            $0.done += 1
            return $0.done == 200
          }
          if isLast { continuation.resume() }
        }
      }
    }
    let (now, most, done) = count.withLock { $0 }
    #expect(now == 0 && done == 200 && (1...3).contains(most))
  }

  @Test func singleWorkerKeepsTheOrder() async {
    let workers = WorkerThreads("test", atOnce: 1)
    let seen = Mutex<[Int]>([])
    for number in 0..<100 { workers.add { seen.withLock { $0.append(number) } } }
    await withCheckedContinuation { continuation in workers.add { continuation.resume() } }
    #expect(seen.withLock { $0 } == Array(0..<100))
  }

  @Test func urgentWorkComesFirstInItsOrder() async {
    let workers = WorkerThreads("test", atOnce: 1)
    let seen = Mutex<[Int]>([])
    let gate = DispatchSemaphore(value: 0)
    workers.add { gate.wait() }
    for number in [3, 4] { workers.add { seen.withLock { $0.append(number) } } }
    for number in [1, 2] { workers.add(isUrgent: true) { seen.withLock { $0.append(number) } } }
    gate.signal()
    await withCheckedContinuation { continuation in workers.add { continuation.resume() } }
    #expect(seen.withLock { $0 } == [1, 2, 3, 4])
  }

  #if os(Linux)
    @Test func workersHaveALowerPriority() async {
      let workers = WorkerThreads("test", atOnce: 1)
      let priority = await withCheckedContinuation { continuation in
        workers.add { continuation.resume(returning: ThreadPriority.niceValue) }
      }
      // 19 is the lowest priority.
      #expect(priority == min(19, ThreadPriority.niceValue + 10))
    }

    @Test func waitingForProgramsKeepsThePriority() async {
      let workers = WorkerThreads("test", atOnce: 1, lowersPriority: false)
      let priority = await withCheckedContinuation { continuation in
        workers.add { continuation.resume(returning: ThreadPriority.niceValue) }
      }
      #expect(priority == ThreadPriority.niceValue)
    }

    @Test func clientComesBeforeTheWorkers() async {
      let priority = await withCheckedContinuation { continuation in
        Thread {
          ThreadPriority.lower(to: .network)
          continuation.resume(returning: ThreadPriority.niceValue)
        }.start()
      }
      #expect(priority == min(19, ThreadPriority.niceValue + 5))
    }
  #endif
}
