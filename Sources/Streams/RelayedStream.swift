import Foundation
import HTTP
import Model
import Synchronization

/// An enclosure that mpv may request from the relay.
final class RelayedStream: Sendable {
  /// A random part of the local address, so that only mpv can request the stream.
  let token: String
  /// The address as in the feed, including a password if it has one.
  let original: String
  let address: WebAddress
  let copy: StreamCopy?
  /// The address is of a web page, and the file behind it is wanted. The copy is of the file.
  let isPage: Bool
  private let state = Mutex(State())
  /// Separate, because reading the copy takes a while. Nil until the size of the file is known.
  private let mp3 = Mutex<MP3Timing?>(nil)
  private let ogg = Mutex(OggChain())

  private struct State {
    var lastError: HTTPError?
    var lastRequest = 0
    var isUnfinished = false
    var redirectedAddress: WebAddress?
    var ignoresRanges = false
    var isReplaced = false
    var hasReportedReplacement = false
  }

  init(original: String, address: WebAddress, copy: StreamCopy?, isPage: Bool) {
    token = [0, 1].map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }.joined()
    self.original = original
    self.address = address
    self.copy = copy
    self.isPage = isPage
  }

  /// Why the last request to the server failed. Nil if it succeeded.
  var lastError: HTTPError? {
    get { state.withLock { $0.lastError } }
    set { state.withLock { $0.lastError = newValue } }
  }

  /// Whether mpv did not get the whole of the last response.
  var isUnfinished: Bool { state.withLock { $0.isUnfinished } }

  /// Begins a request to the server.
  /// - Returns: its number, for `endRequest`.
  func beginRequest() -> Int {
    state.withLock { state in
      state.lastRequest += 1
      state.isUnfinished = true
      return state.lastRequest
    }
  }

  /// The connection of an earlier request may end after the last one began. It is ignored.
  func endRequest(_ number: Int, isUnfinished: Bool) {
    state.withLock { if $0.lastRequest == number { $0.isUnfinished = isUnfinished } }
  }

  /// Where redirects led last time. The rest of a file is requested there, as FFmpeg does: servers that insert
  /// advertisements may redirect every request to a different file.
  var redirectedAddress: WebAddress? {
    get { state.withLock { $0.redirectedAddress } }
    set { state.withLock { $0.redirectedAddress = newValue } }
  }

  /// The server ignores ranges and sends the whole file. mpv must not be told that ranges work.
  var ignoresRanges: Bool {
    get { state.withLock { $0.ignoresRanges } }
    set { state.withLock { $0.ignoresRanges = newValue } }
  }

  /// The file that mpv was playing has been replaced on the server. True until mpv starts from the beginning.
  var isReplaced: Bool { state.withLock { $0.isReplaced } }

  func recordReplacement() {
    state.withLock { state in
      // Only once: if the server sends another version for every request, later versions are accepted.
      state.isReplaced = !state.hasReportedReplacement
      state.hasReportedReplacement = true
    }
  }

  /// mpv starts from the beginning, with the version that the server has now.
  func startOver() { state.withLock { $0.isReplaced = false } }

  /// What the bytes so far tell about the seconds of an mp3 file, or of a chained one.
  var timing: StreamTiming? { ogg.withLock { $0.isChained } ? .chained : mp3.withLock { $0?.timing } }

  /// The bytes of a false index, which mpv gets as zeros.
  var falseIndex: Range<Int64>? { mp3.withLock { $0?.falseIndex } }

  /// Begins to follow a file of this size in bytes.
  /// - Parameter isAnother: it is not the file that was followed before.
  func follow(total: Int64?, isAnother: Bool) {
    mp3.withLock { mp3 in
      if isAnother || mp3?.total != total { mp3 = total.map { MP3Timing(total: $0) } }
    }
    if isAnother { ogg.withLock { $0 = OggChain() } }
  }

  /// Follows bytes of the file that are passed on to mpv.
  /// - Returns: from which byte on they must be held back, until more of them are known. Nil: not at all.
  func read(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int64? {
    ogg.withLock { $0.read(bytes, at: offset) }
    return mp3.withLock { mp3 in
      mp3?.read(bytes, at: offset)
      return mp3?.undecided
    }
  }

  /// Follows the bytes that are cached.
  func readCopy() {
    guard let copy, let version = copy.version else { return }
    // FFmpeg reads as much at the end of an Ogg file.
    for start in [0, max(0, version.total - Int64(Self.piece))] {
      let bytes = copy.read(at: start, count: Self.piece, of: version)
      bytes.withUnsafeBytes { bytes in ogg.withLock { $0.read(bytes, at: start) } }
    }
    mp3.withLock { mp3 in
      var timing = mp3 ?? MP3Timing(total: version.total)
      guard timing.total == version.total else { return }
      while let next = timing.next, case let bytes = copy.read(at: next, count: Self.piece, of: version), !bytes.isEmpty
      {
        bytes.withUnsafeBytes { timing.read($0, at: next) }
      }
      mp3 = timing
    }
  }

  private static let piece = 128 * 1024

  /// The path for mpv. The extension helps it to recognise the format.
  var path: String {
    let name = address.text.addressExtension
    return "/\(token)/media" + (name.isEmpty ? "" : ".\(name)")
  }
}
