import Foundation

extension Range<Date> {
  /// The end of a pause that lasts at this time. Nil: it is over. It is over, too, if the clock was set back to a time
  /// before its beginning.
  public func end(at now: Date) -> Date? { contains(now) ? upperBound : nil }
}
