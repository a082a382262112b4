/// Whether there is a libmpv to play with, for `earshot doctor`.
public enum MpvProbe {
  /// The version of libmpv's interface ("2.0"). Throws `PlaybackError` when it is missing or does not fit.
  public static func version() throws -> String {
    let version = try MpvLibrary(names: MpvLibrary.names).functions.client_api_version()
    return "\(version >> 16).\(version & 0xFFFF)"
  }
}
