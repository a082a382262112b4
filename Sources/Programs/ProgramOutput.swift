import Foundation

/// One output of a program while it is read: the bytes that are kept, and the lines.
struct ProgramOutput {
  /// Which bytes are kept beyond the limit.
  enum Part { case first, last }

  private var kept = Data()
  private let part: Part
  private let limit: Int
  private var line: [UInt8] = []

  /// Longer lines are cut. A program may write gigabytes without the end of a line.
  static let lineLimit = 16 * 1024

  /// Nothing more is kept.
  var isFull: Bool { kept.count >= limit }

  var bytes: Data { part == .first ? kept : Data(kept.suffix(limit)) }

  init(keeping part: Part, limit: Int) {
    self.part = part
    self.limit = limit
  }

  /// Adds what the program has written, and calls `onLine` for each line that it completes. A carriage return ends a
  /// line, too, because programs show their progress with it. Empty lines are left out.
  mutating func add(_ new: ArraySlice<UInt8>, _ onLine: (String) -> Void) {
    switch part {
    case .first: kept.append(contentsOf: new.prefix(max(0, limit - kept.count)))
    case .last:
      kept.append(contentsOf: new)
      // Twice as much, so that not every piece moves what is kept.
      if kept.count > 2 * limit { kept = Data(kept.suffix(limit)) }
    }
    var rest = new
    while let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
      extend(rest[..<end])
      flush(onLine)
      rest = rest[(end + 1)...]
    }
    extend(rest)
  }

  /// Passes on a last line without an end.
  mutating func flush(_ onLine: (String) -> Void) {
    if !line.isEmpty { onLine(String(decoding: line, as: UTF8.self)) }
    line.removeAll(keepingCapacity: true)
  }

  private mutating func extend(_ part: ArraySlice<UInt8>) {
    line.append(contentsOf: part.prefix(max(0, Self.lineLimit - line.count)))
  }
}
