import CCurl

/// What libcurl this is, for `earshot doctor`.
public enum CurlVersion {
  public static var text: String { String(cString: curl_version()) }
}
