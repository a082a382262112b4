import Foundation

/// What a WebDAV server says about a file or a directory (RFC 4918, section 15).
public struct WebDAVResource: Sendable, Equatable {
  /// The components of its path on the server, without percent-encoding.
  public var path: [String]
  /// It is a directory.
  public var isCollection = false
  /// In bytes.
  public var size: Int?
  /// The entity tag, with its quotes (RFC 9110, section 8.8.3). A weak one begins with `W/`.
  public var etag: String?
  /// The date of the last change, as the server writes it.
  public var modified: String?

  public init(path: [String]) { self.path = path }
}

/// The body of a PROPFIND request, and its answer (RFC 4918, sections 9.1 and 14).
public enum WebDAVListing {
  /// Asks for the properties of a `WebDAVResource`.
  public static let request = """
    <?xml version="1.0" encoding="utf-8"?>
    <propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/><getetag/><getlastmodified/></prop></propfind>
    """

  /// The resources of an answer in its order. Nil if it is no such answer, or ends early.
  public static func read(_ bytes: [UInt8]) -> [WebDAVResource]? {
    let collector = WebDAVCollector()
    let reader = XMLReader(sink: collector, roots: ["multistatus"])
    bytes.withUnsafeBytes { reader.feed($0) }
    reader.finish()
    return reader.foundRoot && !reader.isCutOff ? collector.resources : nil
  }

  /// The components of the path in an address or in a path.
  static func components(_ href: String) -> [String] {
    var path = href[...].prefix { $0 != "?" && $0 != "#" }
    if let scheme = path.range(of: "://") { path = path[scheme.upperBound...].drop { $0 != "/" } }
    // Split before decoding: an encoded slash is a character of a name.
    return path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
  }
}

private final class WebDAVCollector: XMLSink {
  private(set) var resources: [WebDAVResource] = []
  private var resource: WebDAVResource?
  private var text: [UInt8] = []
  private static let (resourceLimit, textLimit) = (100_000, 8192)

  func start(_ name: XMLName, _ attributes: XMLAttributes) {
    text = []
    switch name.local {
    case "response": resource = WebDAVResource(path: [])
    case "collection": resource?.isCollection = true
    default: break
    }
  }

  func text(_ bytes: UnsafeBufferPointer<UInt8>) {
    if text.count + bytes.count <= Self.textLimit { text += bytes }
  }

  func end(_ name: XMLName) {
    // Properties that the server does not have are listed without a value.
    let value = String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    text = []
    if name.local == "response" {
      if let resource, resources.count < Self.resourceLimit { resources.append(resource) }
      resource = nil
    }
    guard !value.isEmpty else { return }
    switch name.local {
    case "href": if resource?.path.isEmpty == true { resource?.path = WebDAVListing.components(value) }
    case "getcontentlength": resource?.size = Int(value)
    case "getetag": resource?.etag = value
    case "getlastmodified": resource?.modified = value
    default: break
    }
  }
}
