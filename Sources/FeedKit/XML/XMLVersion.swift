import CLibXML2

/// What libxml2 this was built with, for `earshot doctor`.
public enum XMLVersion {
  public static let text = LIBXML_DOTTED_VERSION
}
