import Foundation

/// Reads the dates that feeds write (RFC 5322, 3.3), for programs that keep them as text. Made once for a library:
/// a formatter takes longer to make than a hundred dates to read.
struct MailDates {
  private let formatters = ["d MMM yyyy HH:mm:ss Z", "d MMM yyyy HH:mm:ss zzz", "d MMM yyyy HH:mm Z"].map { format in
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = format
    return formatter
  }

  /// The day of the week is not looked at: it may be wrong, and says nothing.
  func read(_ text: String) -> Date? {
    let rest = (text.split(separator: ",", maxSplits: 1).last.map(String.init) ?? text)
      .trimmingCharacters(in: .whitespaces)
    return formatters.lazy.compactMap { $0.date(from: rest) }.first
  }
}
