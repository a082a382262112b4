import TerminalKit

/// A picture to be drawn in so many cells.
public struct CoverRequest: Hashable, Sendable {
  public var address: String
  public var size: Size
  public init(address: String, size: Size) {
    self.address = address
    self.size = size
  }
}

/// A picture as cells of the screen, row by row. One that is no square is smaller than what was asked for.
public struct CoverImage: Equatable, Sendable {
  public let size: Size
  public let cells: [Cell]
  /// The same in pixels, on a terminal that shows them.
  public let graphic: Graphic?
  public init?(size: Size, cells: [Cell], graphic: Graphic? = nil) {
    guard size.width > 0, size.height > 0, cells.count == size.width * size.height else { return nil }
    self.size = size
    self.cells = cells
    self.graphic = graphic
  }
  public subscript(x: Int, y: Int) -> Cell { cells[y * size.width + x] }

  /// Where it stands in the room that it was made for; nil when it is too large for that.
  func place(in room: Rect) -> Rect? {
    guard size.width <= room.width, size.height <= room.height else { return nil }
    return Rect(
      x: room.x + (room.width - size.width) / 2, y: room.y + (room.height - size.height) / 2, width: size.width,
      height: size.height)
  }
}

/// What comes of asking for a picture.
public enum CoverAnswer: Equatable, Sendable {
  case image(CoverImage)
  /// There is none to be had.
  case missing
  /// Others were asked for since, and it was not its turn yet: it may be asked for again.
  case dropped
}

/// Covers that were drawn lately, and those that are awaited or cannot be had.
public struct CoverShelf: Equatable, Sendable {
  public enum Entry: Equatable, Sendable {
    case awaited
    case missing
    case image(CoverImage)
  }

  private var entries: [CoverRequest: Entry] = [:]
  /// The oldest first.
  private var order: [CoverRequest] = []
  /// A cover of 40 by 20 cells takes some 60 kB.
  private static let limit = 48
  /// In pixels it takes ten times that.
  private static let graphicsLimit = 16

  public init() {}

  public subscript(request: CoverRequest) -> Entry? { entries[request] }

  /// The first of these pictures that is not known to be missing; when all are, the last.
  func best(of addresses: [String], _ size: Size) -> String? {
    addresses.first { self[CoverRequest(address: $0, size: size)] != .missing } ?? addresses.last
  }

  /// True when it must be asked for.
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

  /// After a change of colours, or of what the terminal shows: all are drawn anew.
  mutating func forget() { self = CoverShelf() }

  /// The oldest graphics go first.
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
  /// The picture of what plays: the chapter's, or if it has none that can be shown, the episode's or the podcast's.
  func listeningCover(_ size: Size) -> String? {
    let chapter = listeningChapter.flatMap { listeningChapters[$0].image }
    return covers.best(of: [chapter].compactMap { $0 } + (listening?.notes.covers ?? []), size)
  }

  /// Asks for the pictures that are seen and not here.
  mutating func reconcileCovers(_ layout: Layout) -> [Effect] {
    guard preferences.coverArt, !layout.isTooSmall else { return [] }
    var wanted: [CoverRequest] = []
    if let place = layout.place(.cover) {
      let size = CoverView.size(in: place.content)
      if let address = listeningCover(size) { wanted.append(CoverRequest(address: address, size: size)) }
    }
    if listening != nil {
      if layout.place(.notes) != nil { wanted += request(listening?.notes) }
    } else if layout.place(.detail) != nil {
      wanted += request(screen.detail)
    }
    return wanted.filter { $0.size.width > 0 && covers.want($0) }.map { .network(.cover($0)) }
  }

  private func request(_ detail: DetailPane?) -> [CoverRequest] {
    guard let size = detail?.coverSize, let address = covers.best(of: detail?.covers ?? [], size) else { return [] }
    return [CoverRequest(address: address, size: size)]
  }
}
