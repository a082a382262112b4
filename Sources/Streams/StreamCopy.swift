import Foundation
import HTTP
import Model
import Synchronization

/// The bytes of one enclosure that have come through the relay: a file with holes, and what is known of it. Of use to
/// mpv that seeks back, and to a download, which need not fetch them again.
///
/// A copy is a convenience: what goes wrong with its file ends the keeping, never the playing.
public final class StreamCopy: Sendable {
  private struct State {
    var facts: StreamFacts?
    var held = RangeSet<Int64>()
    var descriptor: Int32 = -1
    /// The server has said in this run that its file is the same.
    var isCurrent = false
    /// Bytes that came since the facts were written down.
    var unsaved: Int64 = 0
    var isSaveDue = false
    /// Another version of the file gets another number.
    var generation = 0

    var version: Version? {
      facts.map {
        Version(validator: $0.validator, contentType: $0.contentType, total: $0.total, generation: generation)
      }
    }

    /// The run of bytes that this one is in.
    func run(at offset: Int64) -> Range<Int64>? { held.ranges.first { $0.contains(offset) } }
  }

  /// Without a password.
  public let url: String
  private let directory: String
  /// Longer files are not kept.
  private let limit: Int64
  private let state: Mutex<State>

  /// So many bytes may be lost to the next run when this one is killed.
  private static let saveEvery: Int64 = 1 << 20

  /// What an earlier run left, or nothing.
  init(url: String, directory: String, limit: Int64) {
    self.url = url
    self.directory = directory
    self.limit = limit
    var state = State()
    if let data = FileManager.default.contents(atPath: Self.factsPath(of: url, in: directory)),
      let facts = try? JSONDecoder().decode(StreamFacts.self, from: data), facts.url == url, facts.total > 0,
      !facts.file.contains("/")
    {
      let descriptor = open("\(directory)/\(facts.file)", O_RDWR | O_NOFOLLOW | O_CLOEXEC)
      var status = stat()
      if descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
        state.facts = facts
        // Somebody may have cut the file.
        state.held = facts.ranges.intersection(RangeSet(0..<max(0, Int64(status.st_size))))
        state.descriptor = descriptor
      }
    }
    self.state = Mutex(state)
  }

  deinit { state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } } }

  // MARK: What is held

  /// What it is a copy of. Whoever reads or writes says of which version: the server may have another one meanwhile.
  public struct Version: Equatable, Sendable {
    public var validator: StrongValidator
    public var contentType: String?
    /// Bytes of the whole file.
    public var total: Int64
    fileprivate var generation: Int
  }

  /// nil while nothing is held.
  public var version: Version? { state.withLock { $0.held.isEmpty ? nil : $0.version } }

  var isCurrent: Bool { state.withLock { $0.isCurrent } }

  /// How many bytes are held from this one on, without a hole.
  public func count(from offset: Int64, of version: Version) -> Int64 {
    state.withLock { state in
      guard state.generation == version.generation else { return 0 }
      return state.run(at: offset).map { $0.upperBound - offset } ?? 0
    }
  }

  /// Where the next run of at least `least` bytes begins.
  public func next(after offset: Int64, least: Int64, of version: Version) -> Int64? {
    state.withLock { state in
      guard state.generation == version.generation else { return nil }
      return state.held.ranges.first { $0.lowerBound > offset && $0.upperBound - $0.lowerBound >= least }?.lowerBound
    }
  }

  /// Bytes all together.
  public var size: Int64 { state.withLock { $0.held.ranges.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) } } }

  /// At most `count` of the bytes that are held from `offset` on; none where there is a hole, or another version.
  public func read(at offset: Int64, count: Int, of version: Version) -> [UInt8] {
    state.withLock { state in
      guard state.generation == version.generation, let run = state.run(at: offset) else { return [] }
      let wanted = Int(min(Int64(count), run.upperBound - offset))
      return [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
        filled = max(0, pread(state.descriptor, buffer.baseAddress, wanted, off_t(offset)))
      }
    }
  }

  // MARK: What comes

  /// What is held, when an answer is about the same version; the copy is current from then on.
  func version(meeting head: HTTPHead, total: Int64?) -> Version? {
    state.withLock { state in
      guard state.facts?.meets(head, total: total) == true else { return nil }
      state.isCurrent = true
      return state.version
    }
  }

  /// Forgets what is held and begins anew, with the version that this answer is about. nil when it is not kept.
  func begin(_ head: HTTPHead, total: Int64) -> Version? {
    forget()
    guard total > 0, total <= limit, DiskSpace.free(at: directory).map({ $0 - Self.reserve > total }) ?? true else {
      return nil
    }
    let validator = StrongValidator(head)
    let key = AddressKey.fileName(url)
    // What a run left that was killed before it wrote facts down.
    for old in (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] where old.hasPrefix(key) {
      unlink("\(directory)/\(old)")
    }
    let name = "\(key)-\(String(UInt64.random(in: 0 ... .max), radix: 36)).bytes"
    return state.withLock { state in
      guard let descriptor = Self.makeFile("\(directory)/\(name)", in: directory) else { return nil }
      state.descriptor = descriptor
      state.isCurrent = true
      state.facts = StreamFacts(
        url: url, etag: validator.etag, lastModified: validator.lastModified,
        contentType: head.contentType, total: total, file: name)
      return state.version
    }
  }

  /// Bytes that stay free on the disk.
  private static let reserve: Int64 = 500_000_000

  private static func makeFile(_ path: String, in directory: String) -> Int32? {
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch { return nil }
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    return descriptor >= 0 ? descriptor : nil
  }

  /// False when the bytes could not be kept; what was kept before stays.
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

  /// Not here and now: who waits for the disk (fsync takes seconds where others write much) does not pass on sound.
  func saveSoon() { Self.saving.async { [self] in save() } }

  private static let saving = DispatchQueue(label: "earshot.streams", qos: .utility)

  /// Writes down what is held, once it is on the disk: a power cut must not leave facts about bytes that are not there.
  func save() {
    let (facts, descriptor) = state.withLock { state -> (StreamFacts?, Int32) in
      guard var facts = state.facts, state.unsaved > 0, facts.validator.ifRange != nil else { return (nil, -1) }
      facts.ranges = state.held
      (state.unsaved, state.isSaveDue) = (0, false)
      return (facts, dup(state.descriptor))
    }
    guard let facts, descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    // Another process may have put it among its downloads, and taken it away here.
    guard fsync(descriptor) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0 else { return }
    // The next save tries again; a run that never comes to one leaves no facts, and its file is swept away.
    do {
      let path = Self.factsPath(of: url, in: directory)
      try JSONEncoder().encode(facts).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch { return }
  }

  /// Nothing is held any more.
  func forget() {
    state.withLock { state in
      if state.descriptor >= 0 { close(state.descriptor) }
      if let file = state.facts?.file { unlink("\(directory)/\(file)") }
      unlink(Self.factsPath(of: url, in: directory))
      state = State(generation: state.generation + 1)
    }
  }

  private static func factsPath(of url: String, in directory: String) -> String {
    "\(directory)/\(AddressKey.fileName(url)).json"
  }
}
