import Foundation
import HTTP
import Synchronization

/// One enclosure that mpv may ask the relay for.
final class RelayedStream: Sendable {
  /// In the address that mpv is given: who does not know it gets nothing.
  let token: String
  /// As the feed has it, with a password where it has one.
  let original: String
  let address: WebAddress
  let copy: StreamCopy?
  private let state = Mutex(State())

  private struct State {
    var trouble: HTTPError?
    var place: WebAddress?
    var lacksRanges = false
    var isReplaced = false
    var hasToldReplacement = false
  }

  init(original: String, address: WebAddress, copy: StreamCopy?) {
    token = [0, 1].map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }.joined()
    self.original = original
    self.address = address
    self.copy = copy
  }

  /// Why nothing came from the server the last time; nil when something did.
  var trouble: HTTPError? {
    get { state.withLock { $0.trouble } }
    set { state.withLock { $0.trouble = newValue } }
  }

  /// Where redirects led to the last time: the rest of a file is asked for there, as FFmpeg does. Who puts advertisements
  /// into episodes may lead every request to another file.
  var place: WebAddress? {
    get { state.withLock { $0.place } }
    set { state.withLock { $0.place = newValue } }
  }

  /// The server sends the whole, whatever part is asked for. mpv must not believe that it can have parts.
  var lacksRanges: Bool {
    get { state.withLock { $0.lacksRanges } }
    set { state.withLock { $0.lacksRanges = newValue } }
  }

  /// What mpv is in the middle of is gone from the server, where another version is now. True until it begins anew.
  var isReplaced: Bool { state.withLock { $0.isReplaced } }

  func noteReplacement() {
    state.withLock { state in
      // Once: of a server that has another version for every request, the next ones are taken as they come.
      state.isReplaced = !state.hasToldReplacement
      state.hasToldReplacement = true
    }
  }

  /// mpv begins at the beginning, with whatever the server has now.
  func beginAnew() { state.withLock { $0.isReplaced = false } }

  /// The path that mpv is given. The name's ending helps to recognise the format.
  var path: String {
    let name = address.text.prefix { $0 != "?" }
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...] } ?? ""
    let isEnding = (1...5).contains(ending.count) && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return "/\(token)/media" + (isEnding ? ".\(ending)" : "")
  }
}
