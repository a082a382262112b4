import Foundation
import HTTP
import Model

/// Why a download did not end in a file.
public enum DownloadError: Error, Sendable, Equatable {
  /// The server was not reached, refused, or the address is none that can be fetched.
  case fetch(HTTPError)
  /// The feed names no file to fetch.
  case noMedia
  /// The episode is no longer in the library.
  case unknownEpisode
  /// An episode that came with the program.
  case builtIn
  /// What came is a page for people, or another text, where a file should be.
  case notMedia(String)
  /// What came is a list of addresses where a file should be: of which form, and whether players make one sound of it.
  case manifest(String, isStream: Bool)
  case empty
  /// Bytes that came against those that were promised.
  case wrongLength(Int64, expected: Int64)
  /// Bytes that would be needed, and those that are free.
  case noSpace(needed: Int64, free: Int64)
  /// The disk filled up while writing.
  case diskFull
  /// The directory or the file cannot be made or written; why, in the system's words.
  case cannotWrite(String, reason: String)
  /// Another process is fetching the same file.
  case busy
  /// The library could not be read or written; its own words.
  case library(String)

  /// Worth trying again by itself, from the byte that was reached.
  var isPassing: Bool {
    switch self {
    case .fetch(.noConnectivity(.notSecure)): false
    case .fetch(.noConnectivity), .fetch(.rateLimited), .wrongLength: true
    case .fetch(.refused(let status)): status >= 500 || status == 408
    default: false
    }
  }

  /// True when the cause is on this side of the network.
  var isLocal: Bool { cause == .here }

  var cause: DownloadReport.Cause {
    switch self {
    case .noSpace, .diskFull, .cannotWrite, .busy, .library: .here
    case .fetch(let error): error.isConnectivity ? .connectivity : .data
    case .wrongLength: .connectivity
    case .noMedia, .unknownEpisode, .builtIn, .notMedia, .manifest, .empty: .data
    }
  }
}

extension DownloadError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .fetch(.gone): "the server does not have the file any more (410)"
    case .fetch(.notFound): "the server does not have the file (404)"
    case .fetch(let error): error.cause
    case .noMedia: "the feed names no file for it"
    case .unknownEpisode: "it is no longer in the library"
    case .builtIn: "it came with Earshot, and is here already"
    case .notMedia(let type): "invalid data: \(type) came instead of the file"
    case .manifest(let form, isStream: true): "this episode is a stream (\(form)): it can be played, not downloaded"
    case .manifest(let form, isStream: false): "invalid data: a list of addresses (\(form)) came instead of the file"
    case .empty: "invalid data: the file is empty"
    case .wrongLength(let bytes, let expected):
      "\(ByteText.size(bytes)) came of \(ByteText.size(expected))"
    case .noSpace(let needed, let free):
      "not enough space: \(ByteText.size(needed)) needed, \(ByteText.size(free)) free"
    case .diskFull: "the disk is full"
    case .cannotWrite(let path, let reason): "\(path) cannot be written: \(reason)"
    case .busy: "another Earshot is downloading it"
    case .library(let reason): reason
    }
  }
}

/// Sizes in words: "38.4 MB".
public enum ByteText {
  /// Decimal units, as disks and browsers count.
  public static func size(_ bytes: Int64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB", "PB"]
    var (value, unit) = (Double(max(0, bytes)), 0)
    // 999.95 would be shown as 1000.0.
    while value >= 999.95, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
    guard unit > 0 else { return "\(max(0, bytes)) B" }
    let tenths = (value * 10).rounded()
    let text = value < 100 ? "\(Int(tenths) / 10).\(Int(tenths) % 10)" : String(Int(value.rounded()))
    return "\(text) \(units[unit])"
  }
}
