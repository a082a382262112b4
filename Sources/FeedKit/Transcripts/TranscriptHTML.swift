import Model

/// Parses HTML transcripts: `<cite>Name:</cite><time>0:09</time><p>…</p>`, also with the time before the name. Other
/// pages are read as paragraphs.
enum TranscriptHTML {
  static func lines(_ text: String) -> [Transcript.Line] {
    var collector = Collector()
    let guarded = HTMLGuard.guarded(Array(text.utf8.prefix(HTMLDocument.maxBytes)))
    _ = guarded.withUnsafeBufferPointer { buffer in
      HTMLTokens.read(buffer) { token in
        switch token {
        case .start(let name, _): collector.start(name)
        case .end(let name): collector.end(name)
        case .text(let bytes): collector.bytes.append(contentsOf: bytes)
        }
        return collector.lines.count < TranscriptReader.lineLimit
      }
    }
    collector.flush()
    return collector.completed()
  }

  private struct Collector {
    var lines: [Transcript.Line] = []
    var bytes: [UInt8] = []
    private var speaker: String?
    private var start: Double?
    private var dropped = 0

    mutating func start(_ name: String) {
      switch name {
      case "cite", "time": flush()
      case _ where HTMLElement.named[name]?.isDropped == true:
        flush()
        dropped += 1
      case _ where HTMLElement.named[name]?.breaksLine == true: flush()
      default: break
      }
    }

    mutating func end(_ name: String) {
      switch name {
      case "cite":
        let name = take()
        speaker = name.last == ":" || name.last == "：" ? String(name.dropLast()) : name
        if speaker?.isEmpty == true { speaker = nil }
      case "time":
        start = NormalPlayTime.parse(take())
      case _ where HTMLElement.named[name]?.isDropped == true:
        bytes = []
        dropped = max(0, dropped - 1)
      case _ where HTMLElement.named[name]?.breaksLine == true: flush()
      default: break
      }
    }

    mutating func flush() {
      let text = take()
      guard dropped == 0, !text.isEmpty else { return }
      let (named, spoken) = speaker == nil ? TranscriptLines.speakerAndText(text) : (nil, text)
      lines.append(Transcript.Line(start: start, speaker: speaker ?? named, text: spoken))
      start = nil
    }

    /// Sets the end of each line to the start of the next.
    mutating func completed() -> [Transcript.Line] {
      for index in lines.indices.dropLast() where lines[index].start != nil {
        lines[index].end = lines[index + 1].start
      }
      return lines
    }

    private mutating func take() -> String {
      defer { bytes.removeAll(keepingCapacity: true) }
      return CleanText.line(String(decoding: bytes, as: UTF8.self))
    }
  }
}
