import Foundation
import HTTP
import Model
import Synchronization

/// The bytes of one enclosure that came through the relay: a sparse file and its metadata. mpv uses it when seeking
/// back, and a download takes its bytes instead of fetching them again.
///
/// A copy is only a cache: an error with its file stops the caching, never the playback.
public final class StreamCopy: Sendable {
  private struct State {
    var metadata: StreamMetadata?
    var held = RangeSet<Int64>()
    var descriptor: Int32 = -1
    /// The server has confirmed in this run of the program that its file is unchanged.
    var isCurrent = false
    /// Bytes received since the metadata was saved.
    var unsaved: Int64 = 0
    var isSaveDue = false
    /// Changes with each new version of the file.
    var generation = 0

    var version: Version? {
      metadata.map {
        Version(validator: $0.validator, contentType: $0.contentType, total: $0.total, generation: generation)
      }
    }

    /// The contiguous run of bytes that contains this offset.
    func run(at offset: Int64) -> Range<Int64>? { held.ranges.first { $0.contains(offset) } }
  }

  /// The address without a password.
  public let url: String
  private let directory: String
  /// Longer files are not cached.
  private let limit: Int64
  private let state: Mutex<State>

  /// How many bytes may be lost if the program is killed.
  private static let saveEvery: Int64 = 1 << 20

