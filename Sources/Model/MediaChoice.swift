/// Which file of an episode is played and downloaded if its feed has several (podcast:alternateEnclosure).
public enum MediaChoice: String, Sendable, Equatable, Codable, CaseIterable {
  /// The smallest file.
  case smallest
  /// The highest bit rate.
  case best
  case audio, video
}

extension FeedEpisode {
  /// The file for a choice. The enclosure if there is no choice or nothing fits.
  public func media(_ choice: MediaChoice?) -> Enclosure? {
    let own = mediaURL.map { Enclosure(url: $0, type: mediaType, bytes: mediaBytes) }
    guard let choice else { return own }
    struct Offer {
      var file: Enclosure
      var bitrate: Double?
    }
    // Older versions stored sources that cannot be played.
    let others = alternateEnclosures.compactMap { alternate in
      alternate.sources.lazy.map { Enclosure(url: $0, type: alternate.type, bytes: alternate.length) }
        .first(where: \.isPlayableSource).map { Offer(file: $0, bitrate: alternate.bitrate) }
    }
    // An HLS playlist has no size and cannot be stored as a file.
    let offers = ([own.map { Offer(file: $0) }].compactMap { $0 } + others).filter {
      $0.file.type?.lowercased().contains("mpegurl") != true
    }
    func isKind(_ offer: Offer, _ kind: String) -> Bool { offer.file.type?.lowercased().hasPrefix(kind) ?? false }
    // Bits a second, computed from the size if the feed does not have it.
    func rate(_ offer: Offer) -> Double? {
      offer.bitrate
        ?? offer.file.bytes.flatMap { bytes in
          duration.flatMap { $0 > 0 && bytes > 0 ? Double(bytes) * 8 / Double($0) : nil }
        }
    }
    func size(_ offer: Offer) -> Double? {
      if let bytes = offer.file.bytes, bytes > 0 { return Double(bytes) }
      return offer.bitrate.flatMap { rate in duration.map { rate * Double($0) / 8 } }
    }
    let isVideo = mediaType?.lowercased().hasPrefix("video") ?? false
    let sameKind = offers.filter { isKind($0, isVideo ? "video" : "audio") }
    switch choice {
    case .smallest: return sameKind.filter { size($0) != nil }.min { size($0)! < size($1)! }?.file ?? own
    case .best: return sameKind.filter { rate($0) != nil }.max { rate($0)! < rate($1)! }?.file ?? own
    case .audio: return isVideo ? offers.first { isKind($0, "audio") }?.file ?? own : own
    case .video: return isVideo ? own : offers.first { isKind($0, "video") }?.file ?? own
    }
  }
}
