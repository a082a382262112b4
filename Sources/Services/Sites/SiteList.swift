import Foundation
import HTTP
import Model

/// Addresses of pages that yt-dlp lists. A podcast whose only list is such a page has an address with a scheme of its
/// own, so that no feed and no sync server can make one.
package enum SiteList {
  /// The address of the podcast for a page.
  package static func feedURL(_ page: WebAddress) -> String { VideoPage.listPrefix + page.text }

  /// The page of such a podcast. Nil for feeds.
  package static func page(ofFeed feedURL: String) -> WebAddress? {
    guard feedURL.hasPrefix(VideoPage.listPrefix) else { return nil }
    return try? WebAddress(String(feedURL.dropFirst(VideoPage.listPrefix.count))).withoutLogin
  }

  /// The page that a listener means: an address of a video of YouTube, or `yt-dlp:` before any address.
  static func page(_ text: String) -> WebAddress? {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if text.lowercased().hasPrefix(VideoPage.listPrefix) {
      return page(typed: String(text.dropFirst(VideoPage.listPrefix.count)))
    }
    guard let page = page(typed: text), VideoPage.isAddress(page.text), !page.text.contains("list=") else { return nil }
    return page
  }

  /// Without `https://`, too.
  static func page(typed text: String) -> WebAddress? {
    try? WebAddress(text.contains("://") ? text : "https://" + text).withoutLogin
  }
}

extension WebAddress {
  /// A password must not be an argument of a program, because others could see it.
  fileprivate var withoutLogin: WebAddress? { credentials == nil ? self : nil }
}
