import CLibXML2

/// The version of libxml2 at compile time, for `earshot doctor`.
public enum XMLVersion {
  public static let text = LIBXML_DOTTED_VERSION
}
