// The program that libFuzzer runs (scripts/fuzz-coverage). The first byte chooses one of the readers of untrusted bytes, so
// that one corpus serves all of them. For any bytes a reader must return a value or throw; a trap or an overrun is a finding.
// Findings go into Tests/FeedKitTests/Fixtures/seeds, which `SeedTests` reads in every run.
import Foundation
import Model

@testable import FeedKit

@_cdecl("LLVMFuzzerTestOneInput") public func readOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let bytes = UnsafeBufferPointer(start: start, count: count)
  ForeignReader.allCases[Int(bytes[0]) % ForeignReader.allCases.count].read(Data(bytes.dropFirst()))
  return 0
}