  /// Loads the copy of an earlier run, if there is one.
  init(url: String, directory: String, limit: Int64) {
    self.url = url
    self.directory = directory
    self.limit = limit
    var state = State()
    if let data = FileManager.default.contents(atPath: Self.metadataPath(of: url, in: directory)),
      let metadata = try? JSONDecoder().decode(StreamMetadata.self, from: data), metadata.url == url,
      metadata.total > 0,
      !metadata.file.contains("/")
    {
      let descriptor = open("\(directory)/\(metadata.file)", O_RDWR | O_NOFOLLOW | O_CLOEXEC)
      var status = stat()
      if descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
        state.metadata = metadata
        // Somebody may have truncated the file.
        state.held = metadata.ranges.intersection(RangeSet(0..<max(0, Int64(status.st_size))))
        state.descriptor = descriptor
      }
    }
    self.state = Mutex(state)
  }

  deinit { state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } } }

  // MARK: Reading

  /// The version of the file that is cached. Readers and writers pass it along, because the server's file may have
  /// changed meanwhile.
  public struct Version: Equatable, Sendable {
    public var validator: StrongValidator
    public var contentType: String?
    /// The size of the whole file.
    public var total: Int64
    fileprivate var generation: Int
  }

  /// Nil while nothing is cached.
  public var version: Version? { state.withLock { $0.held.isEmpty ? nil : $0.version } }

  var isCurrent: Bool { state.withLock { $0.isCurrent } }

  /// How many contiguous bytes are cached from this offset on.
  public func count(from offset: Int64, of version: Version) -> Int64 {
    state.withLock { state in
      guard state.generation == version.generation else { return 0 }
      return state.run(at: offset).map { $0.upperBound - offset } ?? 0
    }
  }

  /// Where the next run of at least `minimum` cached bytes starts.
  public func next(after offset: Int64, atLeast minimum: Int64, of version: Version) -> Int64? {
    state.withLock { state in
      guard state.generation == version.generation else { return nil }
      return state.held.ranges.first { $0.lowerBound > offset && $0.upperBound - $0.lowerBound >= minimum }?.lowerBound
    }
  }

  /// Cached bytes in total.
  public var size: Int64 { state.withLock { $0.held.ranges.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) } } }

  /// At most `count` cached bytes from `offset` on. Empty in a gap or for another version.
  public func read(at offset: Int64, count: Int, of version: Version) -> [UInt8] {
    state.withLock { state in
      guard state.generation == version.generation, let run = state.run(at: offset) else { return [] }
      let wanted = Int(min(Int64(count), run.upperBound - offset))
      return [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
        filled = max(0, pread(state.descriptor, buffer.baseAddress, wanted, off_t(offset)))
      }
    }
  }

  // MARK: Writing

  /// The cached version if a response is for the same version; the copy is then current. Nil otherwise.
  func version(matching head: HTTPHead, total: Int64?) -> Version? {
    state.withLock { state in
      guard state.metadata?.matches(head, total: total) == true else { return nil }
      state.isCurrent = true
      return state.version
    }
  }

  /// The head with the size of the file, if it is of a part that does not tell the size (`bytes 5-9/*`, RFC 9110 §14.4)
  /// and has the strong ETag of the copy.
  func completed(_ head: HTTPHead) -> HTTPHead {
    let metadata = state.withLock(\.metadata)
    guard head.status == 206, let range = ContentRange(head["Content-Range"]), let bytes = range.bytes,
      range.total == nil, let metadata, let etag = metadata.etag, StrongValidator(head).etag == etag
    else { return head }
    return head.replacing(
      "Content-Range", with: "bytes \(bytes.lowerBound)-\(bytes.upperBound)/\(metadata.total)")
  }

  /// Deletes the copy and starts a new one with the version of this response. Nil if it will not be cached.
  func begin(_ head: HTTPHead, total: Int64) -> Version? {
    forget()
    guard total > 0, total <= limit, DiskState.freeBytes(at: directory).map({ $0 - Self.reserve > total }) ?? true
    else {
      return nil
    }
    let validator = StrongValidator(head)
    let key = AddressKey.fileName(url)
    // Files of an earlier run that was killed before it saved the metadata.
    for old in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] where old.hasPrefix(key) {
      unlink("\(directory)/\(old)")
    }
    let name = "\(key)-\(String(UInt64.random(in: 0 ... .max), radix: 36)).bytes"
    return state.withLock { state in
      guard let descriptor = Self.makeFile("\(directory)/\(name)", in: directory) else { return nil }
      state.descriptor = descriptor
      state.isCurrent = true
      state.metadata = StreamMetadata(
        url: url, etag: validator.etag, lastModified: validator.lastModified,
        contentType: head.contentType, total: total, file: name)
      return state.version
    }
  }

  /// Bytes of free disk space that caching never uses.
  private static let reserve: Int64 = 500_000_000

  private static func makeFile(_ path: String, in directory: String) -> Int32? {
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch { return nil }
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    return descriptor >= 0 ? descriptor : nil
  }

  /// False if the bytes could not be cached. What was cached before stays.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64, of version: Version) -> Bool {
    let isDue: Bool? = state.withLock { state in
      guard state.generation == version.generation, state.descriptor >= 0, offset >= 0,
        offset <= version.total - Int64(bytes.count)
      else { return nil }
      guard DescriptorWrite.all(bytes, to: state.descriptor, at: offset) == bytes.count else { return nil }
      state.held.insert(contentsOf: offset..<offset + Int64(bytes.count))
      state.unsaved += Int64(bytes.count)
      defer { state.isSaveDue = state.unsaved >= Self.saveEvery }
      return state.unsaved >= Self.saveEvery && !state.isSaveDue
    }
    if isDue == true { saveSoon() }
    return isDue != nil
  }

  /// Saves in the background: fsync can take seconds on a busy disk, and the caller must keep passing on sound.
  func saveSoon() { Self.saving.async { [self] in store() } }

  /// Saves now, and waits for the disk. A save that has begun in the background is finished, too.
  func save() { Self.saving.sync { store() } }

  private static let saving = DispatchQueue(label: "earshot.streams", qos: .utility)

  /// Flushes the bytes and then saves the metadata, so that after a power cut the metadata never describes missing
  /// bytes.
  private func store() {
    let (metadata, descriptor) = state.withLock { state -> (StreamMetadata?, Int32) in
      guard var metadata = state.metadata, state.unsaved > 0, metadata.validator.ifRange != nil else {
        return (nil, -1)
      }
      metadata.ranges = state.held
      (state.unsaved, state.isSaveDue) = (0, false)
      return (metadata, dup(state.descriptor))
    }
    guard let metadata, descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    // Another process may have moved the file to its downloads.
    guard fsync(descriptor) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0 else { return }
    // The next save tries again. Without metadata, `prune` deletes the file later.
    do {
      let path = Self.metadataPath(of: url, in: directory)
      try Data(JSONFormat().bytes(of: metadata)).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch { return }
  }

  /// Deletes the copy.
  func forget() {
    state.withLock { state in
      if state.descriptor >= 0 { close(state.descriptor) }
      if let file = state.metadata?.file { unlink("\(directory)/\(file)") }
      unlink(Self.metadataPath(of: url, in: directory))
      state = State(generation: state.generation + 1)
    }
  }

  private static func metadataPath(of url: String, in directory: String) -> String {
    "\(directory)/\(AddressKey.fileName(url)).json"
  }
}
