import Foundation

/// The file mode creation mask (umask(2)): what this program writes is its owner's alone.
enum FileMask {
  /// That of the listener's shell, in octal, for the programs that we start. Set once, when the program begins.
  private(set) nonisolated(unsafe) static var ofListener = "022"

  /// The first thing that the program does: no other thread runs yet.
  static func close() { ofListener = String(umask(0o077), radix: 8) }
}
