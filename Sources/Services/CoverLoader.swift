import CoverArt
import Downloads
import FeedKit
import Foundation
import HTTP
import Logging
import Model
import Synchronization
import TerminalKit

/// Fetches pictures and draws them as cells and, for some terminals, as pixels. It works on its own queue. Files are
/// kept in the cache directory, which may be emptied at any time.
package final class CoverLoader: Sendable {
  private let client: FeedClient
  private let resources: Resources
  private let directory: String
  /// What requests to an origin carry. Covers of a paid feed may need its password.
  private let access: @Sendable (Origin) -> RequestAccess
  private let painter: CoverPainter
  private let log: Logger?
  private let hasLoggedLibrary = Mutex(false)
  /// Draws one picture at a time. Decoding a large one takes 0.1 s of a core.
  private let drawing = DispatchQueue(label: "earshot.covers", qos: .utility)
  /// Reads pictures of folders. One in a file with sound takes a process.
  private let reading = WorkerThreads("pictures", atOnce: CoverLoader.loadingLimit, lowersPriority: false)
  private let recent = Mutex<[(address: String, picture: Picture)]>([])
  private let requests = Mutex(Requests())
  private let graphics = Mutex(Graphics())

  /// What the terminal can show, and the id of the last picture made for it.
  private struct Graphics {
    var target = GraphicsTarget(nil)
    var lastID = 0
  }

  /// The waiting requests, newest last, and how many are being loaded. Scrolling through a list makes a request for
  /// each row. The newest one is on the screen, so it is loaded first, and the oldest are dropped.
  private struct Requests {
    var waiting: [Job] = []
    var loading = 0
  }

  private struct Job: Sendable {
    var request: CoverRequest
    var answer: @Sendable (CoverAnswer) -> Void
  }

  private static let maxBytes: Int64 = 12_000_000
  private static let recentPictures = 12
  private static let waitingLimit = 8
  private static let loadingLimit = 4

  package init(
    client: FeedClient, resources: Resources, directory: String, painter: CoverPainter,
    log: Logger? = nil, access: @escaping @Sendable (Origin) -> RequestAccess = { _ in RequestAccess() }
  ) {
    self.access = access
    self.client = client
    self.resources = resources
    self.directory = directory
    self.painter = painter
    self.log = log
  }

  /// Sets what the terminal can show.
  package func use(_ target: GraphicsTarget) { graphics.withLock { $0.target = target } }

  package func load(_ request: CoverRequest, answer: @escaping @Sendable (CoverAnswer) -> Void) {
    let dropped = requests.withLock { requests -> Job? in
      requests.waiting.append(Job(request: request, answer: answer))
      return requests.waiting.count > Self.waitingLimit ? requests.waiting.removeFirst() : nil
    }
    dropped?.answer(.dropped)
    loadNext()
  }

  private func loadNext() {
    let job = requests.withLock { requests -> Job? in
      guard requests.loading < Self.loadingLimit, let job = requests.waiting.popLast() else { return nil }
      requests.loading += 1
      return job
    }
    guard let job else { return }
    Task { [self] in
      let data = self.known(job.request.address) == nil ? await self.data(of: job.request.address) : nil
      drawing.async { [self] in
        job.answer(draw(job.request, data))
        requests.withLock { $0.loading -= 1 }
        loadNext()
      }
    }
  }

  private func draw(_ request: CoverRequest, _ data: Data?) -> CoverAnswer {
    let known = known(request.address)
    guard let picture = known ?? data.flatMap({ decode($0, of: request.address) }) else { return .missing }
    if known == nil { remember(picture, request.address) }
    let (target, id) = graphics.withLock { graphics in
      graphics.lastID += 1
      return (graphics.target, graphics.lastID)
    }
    let size = picture.fitted(in: request.size, cell: target.cell)
    // If graphics fail, the cells are shown.
    let graphic = (try? painter.graphic(of: picture, in: size, for: target, id: id)) ?? nil
    guard let cells = try? painter.draw(picture, in: size, cell: target.cell),
      let image = CoverImage(size: size, cells: cells, graphic: graphic)
    else { return .missing }
    return .image(image)
  }

  /// Nil if it cannot be decoded. The cache keeps a picture of an unknown format, but not a web page, which may be the
  /// login page of a network, and not an empty answer.
  private func decode(_ data: Data, of address: String) -> Picture? {
    do throws(CoverArtError) { return try painter.decode(data) } catch { logMissingLibrary(error) }
    if data.isEmpty || FileKind(data) == .page { CoverCache(directory: directory).remove(address) }
    return nil
  }

  /// Logs once why no picture is shown at all.
  private func logMissingLibrary(_ error: CoverArtError) {
    guard case .libraryMissing = error else { return }
    let isFirst = hasLoggedLibrary.withLock { hasLogged in
      defer { hasLogged = true }
      return !hasLogged
    }
    if isFirst { log?.warning("There are no pictures. \(error). Run “earshot doctor” to see what is missing.") }
  }

  private func known(_ address: String) -> Picture? {
    recent.withLock { $0.first { $0.address == address }?.picture }
  }

  private func remember(_ picture: Picture, _ address: String) {
    recent.withLock {
      $0.insert((address, picture), at: 0)
      if $0.count > Self.recentPictures { $0.removeLast() }
    }
  }

  /// A picture of a folder. One that is in a file with sound is kept.
  private func localPicture(_ address: String) async -> Data? {
    let cache = CoverCache(directory: directory)
    if !FolderFiles.isPicture(address), let data = cache.data(of: address) { return data }
    return await reading.run { [resources] () -> Data? in
      let data = resources.folders?.picture(of: address, maxBytes: Self.maxBytes)
      if let data, !FolderFiles.isPicture(address) { cache.store(data, of: address) }
      return data
    }
  }

  private func data(of address: String) async -> Data? {
    if FolderAddress.isLocal(address) { return await localPicture(address) }
    if let file = resources.file(of: address) { return try? Data(contentsOf: URL(fileURLWithPath: file)) }
    let cache = CoverCache(directory: directory)
    if let data = cache.data(of: address) { return data }
    guard let origin = try? WebAddress(address).origin,
      let body = try? await client.get(
        address, accept: "image/*", maxBytes: Self.maxBytes, access: access(origin))
    else { return nil }
    let data = Data(body.bytes)
    cache.store(data, of: address)
    return data
  }
}

