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
  public init?(size: Size, cells: [Cell]) {
    guard size.width > 0, size.height > 0, cells.count == size.width * size.height else { return nil }
    self.size = size
    self.cells = cells
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

  public init() {}

  public subscript(request: CoverRequest) -> Entry? { entries[request] }

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
    case .image(let image): entries[request] = .image(image)
    case .missing: entries[request] = .missing
    case .dropped:
      entries[request] = nil
      order.removeAll { $0 == request }
    }
  }

  /// After a change of colours: all are drawn anew.
  mutating func forget() { self = CoverShelf() }
}

extension State {
  /// The picture of what plays: the chapter's, the episode's, else the podcast's.
  var listeningCover: String? { player.chapter?.image ?? listening?.notes.cover }

  /// Asks for the pictures that are seen and not here.
  mutating func settleCovers(_ layout: Layout) -> [Effect] {
    guard preferences.coverArt, !layout.isTooSmall else { return [] }
    var wanted: [CoverRequest] = []
    if let place = layout.place(.cover), let address = listeningCover {
      wanted.append(CoverRequest(address: address, size: CoverView.size(in: place.content)))
    }
    if listening != nil {
      if layout.place(.notes) != nil { wanted += Self.request(listening?.notes) }
    } else if layout.place(.detail) != nil {
      wanted += Self.request(screen.detail)
    }
    return wanted.filter { $0.size.width > 0 && covers.want($0) }.map { .loadCover($0) }
  }

  private static func request(_ detail: DetailPane?) -> [CoverRequest] {
    guard let address = detail?.cover, let size = detail?.coverSize else { return [] }
    return [CoverRequest(address: address, size: size)]
  }
}
