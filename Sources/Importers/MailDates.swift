import Foundation

/// Parses the date format of feeds (RFC 5322, 3.3), for programs that store dates as text. Make one for a whole
/// library, because making a formatter takes longer than parsing a hundred dates.
struct MailDates {
  private let formatters = ["d MMM yyyy HH:mm:ss Z", "d MMM yyyy HH:mm:ss zzz", "d MMM yyyy HH:mm Z"].map { format in
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = format
    return formatter
  }

  /// The day of the week is ignored, because it may be wrong.
  func read(_ text: String) -> Date? {
    let rest = (text.split(separator: ",", maxSplits: 1).last.map(String.init) ?? text)
      .trimmingCharacters(in: .whitespaces)
    return formatters.lazy.compactMap { $0.date(from: rest) }.first
  }
}
