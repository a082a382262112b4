/// Receives the events of an `XMLReader` and passes them to the builder.
final class FeedSink: XMLSink {
  // The builder never calls the reader, so its methods are never entered twice. Checking this for every event would
  // take a twentieth of the time.
  @exclusivity(unchecked) var builder: FeedBuilder

  init(feedURL: String?, limits: FeedLimits) { builder = FeedBuilder(feedURL: feedURL, limits: limits) }

  func start(_ name: XMLName, _ attributes: XMLAttributes) { builder.start(name, attributes) }
  func end(_ name: XMLName) { builder.end(name) }
  func text(_ bytes: UnsafeBufferPointer<UInt8>) { builder.text(bytes) }
  func cutOff() { builder.cutOff() }
}
