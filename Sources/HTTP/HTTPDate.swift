import CCurl
import Foundation

/// Parses dates in HTTP headers with libcurl: IMF-fixdate, RFC 850 and asctime (RFC 9110 §5.6.7).
public enum HTTPDate {
  public static func parse(_ text: String) -> Date? {
    let seconds = curl_getdate(text, nil)
    return seconds == -1 ? nil : Date(timeIntervalSince1970: TimeInterval(seconds))
  }
}
