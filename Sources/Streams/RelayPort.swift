import Foundation
import LoopbackSocket
import Synchronization

/// A port of this machine, and the threads of those who connect to it.
final class RelayPort: Sendable {
  let number: UInt16
  private let state: State

  /// Apart from the port itself, so that dropping it ends the threads.
  private final class State: Sendable {
    let listener: Int32
    /// A byte in it ends the thread that accepts.
    let stop = Pipe()
    let open = Mutex<(sockets: Set<Int32>, isOver: Bool)>(([], false))

    init(listener: Int32) { self.listener = listener }
    deinit { Foundation.close(listener) }
  }

  /// - Parameter serve: called on a thread of its own for each connection, which is closed afterwards.
  init(serve: @escaping @Sendable (Int32) -> Void) throws {
    let (listener, number) = try LoopbackSocket.listen()
    self.number = number
    let state = State(listener: listener)
    self.state = state
    Self.start("relay") { Self.accept(state, serve) }
  }

  deinit { close() }

  func close() {
    let isFirst = state.open.withLock { open in
      for socket in open.sockets { LoopbackSocket.interrupt(socket) }
      defer { open.isOver = true }
      return !open.isOver
    }
    if isFirst { try? state.stop.fileHandleForWriting.close() }
  }

  private static func accept(_ state: State, _ serve: @escaping @Sendable (Int32) -> Void) {
    while LoopbackSocket.waitForFirst(state.listener, orStop: state.stop.fileHandleForReading.fileDescriptor) {
      guard let socket = LoopbackSocket.accept(state.listener) else {
        // Who asked has gone again, or there are no descriptors left (accept(2)): then the wait would end at once.
        Thread.sleep(forTimeInterval: 0.01)
        continue
      }
      let isOver = state.open.withLock { open in
        if !open.isOver { open.sockets.insert(socket) }
        return open.isOver
      }
      guard !isOver else {
        Foundation.close(socket)
        return
      }
      start("relay connection") {
        serve(socket)
        // Under the lock: `close` must never touch a number that the kernel has given to somebody else.
        state.open.withLock {
          $0.sockets.remove(socket)
          Foundation.close(socket)
        }
      }
    }
  }

  private static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = name
    // What is heard depends on it.
    thread.qualityOfService = .userInteractive
    thread.start()
  }
}
