import LoopbackServer
import Testing

@testable import LoopbackSocket

/// Clients that connect to a local server and send nothing.
@Suite(InTurn()) struct WaitingClientsTests {
  private func clients(all: Int = 4, ofOnePeer: Int = 4) -> WaitingClients {
    WaitingClients(limits: WaitingClients.Limits(all: all, ofOnePeer: ofOnePeer, timeout: 5, bytes: 20))
  }

  @Test func oldestClientIsDisplaced() {
    var waiting = clients()
    for descriptor in 10..<14 { #expect(waiting.add(Int32(descriptor), of: 1, now: 0) == nil) }
    #expect(waiting.add(14, of: 1, now: 1) == 10)
    #expect(waiting.descriptors == [11, 12, 13, 14])
  }

  /// A process with many open connections only displaces its own.
  @Test func peerWithMostConnectionsIsDisplaced() {
    var waiting = clients()
    _ = waiting.add(10, of: 7, now: 0)
    for descriptor in 11..<14 { _ = waiting.add(Int32(descriptor), of: 1, now: 0) }
    #expect(waiting.add(14, of: 8, now: 0) == 11)
    #expect(waiting.add(15, of: 1, now: 0) == 12)
    #expect(waiting.descriptors == [10, 13, 14, 15])
    var fewer = clients(ofOnePeer: 2)
    for descriptor in 10..<13 { _ = fewer.add(Int32(descriptor), of: 1, now: 0) }
    #expect(fewer.descriptors == [11, 12])
  }

  @Test func slowBytesDoNotExtendTheTimeout() {
    var waiting = clients()
    _ = waiting.add(10, of: 1, now: 0)
    #expect(waiting.receive([71], from: 10, until: [10]) == .unfinished)
    _ = waiting.add(11, of: 1, now: 4)
    #expect(waiting.deadline == 5)
    #expect(waiting.removeLate(now: 4.9) == [])
    #expect(waiting.removeLate(now: 5) == [10])
    #expect(waiting.deadline == 9)
  }

  @Test func requestMayArriveInPieces() {
    var waiting = clients()
    _ = waiting.add(10, of: 1, now: 0)
    #expect(waiting.receive([1, 2, 13], from: 10, until: [13, 10]) == .unfinished)
    #expect(waiting.receive([10, 9], from: 10, until: [13, 10]) == .complete([1, 2]))
    _ = waiting.add(11, of: 1, now: 0)
    #expect(waiting.receive([UInt8](repeating: 65, count: 20), from: 11, until: [13, 10]) == .tooLong)
  }

  @Test func userIsReadFromTheList() {
    let list = """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 17 1 0000000000000000 100
         1: 0100007F:C350 0100007F:1F90 01 00000000:00000000 02:000A4B2C 00000000  1000        0 18 2 0000000000000000 20
         2: broken
      """
    #expect(LoopbackPeers.users(in: list) == ["0100007F:1F90 00000000:0000": 0, "0100007F:C350 0100007F:1F90": 1000])
  }

  #if os(Linux)
    @Test func closedConnectionsOfThisProcessAreRecognized() throws {
      let (listener, port) = try LoopbackSocket.listen()
      defer { LoopbackClient.close([listener]) }
      let client = try #require(LoopbackClient.connect(to: port))
      let accepted = try #require(LoopbackSocket.accept(listener))
      defer { LoopbackClient.close([client, accepted]) }
      #expect(LoopbackPeers.users(of: [accepted, -1]) == [LoopbackClient.user, nil])
    }
  #endif
}
