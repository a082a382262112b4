import CAVUtil
import Model

/// The libraries for pictures, for `earshot doctor`.
public enum CoverLibraries {
  public static func check() -> [OptionalLibrary] {
    let chafa = try? ChafaLibrary()
    let decoder = try? PictureDecoder()
    let releases = PictureDecoder.releases
    return [
      OptionalLibrary(
        name: "chafa", wanted: ChafaLibrary.names[0], found: chafa.map { _ in ChafaLibrary.names[0] },
        loss: "no pictures"),
      OptionalLibrary(
        name: "FFmpeg", wanted: "releases \(releases.lowerBound) to \(releases.upperBound)",
        found: decoder.map { "release \($0.release), libavcodec \(earshot_avcodec_major($0.release))" },
        loss: "no pictures, and no search with a key of Podcast Index"),
    ]
  }
}
