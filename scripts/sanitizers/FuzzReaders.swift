// One program for libFuzzer (scripts/fuzz-coverage): the readers of foreign bytes, each chosen by the first byte, so that one
// corpus serves all. Whatever the bytes, a reader ends in a value or in an error; a trap or an overrun is a finding. What is
// found goes into Tests/FeedKitTests/Fixtures/seeds, where `SeedTests` reads it in every run.
import Foundation
import Model

@testable import FeedKit

@_cdecl("LLVMFuzzerTestOneInput") public func readOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let bytes = UnsafeBufferPointer(start: start, count: count)
  ForeignReader.allCases[Int(bytes[0]) % ForeignReader.allCases.count].read(Data(bytes.dropFirst()))
  return 0
}
