import Foundation
import Model
import Synchronization

/// The clients of `earshot ctl watch`. One that does not read is cut off as soon as the buffer of its socket is full,
/// so that it never delays the player.
final class Watchers: Sendable {
  private struct Watcher {
    let descriptor: Int32
    /// Seconds between two events `position`; nil: none.
    let interval: Double?
    /// The uptime of the last one.
    var positionSent: Double
  }

  private let watchers = Mutex<[Watcher]>([])
  private static let limit = 32

  /// Adds a client and sends it the state as the first line. Takes over the descriptor.
  /// - Returns: false if there are too many watchers. Then the caller keeps it.
  func add(_ descriptor: Int32, every interval: Double?, state: () -> WatchEvent) -> Bool {
    watchers.withLock { watchers in
      Self.removeClosed(&watchers)
      guard watchers.count < Self.limit else { return false }
      // No event can come between the state and the watcher's entry in the list.
      guard Self.send(state(), to: descriptor) else {
        close(descriptor)
        return true
      }
      watchers.append(Watcher(descriptor: descriptor, interval: interval, positionSent: Self.uptime))
      return true
    }
  }

  var isEmpty: Bool { watchers.withLock { $0.isEmpty } }

  func send(_ event: WatchEvent) {
    watchers.withLock { watchers in
      guard !watchers.isEmpty, let line = Self.line(event) else { return }
      Self.send(line, to: &watchers) { _ in true }
    }
  }

  /// Sends the position to those who want it and whose time has come.
  func sendPosition(_ now: NowPlaying) {
    watchers.withLock { watchers in
      let uptime = Self.uptime
      func isDue(_ watcher: Watcher) -> Bool { watcher.interval.map { uptime - watcher.positionSent >= $0 } ?? false }
      guard watchers.contains(where: isDue),
        let line = Self.line(WatchEvent(.position, status: PlayerStatus(now)))
      else { return }
      Self.send(line, to: &watchers, isDue)
      for index in watchers.indices where isDue(watchers[index]) { watchers[index].positionSent = uptime }
    }
  }

  func closeAll() {
    watchers.withLock { watchers in
      for watcher in watchers { close(watcher.descriptor) }
      watchers = []
    }
  }

  private static var uptime: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

  private static func line(_ event: WatchEvent) -> [UInt8]? { (try? JSONFormat().bytes(of: event)).map { $0 + [10] } }

  private static func send(_ event: WatchEvent, to descriptor: Int32) -> Bool {
    line(event).map { UnixSocket.sendNow(descriptor, $0) } ?? false
  }

  private static func send(_ line: [UInt8], to watchers: inout [Watcher], _ isMeant: (Watcher) -> Bool) {
    watchers.removeAll { watcher in
      guard isMeant(watcher), !UnixSocket.sendNow(watcher.descriptor, line) else { return false }
      close(watcher.descriptor)
      return true
    }
  }

  /// Removes clients that have ended. Without events, nothing else would find out.
  private static func removeClosed(_ watchers: inout [Watcher]) {
    watchers.removeAll { watcher in
      guard UnixSocket.hasEnded(watcher.descriptor) else { return false }
      close(watcher.descriptor)
      return true
    }
  }
}
