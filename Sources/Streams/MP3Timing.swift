import Model

/// Follows the frames of an mp3 file while its bytes pass, to find out whether a second can be found in proportion to
/// the bytes: up to where all frames have the same bit rate, and whether the index at the start is of the whole file.
///
/// FFmpeg believes the index. In a file that a server has joined from an advertisement and an episode, it is the
/// advertisement's, and every seek lands too early. `falseIndex` is then hidden from FFmpeg, which continues with the
/// bit rate of the frames.
struct MP3Timing {
  private enum Stage: Equatable {
    /// Before the sound: tags in front (ID3v2).
    case tags
    /// At the first frame, which may be an index. The second one is needed to judge it.
    case first(MP3Frame)
    case frames
    /// The next frame has another bit rate, or there is no frame.
    case stopped
    case notMP3
  }

  /// Bytes of the whole file.
  let total: Int64
  private var stage = Stage.tags
  /// Where the next tag or frame begins. Everything before it has been followed.
  private var cursor: Int64 = 0
  /// The bytes from the cursor on that have been read.
  private var head: [UInt8] = []
  private var index: MP3Index?
  /// Where the sound begins, without the frame of an index.
  private var soundStart: Int64 = 0
  /// The first frame of sound.
  private var sound: MP3Frame?
  /// Frames of another bit rate were found somewhere.
  private var isVarying = false
  /// The bytes of an index that is not of the whole file.
  private(set) var falseIndex: Range<Int64>?

  init(total: Int64) { self.total = total }

  /// The next byte to read, so that more frames can be followed. Nil if there are no more.
  var next: Int64? { isOver ? nil : cursor + Int64(head.count) }

  /// From this byte on, nothing may be passed on before more bytes are read. Nil: everything may.
  var undecided: Int64? {
    switch stage {
    case .tags, .first: cursor
    case .frames, .stopped, .notMP3: nil
    }
  }

  /// Nil if the file is not mp3, or too little of it was read.
  var timing: StreamTiming? {
    guard let sound, stage != .notMP3 else { return nil }
    let isIndexed = index != nil && falseIndex == nil
    if isIndexed, index?.isConstant == true, !isVarying {
      return StreamTiming(proportionalUntil: .infinity, durationAtConstantRate: nil)
    }
    // FFmpeg seeks with this index, so the frames at the start do not matter.
    if isIndexed { return StreamTiming(proportionalUntil: 0, durationAtConstantRate: nil) }
    func seconds(until byte: Int64) -> Double { Double(byte - soundStart) * 8 / Double(sound.bitRate) }
    return StreamTiming(
      proportionalUntil: seconds(until: cursor), durationAtConstantRate: isVarying ? nil : seconds(until: total),
      isJoined: falseIndex != nil)
  }

  /// Follows the frames as far as these bytes of the file reach.
  mutating func read(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
    let end = offset + Int64(bytes.count)
    while let next, next >= offset, next < end {
      let start = Int(next - offset)
      let count = min(wanted - head.count, bytes.count - start)
      head.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
      while !isOver, head.count >= wanted { step() }
    }
    if stage == .frames, offset > cursor { sample(bytes) }
  }

  private var isOver: Bool { stage == .stopped || stage == .notMP3 }

  /// How many bytes from the cursor on are needed for the next step.
  private var wanted: Int {
    switch stage {
    case .tags: Self.tagBytes
    case .first(let frame): frame.size + MP3Frame.headerBytes
    case .frames, .stopped, .notMP3: MP3Frame.headerBytes
    }
  }

  private mutating func step() {
    switch stage {
    case .tags: readTag()
    case .first(let frame): readFirst(frame)
    case .frames: readFrame()
    case .stopped, .notMP3: break
    }
  }

  private mutating func advance(by count: Int) {
    cursor += Int64(count)
    if count >= head.count { head.removeAll(keepingCapacity: true) } else { head.removeFirst(count) }
    guard cursor + Int64(MP3Frame.headerBytes) > total else { return }
    // The end of the file. Without a frame before it, nothing is known.
    stage = sound == nil ? .notMP3 : .stopped
    cursor = total
  }

  /// The head of an ID3v2 tag (id3.org, "ID3v2.4 structure" §3.1).
  private static let tagBytes = 10

  private mutating func readTag() {
    if head.starts(with: "ID3".utf8) {
      let size = head[6..<10].reduce(0) { $0 << 7 | Int($1 & 127) }
      let hasFooter = head[5] & 0x10 != 0
      advance(by: size + Self.tagBytes * (hasFooter ? 2 : 1))
    } else if head[0] == 0 {
      // Padding behind the tag.
      advance(by: head.firstIndex { $0 != 0 } ?? head.count)
    } else if let frame = MP3Frame(head) {
      stage = .first(frame)
    } else {
      stage = .notMP3
    }
  }

  private mutating func readFirst(_ frame: MP3Frame) {
    guard let second = MP3Frame(head[frame.size...]), second.sampleRate == frame.sampleRate else {
      stage = .notMP3
      return
    }
    index = MP3Index(in: head, of: frame)
    sound = index == nil ? frame : second
    if let index, !index.fits(total - cursor, first: frame, next: second) {
      falseIndex = cursor..<cursor + Int64(frame.size)
    }
    soundStart = index == nil ? cursor : cursor + Int64(frame.size)
    stage = .frames
    advance(by: frame.size)
  }

  private mutating func readFrame() {
    let frame = MP3Frame(head)
    guard let frame, let sound, frame.sampleRate == sound.sampleRate, frame.bitRate == sound.bitRate else {
      // A tag may end the file, or stand between two joined files. What is behind it cannot be known.
      isVarying = isVarying || frame.map { $0.bitRate != sound?.bitRate } ?? (total - cursor > Self.tailBytes)
      stage = .stopped
      return
    }
    advance(by: frame.size)
  }

  /// Looks whether frames somewhere else in the file have another bit rate.
  private mutating func sample(_ bytes: UnsafeRawBufferPointer) {
    guard let sound, !isVarying else { return }
    func frame(at start: Int) -> MP3Frame? {
      guard start + MP3Frame.headerBytes <= bytes.count, bytes[start] == 0xff else { return nil }
      return MP3Frame(bytes[start..<start + MP3Frame.headerBytes]).flatMap {
        $0.sampleRate == sound.sampleRate ? $0 : nil
      }
    }
    // Sound may contain what looks like a header, but not three in a row.
    for start in 0..<min(bytes.count, Self.sampledBytes) {
      guard let first = frame(at: start), let second = frame(at: start + first.size),
        let third = frame(at: start + first.size + second.size)
      else { continue }
      isVarying = [first, second, third].contains { $0.bitRate != sound.bitRate }
      return
    }
  }

  /// Bytes of tags that may end a file: ID3v1 with Lyrics3 (id3.org), and APEv2.
  private static let tailBytes: Int64 = 16_384

  /// More than the longest frame has.
  private static let sampledBytes = 2048
}
