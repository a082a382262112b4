import Model

/// Converts a line of runs to spans, and finds addresses and episode times in the plain text.
struct LineScanner {
  var links = LinkList()
  /// In characters. Longer lines are not scanned.
  private static let maxLineLength = 200_000

  private struct Mark {
    var range: Range<Int>
    var address: String?
    var time: Double?
  }

  /// Appends the spans of a line. The first may continue the last one.
  mutating func append(_ line: [TextRun], to spans: inout [Document.Span]) {
    // Addresses and times contain one of these bytes; most lines contain none.
    let isScanned = line.contains { run in
      run.text.utf8.contains {
        $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "w") || $0 == UInt8(ascii: "W") || $0 == 0xEF
      }
    }
    guard isScanned else {
      for run in line { append(run.text, run.style, address: run.address, time: nil, to: &spans) }
      return
    }
    var scalars: [Unicode.Scalar] = []
    var ends: [Int] = []
    for run in line {
      scalars.append(contentsOf: run.text.unicodeScalars)
      ends.append(scalars.count)
    }
    let marks = scalars.count <= Self.maxLineLength ? marks(in: scalars) : []
    var start = 0
    var firstMark = 0
    for (run, end) in zip(line, ends) {
      while firstMark < marks.count, marks[firstMark].range.upperBound <= start { firstMark += 1 }
      append(run, scalars, start..<end, marks[firstMark...], to: &spans)
      start = end
    }
  }

  /// Addresses and times in order, without times inside addresses.
  private func marks(in scalars: [Unicode.Scalar]) -> [Mark] {
    let addresses = BareAddresses.find(in: scalars)
    var marks = addresses.map { Mark(range: $0.range, address: $0.address) }
    var next = 0
    for time in Timestamps.find(in: scalars) {
      while next < addresses.count, addresses[next].range.upperBound <= time.range.lowerBound { next += 1 }
      if next < addresses.count, addresses[next].range.overlaps(time.range) { continue }
      marks.append(Mark(range: time.range, time: time.seconds))
    }
    return marks.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  private mutating func append(
    _ run: TextRun, _ scalars: [Unicode.Scalar], _ range: Range<Int>, _ marks: ArraySlice<Mark>,
    to spans: inout [Document.Span]
  ) {
    guard let first = marks.first, first.range.lowerBound < range.upperBound else {
      append(run.text, run.style, address: run.address, time: nil, to: &spans)
      return
    }
    var position = range.lowerBound
    for mark in marks {
      guard mark.range.lowerBound < range.upperBound else { break }
      // Inside a link, its own address is used. Code contains no times.
      if mark.address != nil && run.address != nil { continue }
      if mark.time != nil && run.style.contains(.code) { continue }
      let part = mark.range.clamped(to: range)
      guard part.lowerBound >= position, !part.isEmpty else { continue }
      append(run, scalars[position..<part.lowerBound], address: run.address, time: nil, to: &spans)
      // If the link of a time leads to the same time ("…?t=754"), only the time is kept.
      let kept = mark.time != nil && run.address.map(Timestamps.isTimed) == true ? nil : run.address
      append(run, scalars[part], address: mark.address ?? kept, time: mark.time, to: &spans)
      position = part.upperBound
    }
    append(run, scalars[position..<range.upperBound], address: run.address, time: nil, to: &spans)
  }

  private mutating func append(
    _ run: TextRun, _ scalars: ArraySlice<Unicode.Scalar>, address: String?, time: Double?,
    to spans: inout [Document.Span]
  ) {
    var bytes: [UInt8] = []
    for scalar in scalars { bytes.append(utf8: scalar) }
    append(String(decoding: bytes, as: UTF8.self), run.style, address: address, time: time, to: &spans)
  }

  private mutating func append(
    _ text: String, _ style: Document.Style, address: String?, time: Double?, to spans: inout [Document.Span]
  ) {
    guard !text.isEmpty else { return }
    let link = address.flatMap { links.index(of: $0) }
    if let last = spans.last, last.style == style, last.link == link, last.time == time {
      spans[spans.count - 1].text += text
    } else {
      spans.append(Document.Span(text, style: style, link: link, time: time))
    }
  }
}
