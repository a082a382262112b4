import Model

/// Download reports and commands.
extension State {
  mutating func receive(_ report: DownloadReport) -> [Effect] {
    switch report {
    case .queue(let items):
      let isOther = items.map(\.id) != downloads.items.map(\.id)
      downloads.replace(with: items)
      return isOther ? invalidate() : []
    case .progress(let item):
      downloads.update(item)
      return []
    case .finished(let id, let title, let bytes):
      library.rows[id]?.isDownloaded = true
      library.rows[id]?.fileBytes = bytes
      showUnrequestedMessage(.success, "Downloaded “\(title)”")
      guard let wanted = pendingPlayback.download, wanted.episode == id, !player.isActive else { return invalidate() }
      return invalidate() + play(id, from: wanted.position, as: wanted.reason)
    case .delayed(_, let message):
      return tell(.warning, message)
    case .failed(let id, _, let message):
      pendingPlayback.dropDownload(of: [id])
      return tell(.error, message)
    case .removed(let ids):
      pendingPlayback.dropDownload(of: ids)
      for id in ids {
        library.rows[id]?.isDownloaded = false
        library.rows[id]?.fileBytes = nil
      }
      return invalidate()
    }
  }

  /// `d`: downloads the episode, pauses its download, or resumes it. Of several episodes it downloads those that are
  /// not there yet; if there are none, it pauses those that are coming.
  mutating func downloadSelected() -> [Effect] {
    let targets = targets
    guard let id = targets.single else { return act(.download, on: targets) }
    let effects = download(id)
    moveOn(from: targets)
    // There a downloaded episode keeps its row.
    if focusedPane == .upNext { _ = moveSelection(.rows(1)) }
    return effects
  }

  private mutating func download(_ id: EpisodeID) -> [Effect] {
    if let item = downloads[id] {
      switch item.phase {
      case .waiting, .running:
        showMessage(.info, "Download paused. \(keymap.press(.download)) to continue.")
        return [.network(.pauseDownloads([id]))]
      case .paused, .failed:
        showMessage(.info, "Downloading “\(item.title)”")
        return [.network(.download([id]))]
      }
    }
    let title = library.rows[id]?.title ?? "the episode"
    guard library.rows[id]?.hasMedia != false else { return tell(.warning, "“\(title)” has nothing to download") }
    guard library.rows[id]?.isDownloaded != true else {
      return tell(.info, "“\(title)” is downloaded. \(keymap.press(.dropDownload)) to remove the file.")
    }
    showMessage(.info, "Downloading “\(title)”")
    return [.network(.download([id]))]
  }

  /// More episodes than this are downloaded after a confirmation, because no key undoes it.
  private static let downloadsWithoutQuestion = 20

  mutating func download(several targets: Targets) -> [Effect] {
    func isComing(_ id: EpisodeID) -> Bool { [.waiting, .running].contains(downloads[id]?.phase) }
    let coming = targets.episodes.filter(isComing)
    let missing = targets.episodes.filter {
      library.rows[$0]?.isDownloaded != true && library.rows[$0]?.hasMedia != false && !isComing($0)
    }
    let count = Counted.text(missing.count, "episode")
    guard missing.count <= Self.downloadsWithoutQuestion else {
      return ask(
        "Download \(count)?", about: targets, yes: [.network(.download(missing))], done: "Downloading \(count)")
    }
    moveOn(from: targets)
    if missing.isEmpty, !coming.isEmpty {
      showMessage(.info, "Downloads paused: \(coming.count)")
      return [.network(.pauseDownloads(coming))]
    }
    guard !missing.isEmpty else {
      return tell(.info, "All of them are downloaded. \(keymap.press(.dropDownload)) to remove the files.")
    }
    showMessage(.info, "Downloading \(count)")
    return [.network(.download(missing))]
  }

  mutating func dropDownloads(_ targets: Targets) -> [Effect] {
    defer { moveOn(from: targets) }
    pendingPlayback.dropDownload(of: targets.episodes)
    guard let id = targets.single else {
      let dropped = targets.episodes.filter { downloads[$0] != nil || library.rows[$0]?.isDownloaded != false }
      guard !dropped.isEmpty else { return tell(.info, "None of these episodes is downloaded") }
      showMessage(.info, "Removed the files of \(Counted.text(dropped.count, "episode"))")
      return [.network(.dropDownloads(dropped))]
    }
    if let item = downloads[id] {
      showMessage(.info, "Download of “\(item.title)” cancelled")
      return [.network(.dropDownloads([id]))]
    }
    guard let row = library.rows[id], row.isDownloaded else { return tell(.info, "This episode is not downloaded") }
    // A playing file stays open in the player. The next start streams.
    // Undo does not bring the file back.
    showMessage(.info, "Removed the file of “\(row.title)”. \(keymap.press(.download)) to download it again.")
    return [.network(.dropDownloads([id]))]
  }

  mutating func pauseDownloads() -> [Effect] {
    let under = downloads.items.filter { $0.phase == .running || $0.phase == .waiting }.map(\.id)
    if !under.isEmpty {
      showMessage(.info, "Downloads paused: \(under.count)")
      return [.network(.pauseDownloads(under))]
    }
    let stopped = downloads.items.map(\.id)
    showMessage(.info, "Downloads continue: \(stopped.count)")
    return [.network(.download(stopped))]
  }
}
