import Foundation
import Model
import Testing

@testable import Session

/// Transcripts show where a position is in a file that has changed.
@Suite struct TranscriptShiftTests {
  /// A transcript with a different line every ten seconds. `inserted` seconds are inserted at `place`.
  private func transcript(inserted: Double = 0, at place: Double = 600) -> Transcript {
    Transcript(
      lines: (0..<200).map { index in
        let start = Double(index * 10)
        return Transcript.Line(
          start: start >= place ? start + inserted : start, text: "This is what is said in line \(index).")
      })
  }

  @Test func insertionBeforeThePositionShiftsIt() {
    let (old, new) = (transcript(), transcript(inserted: 15))
    #expect(FileChange.shift(at: 1000, from: old, to: new) == 15)
    #expect(FileChange.shift(at: 300, from: old, to: new) == 0)
    #expect(FileChange.shift(at: 1000, from: new, to: old) == -15)
  }

  @Test func sameTranscriptGivesNoShift() {
    #expect(FileChange.shift(at: 1000, from: transcript(), to: transcript()) == nil)
  }

  @Test func repeatedLinesAreIgnored() {
    var (old, new) = (transcript(), transcript(inserted: 15))
    for index in old.lines.indices { old.lines[index].text = "The same words again and again" }
    for index in new.lines.indices { new.lines[index].text = "The same words again and again" }
    #expect(FileChange.shift(at: 1000, from: old, to: new) == nil)
  }

  @Test func differentTranscriptGivesNoShift() {
    var new = transcript(inserted: 15)
    for index in new.lines.indices { new.lines[index].text += " And more \(index)" }
    #expect(FileChange.shift(at: 1000, from: transcript(), to: new) == nil)
  }

  @Test func distantLinesGiveNoShift() {
    var old = transcript()
    old.lines.removeSubrange(60..<190)
    #expect(FileChange.shift(at: 1200, from: old, to: transcript(inserted: 15)) == nil)
  }

  @Test func linesWithoutTimesGiveNoShift() {
    var old = transcript()
    for index in old.lines.indices { old.lines[index].start = index % 2 == 0 ? nil : .nan }
    #expect(FileChange.shift(at: 1000, from: old, to: transcript(inserted: 15)) == nil)
  }

  @Test func correctionSeeksToTheShiftedPosition() {
    var session = ListeningSession<JumpTests.Subject>()
    session.load(JumpTests.Subject(), at: 1000, duration: nil)
    session.receiveStoredDuration(2000, generation: 1)
    let opened = session.handle(.started(generation: 1, duration: 2015, seekable: true), now: JumpTests.now)
    #expect(opened.contains(.compareTranscripts))
    #expect(session.positionInFile == .mayHaveMoved(by: 15))
    #expect(
      session.receive(transcript(inserted: 15), before: transcript(), generation: 1)
        == [.message(.positionMoved(to: 1015, .transcript))])
    #expect(session.correctPosition().contains(.seek(to: 1015, SeekID.none.next)))
    #expect(session.jumps.places.map(\.seconds) == [1000])
  }

  @Test func positionBeforeTheInsertionStays() {
    var session = ListeningSession<JumpTests.Subject>()
    session.load(JumpTests.Subject(), at: 300, duration: nil)
    session.receiveStoredDuration(2000, generation: 1)
    _ = session.handle(.started(generation: 1, duration: 2015, seekable: true), now: JumpTests.now)
    #expect(session.receive(transcript(inserted: 15), before: transcript(), generation: 1) == [])
    #expect(session.positionInFile == .confirmed(.transcript))
    #expect(session.receive(transcript(inserted: 15), before: transcript(), generation: 9) == [])
  }

  /// A transcript that the listener has made belongs to a file of one length.
  @Test(arguments: [(2000.0, 2015.0, true), (1980, 2015, false), (2000, 2000, false)])
  func onlyTranscriptsOfTheTwoFilesAreCompared(before: Double, now: Double, isEvidence: Bool) {
    var session = ListeningSession<JumpTests.Subject>()
    session.load(JumpTests.Subject(), at: 1000, duration: nil)
    session.receiveStoredDuration(2000, generation: 1)
    _ = session.handle(.started(generation: 1, duration: 2015, seekable: true), now: JumpTests.now)
    var (old, new) = (transcript(), transcript(inserted: 15))
    old.origin = TranscriptOrigin(kind: .made, name: "small", date: JumpTests.now, duration: before)
    new.origin = TranscriptOrigin(kind: .made, name: "small", date: JumpTests.now, duration: now)
    #expect(session.receive(new, before: old, generation: 1).isEmpty != isEvidence)
  }
}
