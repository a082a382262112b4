import Foundation
import Model
import Programs
import Store

/// Folders of another program. The address of a folder on a phone says nothing about this machine. So a folder is taken
/// only if one with some of the same files is here: where a copy would be, or one that the listener has added.
extension LibraryImport {
  /// The folder on this machine, with what the listener did with its files. Nil: it is not here.
  func podcast(_ folder: ForeignFolder, home: String = HomePath.directory()) throws(StoreError) -> ForeignPodcast? {
    let copies = folder.paths.map { HomePath.expanding($0, home: home) }
    let added = try library.podcasts().compactMap { FolderAddress.shownPath(of: $0.feedURL) }
      .filter { ($0 as NSString).lastPathComponent == (folder.name as NSString).lastPathComponent }
    for path in copies + added {
      let here = Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
      let files = folder.files.filter { here.contains($0.key) }.sorted { $0.key < $1.key }
      guard !files.isEmpty else { continue }
      let address = FolderAddress.address(of: Array(path.utf8))
      var podcast = ForeignPodcast(feedURL: address, title: folder.title)
      // The others come with the first refresh, which reads the folder.
      podcast.episodes = files.filter(\.value.hasListenerData).map { name, episode in
        var episode = episode
        (episode.guid, episode.link) = (nil, nil)
        episode.mediaURL = FolderAddress.file(Array(name.utf8), in: address)
        return episode
      }
      return podcast
    }
    return nil
  }
}

extension ForeignFolder {
  /// How the folder comes along.
  var note: String {
    let copy = paths.first { $0.hasPrefix("~/") }
    let last = (name as NSString).lastPathComponent
    let way = copy.map { "copy it to \($0)" } ?? "copy it, and run “earshot add PATH/\(last)”"
    return "“\(name)” is a folder on the phone: \(way). Then import again to get its positions."
  }
}
