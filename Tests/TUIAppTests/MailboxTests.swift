import Foundation
import LoopbackSocket
import Synchronization
import Testing

@testable import TUIApp

@Suite(InTurn()) struct MailboxTests {
  @Test func mailboxWakesThePollerOnceForManyMessages() throws {
    let mailbox = try Mailbox<Int>()
    #expect(try Poller.poll([mailbox.fileDescriptor], timeoutMilliseconds: 0) == [[]])
    for number in 0..<200_000 { mailbox.post(number) }
    #expect(try Poller.poll([mailbox.fileDescriptor], timeoutMilliseconds: nil) == [.readable])
    #expect(mailbox.drain() == Array(0..<200_000))
    #expect(try Poller.poll([mailbox.fileDescriptor], timeoutMilliseconds: 0) == [[]])
    #expect(mailbox.drain().isEmpty)
  }

  /// The test would hang if a wake-up was lost between a post and a drain.
  @Test func mailboxLosesNoMessageFromManyThreads() throws {
    let mailbox = try Mailbox<Int>()
    let (threads, each) = (4, 5000)
    for thread in 0..<threads {
      Thread.detachNewThread {
        for number in 0..<each { mailbox.post(thread * each + number) }
      }
    }
    var received: [Int] = []
    while received.count < threads * each {
      _ = try Poller.poll([mailbox.fileDescriptor], timeoutMilliseconds: nil)
      received += mailbox.drain()
    }
    #expect(received.sorted() == Array(0..<threads * each))
    for thread in 0..<threads {
      let own = received.filter { $0 / each == thread }
      #expect(own == own.sorted(), "a thread's messages keep their order")
    }
  }
}

@Suite(InTurn()) struct PollerTests {
  @Test func pollerReportsAHangUp() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    #expect(try Poller.poll([ends[0]], timeoutMilliseconds: 0) == [[]])
    close(ends[1])
    #expect(try Poller.poll([ends[0]], timeoutMilliseconds: nil)[0].contains(.hangUp))
  }

  @Test func pollerReportsEachDescriptor() throws {
    let (first, second) = (try WakePipe(), try WakePipe())
    second.wake()
    let both = [first.readEnd, second.readEnd]
    #expect(try Poller.poll(both, timeoutMilliseconds: nil) == [[], .readable])
    #expect(second.drain() == [0])
    #expect(try Poller.poll(both, timeoutMilliseconds: -7) == [[], []])
  }

  @Test func mailboxDoesNotBlockOnAFullPipe() throws {
    let pipe = try WakePipe()
    for _ in 0..<200_000 { pipe.wake() }
    #expect(!pipe.drain().isEmpty)
    #expect(pipe.drain().isEmpty)
  }
}

@Suite(InTurn()) struct WaitingForWritesTests {
  @Test func earlierWorkHasEndedAfterTheWait() {
    let (queue, gate) = (DispatchQueue(label: "test"), DispatchSemaphore(value: 0))
    let written = Mutex(false)
    queue.async {
      gate.wait()
      written.withLock { $0 = true }
    }
    #expect(!queue.awaitEarlierWork(atMost: 1))
    #expect(!written.withLock { $0 })
    gate.signal()
    #expect(queue.awaitEarlierWork(atMost: 60_000))
    #expect(written.withLock { $0 })
  }
}
