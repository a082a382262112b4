import Folders
import Foundation
import Model
import Store

/// Finds the files of podcasts that are folders of the listener. No other file of this machine is opened for an address
/// that a feed names.
package struct FolderFiles: Sendable {
  private let library: Library
  /// A directory for links to files whose names are not UTF-8. It may be emptied at any time.
  private let links: String
  private let facts: MediaFactsProcess

  /// - Parameters:
  ///   - cache: the cache directory.
  ///   - executable: the path of `earshot`.
  package init(library: Library, cache: String, executable: String) {
    self.library = library
    links = cache + "/names"
    facts = MediaFactsProcess(executable: executable)
  }

  /// The path of a file. Nil if the address is not that of a file below a folder that the listener has added.
  package func file(of address: String) -> String? {
    guard let path = path(of: address) else { return nil }
    return String(validating: path, as: UTF8.self) ?? link(to: path, for: address)
  }

  /// The picture at an address of that kind: a file, or the picture in a file with sound. Blocks the thread.
  package func picture(of address: String, maxBytes: Int64) -> Data? {
    guard let file = file(of: address) else { return nil }
    var status = stat()
    guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    if Self.isPicture(address) {
      return status.st_size <= maxBytes ? FileManager.default.contents(atPath: file) : nil
    }
    return facts.picture(of: address, maxBytes: maxBytes)
  }

  /// Whether the file itself is a picture.
  static func isPicture(_ address: String) -> Bool {
    FileForm(Array(address.utf8)) == .picture
  }

  private func path(of address: String) -> [UInt8]? {
    guard FolderAddress.isLocal(address), (try? library.folder(of: address)) ?? nil != nil else { return nil }
    return FolderAddress.path(of: address)
  }

  /// A link to the file, with a name that a `String` can have.
  private func link(to path: [UInt8], for address: String) -> String? {
    try? FileManager.default.createDirectory(atPath: links, withIntermediateDirectories: true)
    let link = "\(links)/\(AddressKey.fileName(address)).\(address.addressExtension)"
    let isMade = (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { path in
      symlink(path.baseAddress!, link) == 0 || errno == EEXIST
    }
    return isMade ? link : nil
  }
}
