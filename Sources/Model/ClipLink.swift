import Foundation

extension Clip {
  /// The address of the clip's part of the media, with a fragment of W3C Media Fragments 1.0, 4.2.1 (`#t=12,34.5`,
  /// seconds).
  /// - Parameter mediaURL: of its episode.
  /// - Returns: nil if the media has no http address.
  public func link(of mediaURL: String?) -> String? {
    guard let mediaURL, mediaURL.hasPrefix("http://") || mediaURL.hasPrefix("https://") else { return nil }
    // The link is for other people, so the listener's password and keys are removed.
    let address = ShownAddress(mediaURL).description.prefix { $0 != "#" }
    return "\(address)#t=\(Self.seconds(startTime))" + (endTime.map { ",\(Self.seconds($0))" } ?? "")
  }

  /// The bytes of the media that contain the clip, for a range request. It is an estimate with a constant bit rate
  /// (Podverse schema, `mediaBytes`).
  /// - Parameters:
  ///   - mediaBytes: of the whole file.
  ///   - duration: of the whole file, in seconds.
  /// - Returns: nil if duration or size are unknown, and for a bookmark.
  public func byteRange(mediaBytes: Int64?, duration: Double?) -> ClosedRange<Int64>? {
    guard let mediaBytes, mediaBytes > 0, let duration, duration.isFinite, duration > 0, startTime < duration,
      let endTime
    else { return nil }
    let byte = { (time: Double) in Int64(min(1, max(0, time / duration)) * Double(mediaBytes)) }
    let first = min(byte(startTime), mediaBytes - 1)
    return first...max(first, min(byte(endTime), mediaBytes) - 1)
  }

  /// Such as `93` or `93.5`, rounded to a thousandth.
  private static func seconds(_ time: Double) -> String {
    let thousandths = (time * 1000).rounded()
    guard thousandths.truncatingRemainder(dividingBy: 1000) != 0 else {
      return String(TimeText.whole(thousandths / 1000))
    }
    var text = String(format: "%.3f", thousandths / 1000)
    while text.hasSuffix("0") { text.removeLast() }
    return text
  }
}
