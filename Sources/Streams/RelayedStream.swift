import FeedKit
import Foundation
import Synchronization

/// One enclosure that mpv may ask the relay for.
final class RelayedStream: Sendable {
  /// In the address that mpv is given: who does not know it gets nothing.
  let token: String
  /// As the feed has it, with a password where it has one.
  let original: String
  let address: WebAddress
  let copy: StreamCopy?
  private let lastTrouble = Mutex<FeedError?>(nil)

  init(original: String, address: WebAddress, copy: StreamCopy?) {
    token = [0, 1].map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }.joined()
    self.original = original
    self.address = address
    self.copy = copy
  }

  /// Why nothing came from the server the last time; nil when something did.
  var trouble: FeedError? {
    get { lastTrouble.withLock { $0 } }
    set { lastTrouble.withLock { $0 = newValue } }
  }

  /// The path that mpv is given. The name's ending helps to recognise the format.
  var path: String {
    let name = address.text.prefix { $0 != "?" }
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...] } ?? ""
    let isEnding = (1...5).contains(ending.count) && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return "/\(token)/media" + (isEnding ? ".\(ending)" : "")
  }
}
