/// The address of a folder of the listener that is a podcast, and of a file in it: `file://` and an absolute path
/// (RFC 8089), percent-encoded byte by byte, because the names of files need not be UTF-8.
///
/// Only a path that the listener adds becomes the address of a podcast. Feeds, OPML, sync and redirects cannot name
/// one: `WebAddress` and `SyncAddress` accept http and https only.
public enum FolderAddress {
  private static let scheme = "file://"

  /// Whether the address is of this form. It says nothing about whether it may be opened.
  public static func isLocal(_ address: String) -> Bool { address.hasPrefix(scheme + "/") }

  /// - Parameter path: absolute.
  public static func address(of path: some Sequence<UInt8>) -> String { scheme + encoded(path) }

  private static func encoded(_ path: some Sequence<UInt8>) -> String {
    path.percentEncoded { !$0.isUnreserved && $0 != UInt8(ascii: "/") }
  }

  /// The address of a file.
  /// - Parameter path: relative to the folder.
  public static func file(_ path: some Sequence<UInt8>, in folder: String) -> String {
    folder + "/" + encoded(path)
  }

  /// The path, which need not be UTF-8. Nil for another address, and for one that has a NUL or a component `..`.
  public static func path(of address: String) -> [UInt8]? {
    guard isLocal(address) else { return nil }
    var path: [UInt8] = []
    var rest = address.utf8.dropFirst(scheme.utf8.count)
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        path.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexValue, let low = rest.popFirst()?.hexValue else { return nil }
      path.append(high << 4 | low)
    }
    let components = path.split(separator: UInt8(ascii: "/"))
    guard !path.contains(0), !components.contains(Array("..".utf8)[...]) else { return nil }
    return path
  }

  /// The path for people: what is not UTF-8 becomes U+FFFD. Nil for another address.
  public static func shownPath(of address: String) -> String? {
    path(of: address).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether the address is of a file below this folder.
  public static func contains(_ folder: String, _ file: String) -> Bool {
    isLocal(folder) && file.hasPrefix(folder + "/") && path(of: file) != nil
  }

  /// Whether the listener has typed the path of a folder, not the address of a feed: it begins with `/`, `~`, `./` or
  /// `../`. No address of a feed has this form.
  public static func isPath(_ text: String) -> Bool {
    [".", "..", "~"].contains(text) || ["/", "~/", "./", "../"].contains { text.hasPrefix($0) }
  }
}

extension FeedPodcast {
  /// Whether the podcast is a folder of the listener. Its feed is made by Earshot from the files.
  public var isFolder: Bool { feedURL.map(FolderAddress.isLocal) ?? false }
}
