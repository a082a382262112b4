import Foundation
import HTTP
import Model

/// Why a download failed.
public enum DownloadError: Error, Sendable, Equatable {
  /// The server was not reached or refused, or the address cannot be fetched.
  case fetch(HTTPError)
  /// The feed has no enclosure for the episode.
  case noMedia
  /// The episode is no longer in the library.
  case unknownEpisode
  /// The episode came with the program (the built-in podcast).
  case builtIn
  /// The episode is a file of the listener.
  case inFolder
  /// The response is a web page or another text instead of the file.
  case notMedia(String)
  /// The response is a manifest or playlist instead of the file: its format, and whether it describes one stream in
  /// pieces.
  case manifest(String, isStream: Bool)
  case empty
  /// The bytes received, and the length that the server announced.
  case wrongLength(Int64, expected: Int64)
  /// The bytes needed, the free bytes, and how many of the free bytes are reserved: for other downloads, or because
  /// they must stay free.
  case noSpace(needed: Int64, free: Int64, reserved: Int64)
  /// The disk filled up while writing.
  case diskFull
  /// The directory or the file cannot be written, with the system's reason.
  case cannotWrite(String, reason: String)
  case cannotDelete(String, reason: String)
  /// Another process is fetching the same file.
  case busy
  /// The library could not be read or written, with its message.
  case library(String)

  /// Whether to retry automatically, from the byte that was reached.
  var isTransient: Bool {
    switch self {
    case .fetch(.noConnectivity(.notSecure)): false
    case .fetch(.noConnectivity), .fetch(.rateLimited), .wrongLength: true
    case .fetch(.page(let failure)): failure.isConnectivity
    case .fetch(.refused(let status)): status >= 500 || status == 408
    default: false
    }
  }

  /// Whether the cause is on this machine.
  var isLocal: Bool { cause == .local }

  var cause: DownloadReport.Cause {
    switch self {
    case .noSpace, .diskFull, .cannotWrite, .cannotDelete, .busy, .library: .local
    case .fetch(let error): error.isConnectivity ? .connectivity : .data
    case .wrongLength: .connectivity
    case .noMedia, .unknownEpisode, .builtIn, .inFolder, .notMedia, .manifest, .empty: .data
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
    case .inFolder: "it is a file in a folder of yours, and is played from there"
    case .notMedia(let type): "invalid data: \(type) came instead of the file"
    case .manifest(let form, isStream: true): "this episode is a stream (\(form)): it can be played, not downloaded"
    case .manifest(let form, isStream: false): "invalid data: a list of addresses (\(form)) came instead of the file"
    case .empty: "invalid data: the file is empty"
    case .wrongLength(let bytes, let expected):
      "\(SizeText.exact(bytes)) came of \(SizeText.exact(expected))"
    case .noSpace(let needed, let free, let reserved):
      "not enough space: \(SizeText.exact(needed)) needed, \(SizeText.exact(free)) free"
        + (reserved > 0 ? ", \(SizeText.exact(reserved)) reserved" : "")
    case .diskFull: "the disk is full"
    case .cannotWrite(let path, let reason): "\(path) cannot be written: \(reason)"
    case .cannotDelete(let path, let reason): "\(path) cannot be deleted: \(reason)"
    case .busy: "another Earshot is downloading it"
    case .library(let reason): reason
    }
  }
}
