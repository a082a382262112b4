import Downloads
import Foundation
import Model

/// A file of notes as Markdown. Earshot writes only the block between two comments, and its own lines of the front
/// matter. What the listener has added elsewhere stays.
package enum NotesFile {
  static let begin = "<!-- earshot: this part is written again by earshot notes export -->"
  static let end = "<!-- earshot: end -->"

  /// The text of the file.
  /// - Parameter old: the file as it is; nil if there is none.
  package static func text(_ written: (front: [String], body: String), over old: String?) -> String {
    if let old, old.contains("\r\n") {
      // Written by a program of Windows, or by git with core.autocrlf.
      return text(written, over: old.replacing("\r\n", with: "\n")).replacing("\n", with: "\r\n")
    }
    let block = "\(begin)\n\(written.body)\(end)\n"
    guard let old, !old.isEmpty else {
      return (written.front.isEmpty ? "" : "---\n" + written.front.map { $0 + "\n" }.joined() + "---\n") + block
    }
    var lines = old.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    // A beginning that has lost its end is text of the listener now.
    guard let start = lines.firstIndex(of: begin), let last = lines[start...].firstIndex(of: end),
      let first = lines[...last].lastIndex(of: begin)
    else {
      // The listener has removed the block, or has a file of their own with this name. Nothing of it is lost.
      return old + (old.hasSuffix("\n") ? "\n" : "\n\n") + block
    }
    lines.replaceSubrange(
      first...last, with: block.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    return updated(lines, written.front).joined(separator: "\n")
  }

  /// Replaces the lines of the front matter that have the same keys, and adds those that are missing.
  private static func updated(_ lines: [String], _ front: [String]) -> [String] {
    guard lines.first == "---", var end = lines.dropFirst().firstIndex(of: "---") else { return lines }
    var lines = lines
    for line in front {
      guard let key = key(line) else { continue }
      guard let index = lines[1..<end].firstIndex(where: { self.key($0) == key }) else {
        lines.insert(line, at: end)
        end += 1
        continue
      }
      // The listener, or an editor, may have made several lines of it: a list, or a long text that is folded.
      let next = lines[index + 1]
      guard !lines[index].trimmingCharacters(in: .whitespaces).hasSuffix(":"), !next.hasPrefix("- "),
        next.first?.isWhitespace != true
      else {
        continue
      }
      lines[index] = line
    }
    return lines
  }

  private static func key(_ line: String) -> Substring? {
    line.firstMatch(of: /^[A-Za-z_-]+:/)?.output
  }

  /// The name of an episode's file. It ends with a number that stays when titles change, so that the episode keeps its
  /// file.
  /// - Parameters:
  ///   - feed: the address of the podcast's feed.
  ///   - existing: the names in the directory.
  package static func name(_ episode: ExportedEpisode, feed: String, existing: [String]) -> String {
    let suffix = " [\(identifier(episode, feed: feed))].md"
    if let known = existing.sorted().first(where: { $0.hasSuffix(suffix) }) { return known }
    let row = episode.detail.row
    let title = [row.podcastTitle, row.title].filter { !$0.isEmpty }.joined(separator: " - ")
    return SafeFileName.component(title) + suffix
  }

  /// Eight hexadecimal digits, from the feed's address and the guid.
  private static func identifier(_ episode: ExportedEpisode, feed: String) -> String {
    let key =
      AddressKey.feed(feed) + "\n"
      + (episode.detail.feed.guid ?? episode.detail.feed.mediaURL ?? episode.detail.row.title)
    return AddressKey.hash(key.utf8, 0x811C_9DC5 as UInt32, 0x0100_0193)
  }
}
