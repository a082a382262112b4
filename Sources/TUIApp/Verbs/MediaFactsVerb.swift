import ArgumentParser
import Foundation
import Model
import Playback
import Services

/// `earshot media-facts`: prints what files say about themselves. The scan of a folder starts it as a process of its
/// own (see `MediaFactsProcess`).
struct MediaFactsVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "media-facts", abstract: "Print the tags of files, one JSON value a line.",
    discussion: "Reads file:// addresses from standard input, one a line.", shouldDisplay: false)

  @Option(help: "Write the picture in the first file here, as JPEG.") var picture: String?

  func perform() throws {
    let input = String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
    let addresses = input.split(separator: "\n").map(String.init).filter(FolderAddress.isLocal)
    if let picture {
      let reader = try MediaFactsReader(readsPictures: true)
      guard let address = addresses.first, reader.writePicture(of: address, to: picture) else {
        throw ExitStatus.invalidData.error
      }
      return
    }
    let reader = try MediaFactsReader()
    for address in addresses {
      let facts = reader.read(address).flatMap { try? JSONFormat().bytes(of: $0) } ?? Array("null".utf8)
      // Each line is written at once, because the next file may end the process.
      Report.raw(Data(facts + [UInt8(ascii: "\n")]))
    }
  }
}