/// Pictures as files named by the hash of their address. Errors do not matter, because pictures can be fetched again.
struct CoverCache: Sendable {
  let directory: String

  /// The limit for all files together, in bytes. The oldest are deleted.
  private static let limit = 64_000_000
  /// Seconds after which a picture is fetched again.
  private static let lifetime = 30 * 86_400.0

  func data(of address: String) -> Data? {
    let path = self.path(of: address)
    guard let values = try? FileManager.default.attributesOfItem(atPath: path),
      let date = values[.modificationDate] as? Date, -date.timeIntervalSinceNow < Self.lifetime
    else { return nil }
    return try? Data(contentsOf: URL(fileURLWithPath: path))
  }

  func store(_ data: Data, of address: String) {
    do {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      try data.write(to: URL(fileURLWithPath: path(of: address)), options: .atomic)
    } catch { return }
    prune()
  }

  func remove(_ address: String) { try? FileManager.default.removeItem(atPath: path(of: address)) }

  private func path(of address: String) -> String { directory + "/" + AddressKey.fileName(address) }

  private func prune() {
    let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
    let files =
      (try? FileManager.default.contentsOfDirectory(
        at: URL(fileURLWithPath: directory), includingPropertiesForKeys: Array(keys))) ?? []
    var known = files.compactMap { file -> (file: URL, size: Int, date: Date)? in
      guard let values = try? file.resourceValues(forKeys: keys), let size = values.fileSize,
        let date = values.contentModificationDate
      else { return nil }
      return (file, size, date)
    }
    var total = known.reduce(0) { $0 + $1.size }
    guard total > Self.limit else { return }
    known.sort { $0.date < $1.date }
    for entry in known where total > Self.limit {
      try? FileManager.default.removeItem(at: entry.file)
      total -= entry.size
    }
  }
}
