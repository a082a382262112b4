import Foundation
import Model

/// The memory with the program's arguments, which every user of the machine can read (ps(1), /proc/PID/cmdline).
enum ArgumentMemory {
  /// Overwrites passwords and keys in the arguments with asterisks, in place. They were readable until then. Swift's
  /// own copy of the arguments is not changed.
  /// - Returns: the original arguments.
  static func mask() -> [String] {
    let arguments = arguments()
    if arguments.count == 1 { return arguments }
    #if os(Linux)
      // proc(5), /proc/pid/stat: fields 48 and 49 are the addresses between which the arguments are. The second field
      // is a name in parentheses, which may contain any character.
      guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
        let end = text.lastIndex(of: ")")
      else { return arguments }
      let fields = text[text.index(after: end)...].split(separator: " ")
      guard fields.count > 46, let first = UInt(fields[45]), let last = UInt(fields[46]), first > 0, first < last,
        last - first < 16 << 20, let start = UnsafeMutableRawPointer(bitPattern: first)
      else { return arguments }
      let memory = UnsafeMutableRawBufferPointer(start: start, count: Int(last - first))
      memory.copyBytes(from: masked(Array(memory)))
    #endif
    return arguments
  }

  /// On Linux, Swift searches for the arguments before the environment. It does not find them if a preloaded library
  /// has moved the environment (`setenv` in a constructor, as libfaketime's). The kernel knows them, too.
  private static func arguments() -> [String] {
    let found = CommandLine.arguments
    #if os(Linux)
      guard let bytes = FileManager.default.contents(atPath: "/proc/self/cmdline") else { return found }
      return choose(found, kernel: bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map(text))
    #else
      return found
    #endif
  }

  private static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  /// - Parameter kernel: the arguments of the process. If it was started with `ld.so PROGRAM`, more than the program's.
  static func choose(_ found: [String], kernel: [String]) -> [String] {
    !found.isEmpty && kernel.suffix(found.count) == found[...] ? found : kernel
  }

  /// The arguments follow each other, each with a NUL at its end.
  static func masked(_ bytes: [UInt8]) -> [UInt8] {
    Array(
      bytes.split(separator: 0, omittingEmptySubsequences: false).map { masked(argument: Array($0)) }.joined(
        separator: [0]))
  }

  private static func masked(argument: [UInt8]) -> [UInt8] {
    let masked = Redaction.mask(argument)
    // "alice:pw@example.org/feed" is also accepted as an address.
    guard masked == argument,
      !argument.contains(0x2F) || argument.firstIndex(of: 0x40) ?? .max < argument.firstIndex(of: 0x2F) ?? .max,
      let colon = argument.firstIndex(of: 0x3A), let at = argument.firstIndex(of: 0x40), colon < at
    else { return masked }
    return [UInt8](repeating: 0x2A, count: at) + argument[at...]
  }
}
