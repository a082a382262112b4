import Sync

/// The names and limits of a folder: `earshot-sync/DEVICE/CATEGORY.NNNNNN.jsonl`. docs/SYNC.md describes them.
public enum FolderFormat {
  public static let root = "earshot-sync"
  /// The file that tells whose directory it is.
  public static let about = "device.json"
  /// The maximum size of a file in bytes. Larger files are not read. A packed file of 150,000 episodes has 40 MB.
  public static let maxBytes = 64_000_000
  public static let tooLarge = "it is not read, because it is larger than \(maxBytes / 1_000_000) MB"
  /// How many devices, and how many files of one category of a device, are read.
  static let (maxDevices, maxFiles) = (500, 1000)

  /// What a file with this name contains. Nil: it is no file of the format.
  public static func category(of name: String) -> SyncCategory? {
    name.hasSuffix(".jsonl") ? SyncCategory.allCases.first { name.hasPrefix($0.rawValue + ".") } : nil
  }
}
