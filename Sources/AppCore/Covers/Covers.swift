import Model
import TerminalKit

/// A cache of drawn covers, with the requests that are outstanding or have failed.
public struct DrawnCovers: Equatable, Sendable {
  public enum Entry: Equatable, Sendable {
    case awaited
    case missing
    case image(CoverImage)
  }

  private var entries: [CoverRequest: Entry] = [:]
  /// Oldest first.
  private var order: [CoverRequest] = []
  /// How many covers are kept. One of 40 by 20 cells takes about 60 kB.
  private static let limit = 48
  /// How many covers are kept in pixels. One takes about 600 kB.
  private static let graphicsLimit = 16

  public subscript(request: CoverRequest) -> Entry? { entries[request] }

  /// The first of these pictures that is not known to be missing, else the last.
  func best(of addresses: [String], _ size: Size) -> String? {
    addresses.first { self[CoverRequest(address: $0, size: size)] != .missing } ?? addresses.last
  }

  /// Adds a request.
  /// - Returns: whether it is new, so that the effect must be sent.
  mutating func want(_ request: CoverRequest) -> Bool {
    guard entries[request] == nil else { return false }
    entries[request] = .awaited
    order.append(request)
    if order.count > Self.limit { entries[order.removeFirst()] = nil }
    return true
  }

  mutating func receive(_ request: CoverRequest, _ answer: CoverAnswer) {
    guard entries[request] != nil else { return }
    switch answer {
    case .image(let image):
      entries[request] = .image(image)
      dropGraphics()
    case .missing: entries[request] = .missing
    case .dropped:
      entries[request] = nil
      order.removeAll { $0 == request }
    }
  }

  /// Drops all covers, because the colours or the terminal have changed.
  mutating func forget() { self = DrawnCovers() }

  /// Drops the pixels of the oldest covers.
  private mutating func dropGraphics() {
    let kept = order.filter { request in
      if case .image(let image)? = entries[request] { image.graphic != nil } else { false }
    }
    for request in kept.dropLast(Self.graphicsLimit) {
      entries[request] = nil
      order.removeAll { $0 == request }
    }
  }
}

extension State {
  /// The picture of the current chapter, of the episode or of the podcast: the first that can be shown.
  func listeningCover(_ size: Size) -> String? {
    let loaded = listeningEpisode == player.episode?.id ? player.chapterPicture : nil
    let chapter = loaded ?? listeningChapter.flatMap { listeningChapters[$0].image }
    return covers.best(of: [chapter].compactMap { $0 } + (listening?.notes.covers ?? []), size)
  }

  /// Asks for the visible pictures that are missing.
  mutating func reconcileCovers(_ layout: Layout) -> [Effect] {
    guard preferences.coverArt, !layout.isTooSmall else { return [] }
    var wanted: [CoverRequest] = []
    if let rect = layout.cover {
      let size = CoverView.size(in: rect)
      if let address = listeningCover(size) { wanted.append(CoverRequest(address: address, size: size)) }
    }
    if listening != nil {
      if layout.area(.notes) != nil { wanted += request(listening?.notes) }
    } else if layout.area(.detail) != nil {
      wanted += request(screen.detail)
    }
    return wanted.filter { $0.size.width > 0 && covers.want($0) }.map { .network(.cover($0)) }
  }

  private func request(_ detail: ReaderState?) -> [CoverRequest] {
    guard let size = detail?.cover?.size, let address = covers.best(of: detail?.covers ?? [], size) else { return [] }
    return [CoverRequest(address: address, size: size)]
  }
}
