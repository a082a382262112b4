import CCurl

/// The version of libcurl, for `earshot doctor`.
public enum CurlVersion {
  public static var text: String { String(cString: curl_version()) }
}
