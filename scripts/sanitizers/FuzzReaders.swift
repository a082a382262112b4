// The program that libFuzzer runs (scripts/fuzz-coverage). EARSHOT_FUZZ_READER names the reader of untrusted bytes that
// gets them. For any bytes a reader must return a value or throw; a trap or an overrun is a finding. Findings become
// seeds, which `SeedTests` and `ProgramSeedTests` read in every run.
import Foundation

@testable import Store

private let reader: @Sendable (Data) -> Void = {
  let name = ProcessInfo.processInfo.environment["EARSHOT_FUZZ_READER"] ?? ""
  if let reader = ForeignReader.allCases.first(where: { "\($0)" == name }) { return { reader.read($0) } }
  if let reader = ProgramReader(rawValue: name) { return { reader.read($0) } }
  FileHandle.standardError.write(Data("there is no reader named \(name)\n".utf8))
  exit(64)
}()

@_cdecl("LLVMFuzzerTestOneInput") public func readOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: start, count: count)
  reader(Data(bytes))
  return 0
}

/// With EARSHOT_FUZZ_SAMPLES=FOLDER: writes the databases that fuzzing begins with, and ends.
@_cdecl("LLVMFuzzerInitialize") public func initialize(
  _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutableRawPointer
) -> CInt {
  guard let folder = ProcessInfo.processInfo.environment["EARSHOT_FUZZ_SAMPLES"] else { return 0 }
  do {
    let files = try ForeignFiles()
    let programs = [Foreign.castero, Foreign.shellcaster, Foreign.hullcaster, Foreign.newsboat, Foreign.gPodder, Foreign.antennaPod]
    for (index, program) in programs.enumerated() {
      let path = try files.database("\(index).db", program)
      try FileManager.default.copyItem(atPath: path, toPath: "\(folder)/database/program-\(index)")
    }
    let library = try Library(path: files.path + "/earshot.db")
    try library.close()
    try FileManager.default.copyItem(atPath: files.path + "/earshot.db", toPath: "\(folder)/backup/empty")
    exit(0)
  } catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
  }
}
