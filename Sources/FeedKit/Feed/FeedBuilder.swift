import Foundation
import Model

/// Builds a `Feed` from the events of an `XMLReader`.
///
/// It is a noncopyable struct inside the class that the reader calls (`FeedSink`), because its many small values change
/// with every event. In a class, each change would be checked for exclusive access, which took a fifth of the time.
///
/// Each start tag is looked up once in `FeedRules` and pushes a frame onto the stack; its end tag pops the frame.
/// Text is collected in one buffer for the innermost element that needs it. The extensions handle the elements:
/// `FeedBuilder+Values` simple values, `FeedBuilder+Elements` the others, `FeedBuilder+Items` whole items.
struct FeedBuilder: ~Copyable {
  struct Frame {
    var action: FeedAction
    /// The scope outside this element.
    var scope: FeedScope
    /// The number of entries in `bases` outside this element.
    var bases: Int
    /// The element is inside another one whose text is being collected.
    var isMarkup = false
  }

  /// How to interpret the collected text.
  enum TextKind { case plain, text, html, xhtml, base64 }

  let limits: FeedLimits
  var podcast = FeedPodcast()
  var episodes: [FeedEpisode] = []
  /// Items were left out because of `limits`.
  var droppedItems = false

  // The current item.
  var item = FeedEpisode()
  var itemExtras = ItemExtras()
  var inItem = false
  var itemRanks = FeedRanks()
  var channelRanks = FeedRanks()
  var itemCount = 0

  // The position in the document.
  private(set) var scope = FeedScope.document
  private let rules = FeedRules()
  private var sawRoot = false
  private var frames: [Frame] = []
  /// The base addresses for relative ones, innermost last: the feed's own address, then those of xml:base.
  private var bases: [String]
  /// The document was cut off, so the ends that follow are synthetic.
  private(set) var isCut = false
  private(set) var isAtom = false

  // The text being collected.
  private var collector: Int?
  var text = ByteBuffer(capacity: 16 << 10)
  var textKind = TextKind.plain
  private var hasMarkup = false
  /// The number of frames at a script or style element, whose text is left out.
  private var hiddenFrom: Int?
  /// Attributes of the element whose text is being collected.
  var noted = NotedAttributes()

  init(feedURL: String?, limits: FeedLimits) {
    self.limits = limits
    bases = feedURL.map { [$0] } ?? []
    podcast.feedURL = feedURL
    frames.reserveCapacity(64)
  }

  /// Resolves an address of the document. It is absolute if there is a base.
  func resolve(_ address: String) -> String? {
    let address = address.trimmed
    guard !address.isEmpty else { return nil }
    return RelativeAddress.resolve(address, base: bases.last).nonEmpty
  }

  /// Makes addresses in an HTML text absolute, if an xml:base applies. Markup that was part of the document has
  /// already been resolved tag by tag. Without xml:base, the caller that displays the text knows a better base.
  func withOwnAddresses(_ text: String) -> String {
    guard textKind != .text, textKind != .xhtml, !hasMarkup, bases.count > (podcast.feedURL == nil ? 0 : 1),
      let base = bases.last
    else { return text }
    return MarkupAddresses.absolute(text, base: base)
  }

  // MARK: Document events

  mutating func start(_ name: XMLName, _ attributes: XMLAttributes) {
    if !sawRoot {
      sawRoot = true
      isAtom = name.local.lowercased() == "feed"
    }
    beginPerson(name)
    if collector != nil {
      guard rules.endsText(name) || endsLine(name), textKind != .xhtml else { return startMarkup(name, attributes) }
      finishText()
    }
    var action = rules.action(of: name, in: scope)
    if action == .unknown, scope.isStrict { action = leave(for: name) }
    frames.append(Frame(action: action, scope: scope, bases: bases.count))
    if attributes.hasPrefixed {
      // An empty reference is the current base.
      if let base = attributes.value(prefix: "xml", "base"), !base.trimmed.isEmpty, bases.count < 64 {
        bases.append(RelativeAddress.resolve(base, base: bases.last))
      }
    }
    switch action {
    case .value(let field, _): beginText(field, attributes)
    case .element(let element): begin(element, name, attributes)
    case .unknown, .unlearned: scope = .skipped
    }
  }

  mutating func end(_ name: XMLName) {
    guard let frame = frames.popLast() else { return }
    if frame.isMarkup {
      if hiddenFrom == frames.count + 1 { hiddenFrom = nil }
      // A missing end tag may have ended the text already.
      if collector != nil { endMarkup(name) }
      return
    }
    if collector == frames.count { finishText(frame.action) }
    if case .element(let element) = frame.action { endElement(element) }
    scope = frame.scope
    while bases.count > frame.bases { bases.removeLast() }
  }

  mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard collector != nil, hiddenFrom == nil, let start = bytes.baseAddress, text.count < limits.textBytes else {
      return
    }
    if hasMarkup || textKind == .xhtml { return MarkupText.escape(bytes, into: &text) }
    text.append(start, min(bytes.count, limits.textBytes - text.count))
  }

  /// Leaves an element without an end tag if this element belongs to what is around it.
  private mutating func leave(for name: XMLName) -> FeedAction {
    let outer = inItem ? FeedScope.item : .channel
    let action = rules.action(of: name, in: outer)
    guard action != .unknown else { return action }
    if scope == .alternate { endAlternate() }
    scope = outer
    return action
  }

  mutating func cutOff() { isCut = true }

  mutating func enter(_ inner: FeedScope) { scope = inner }

  // MARK: Text

  private mutating func beginText(_ field: FeedField, _ attributes: XMLAttributes) {
    collect(kind: field.isMarkup || field == .title || field == .copyright ? MarkupText.kind(attributes) : .plain)
  }

  /// Collects the text of the element that just started, until its end.
  mutating func collect(kind: TextKind = .plain) {
    collector = frames.count - 1
    text.removeAll()
    textKind = kind
    hasMarkup = false
    hiddenFrom = nil
  }

  /// The collected text without surrounding white space.
  var collected: String {
    if textKind == .base64 { return MarkupText.decodeBase64(text.bytes) }
    return String(decoding: MarkupText.trimmed(text.bytes), as: UTF8.self).trimmed
  }

  private mutating func finishText(_ action: FeedAction? = nil) {
    guard let index = collector else { return }
    collector = nil
    hiddenFrom = nil
    let action = action ?? (index < frames.count ? frames[index].action : .unknown)
    switch action {
    case .value(let field, let rank):
      // A part of a text of the channel after the items is worse than the text that was known.
      if !(isCut && (field.isFragile || !inItem && !episodes.isEmpty)) { set(field, rank) }
    case .element(let element):
      finish(element)
      noted = NotedAttributes()
    case .unknown, .unlearned: break
    }
    if index < frames.count { frames[index].action = .unknown }
    text.removeAll()
  }

  /// If the author that is being read has elements, the text between them does not count.
  private mutating func beginPerson(_ name: XMLName) {
    guard let collector, collector < frames.count, frames[collector].action == .element(.person),
      rules.action(of: name, in: .person) != .unknown, !rules.endsText(name)
    else { return }
    self.collector = nil
    text.removeAll()
    hiddenFrom = nil
    scope = .person
  }

  /// Whether the collected text is one line whose end tag is missing before this element. An author may have a title
  /// and a link, so its text must have begun.
  private func endsLine(_ name: XMLName) -> Bool {
    guard let collector, collector < frames.count, rules.endsLine(name) else { return false }
    let action = frames[collector].action
    return !keepsMarkup(action) && (action != .element(.person) || !MarkupText.trimmed(text.bytes).isEmpty)
  }

  private mutating func startMarkup(_ name: XMLName, _ attributes: XMLAttributes) {
    frames.append(Frame(action: .unknown, scope: scope, bases: bases.count, isMarkup: true))
    guard let index = collector else { return }
    guard keepsMarkup(frames[index].action) else {
      let tag = name.local.lowercased()
      // An author's own title or link is not part of the name.
      let isOfAuthor = frames[index].action == .element(.person) && rules.endsLine(name)
      if hiddenFrom == nil, isOfAuthor || PlainTitle.hidden.contains(tag) { hiddenFrom = frames.count }
      // As for markup that is escaped: the words before and after it are two.
      if PlainTitle.breaking.contains(tag), !text.isEmpty, text.last() != 0x20 { text.append(0x20) }
      return
    }
    if !hasMarkup {
      hasMarkup = true
      // The text before the first tag was plain text and must be escaped to become markup.
      if textKind != .xhtml { MarkupText.escapeInPlace(&text) }
    }
    // Atom's wrapper of XHTML is not part of the content (RFC 4287 §3.1.1.3).
    if textKind == .xhtml, frames.count == index + 2, name.local == "div" { return }
    guard text.count < limits.textBytes else { return }
    MarkupText.writeStart(name, attributes, base: bases.last, into: &text)
  }

  private mutating func endMarkup(_ name: XMLName) {
    guard let index = collector, keepsMarkup(frames[index].action), text.count < limits.textBytes else { return }
    if textKind == .xhtml, frames.count == index + 1, name.local == "div" { return }
    MarkupText.writeEnd(name, into: &text)
  }

  private func keepsMarkup(_ action: FeedAction) -> Bool {
    switch action {
    case .value(let field, _): field.isMarkup
    case .element(let element): element == .atomContent
    default: false
    }
  }
}
