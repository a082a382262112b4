import Foundation
import Synchronization

/// Messages from any thread to the one that polls. Never waits; nothing is lost.
final class Mailbox<Message: Sendable>: Sendable {
  private let messages = Mutex<[Message]>([])
  private let pipe: WakePipe

  init() throws(POSIXFailure) { pipe = try WakePipe() }

  /// Readable while there is something to drain.
  var fileDescriptor: Int32 { pipe.readEnd }

  func post(_ message: Message) {
    let wasEmpty = messages.withLock { waiting in
      waiting.append(message)
      return waiting.count == 1
    }
    // One byte for any number of messages, so that the pipe never fills.
    if wasEmpty { pipe.wake(0) }
  }

  /// Takes all messages, oldest first.
  func drain() -> [Message] {
    // The pipe first: a message that comes between the two steps is taken here, and costs one wake-up for nothing. The
    // other way round it would lose its wake-up.
    _ = pipe.drain()
    return messages.withLock { waiting in
      let taken = waiting
      waiting = []
      return taken
    }
  }
}
