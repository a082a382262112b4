import Foundation
import LoopbackSocket
import Synchronization

/// A queue of messages from any thread to the one that polls. It never blocks and drops nothing.
final class Mailbox<Message: Sendable>: Sendable {
  private let messages = Mutex<[Message]>([])
  private let pipe: WakePipe

  init() throws(POSIXFailure) { pipe = try WakePipe() }

  /// Readable while there are messages.
  var fileDescriptor: Int32 { pipe.readEnd }

  func post(_ message: Message) {
    let wasEmpty = messages.withLock { waiting in
      waiting.append(message)
      return waiting.count == 1
    }
    // One byte for any number of messages, so that the pipe never fills.
    if wasEmpty { pipe.wake() }
  }

  /// Takes all messages, oldest first.
  func drain() -> [Message] {
    // The pipe is drained first. A message that comes in between is taken here, and its wake-up is superfluous. In the
    // other order its wake-up would be lost.
    _ = pipe.drain()
    return messages.withLock { waiting in
      let taken = waiting
      waiting = []
      return taken
    }
  }
}
