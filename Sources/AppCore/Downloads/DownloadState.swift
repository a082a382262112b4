import Model
import TerminalKit

/// Downloads that are running, waiting, paused or failed. Finished ones are rows of the library
/// (`EpisodeRow.isDownloaded`, `EpisodeQuery.Scope.downloads`).
public struct DownloadState: Equatable, Sendable {
  /// In the order of the download queue.
  public private(set) var items: [DownloadProgress] = []
  private var indexes: [EpisodeID: Int] = [:]
  /// How many bytes the finished ones have, for the Downloads screen.
  var storedBytes: Int64 = 0

  public subscript(id: EpisodeID) -> DownloadProgress? { indexes[id].map { items[$0] } }

  public var isEmpty: Bool { items.isEmpty }
  public var running: Int { items.count { $0.phase == .running } }

  /// The total speed in bytes a second.
  public var rate: Double { items.reduce(0) { $0 + $1.rate } }

  /// The progress of the running downloads, 0 to 1. Nil if none is running or a size is unknown.
  public var fraction: Double? {
    var (received, total) = (0.0, 0.0)
    for item in items where item.phase == .running {
      guard let length = item.total, length > 0 else { return nil }
      received += Double(item.received)
      total += Double(length)
    }
    return total > 0 ? min(1, received / total) : nil
  }

  mutating func replace(with items: [DownloadProgress]) {
    self.items = items
    indexes = Dictionary(items.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Updates an item. If it has left the queue meanwhile, the report is dropped.
  mutating func update(_ item: DownloadProgress) {
    if let index = indexes[item.id] { items[index] = item }
  }
}

struct DownloadedBytesQuestion: LibraryQuestion {
  var destination: AnswerDestination { .later }

  func read(_ library: any LibraryReader) throws -> Int64? { try library.downloadedBytes() }

  func receive(_ bytes: Int64, _ state: inout State) -> [Effect] {
    state.downloads.storedBytes = bytes
    return []
  }
}
