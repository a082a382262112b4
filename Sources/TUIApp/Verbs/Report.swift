import ArgumentParser
import FeedKit
import Foundation
import Store
import TerminalKit

/// Exit statuses of PRODUCT.md, after sysexits(3).
enum ExitStatus: Int32 {
  case done = 0
  case failed = 1
  case usage = 64
  case invalidData = 65
  case unavailable = 69
  case cannotCreate = 73
  case cannotWrite = 74
  case badConfiguration = 78

  var error: ExitCode { ExitCode(rawValue) }
}

/// What verbs say: answers on stdout, everything else on stderr.
enum Report {
  /// An answer. Text for people is made clean of what could control the terminal.
  static func line(_ text: String) { write(Sanitize.line(text) + "\n", to: STDOUT_FILENO) }

  static func json(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    raw(try encoder.encode(value))
    write("\n", to: STDOUT_FILENO)
  }

  static func raw(_ data: Data) {
    data.withUnsafeBytes { write($0, to: STDOUT_FILENO) }
  }

  static func message(_ text: String) { write("earshot: " + Sanitize.line(text) + "\n", to: STDERR_FILENO) }

  /// A further line of a message, with its columns as they are.
  static func detail(_ text: String) { write(Sanitize.line(text) + "\n", to: STDERR_FILENO) }

  /// Says on stderr what went wrong; the status to leave with.
  static func failure(_ error: any Error) -> ExitStatus {
    message(text(of: error))
    return status(of: error)
  }

  private static func text(of error: any Error) -> String {
    switch error {
    case let failure as Refresher.AddFailure: failure.text
    default: String(describing: error)
    }
  }

  static func status(of error: any Error) -> ExitStatus {
    switch error {
    case let error as FeedError: error.isConnectivity ? .unavailable : .invalidData
    case let error as StoreError: status(of: error)
    case let failure as Refresher.AddFailure:
      switch failure {
      case .feed(let error, _): status(of: error)
      case .store(let error, _): status(of: error)
      }
    case let error as SetupError:
      switch error {
      case .cannotCreate: .cannotCreate
      case .configuration: .badConfiguration
      case .library: .cannotWrite
      case .terminal: .unavailable
      }
    case is ConfigurationProblem: .badConfiguration
    case is TerminalError: .unavailable
    default: .failed
    }
  }

  private static func status(of error: StoreError) -> ExitStatus {
    switch error {
    case .cannotOpen: .cannotCreate
    case .notALibrary, .damaged, .newer, .older, .unknown, .invalid: .invalidData
    case .readOnly, .diskFull, .busy, .interrupted, .failed: .cannotWrite
    }
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = UnsafeRawBufferPointer(rebasing: rest).withMemoryRebound(to: UInt8.self) {
        Foundation.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}

/// A verb: does its work, and leaves with the status of what went wrong.
protocol Verb: ParsableCommand {
  func perform() throws
}

extension Verb {
  func run() throws {
    do {
      try perform()
    } catch let code as ExitCode {
      throw code
    } catch let error as ValidationError {
      throw error
    } catch {
      throw Report.failure(error).error
    }
  }
}

struct JSONOption: ParsableArguments {
  @Flag(name: .long, help: "Print JSON for programs.")
  var json = false
}
