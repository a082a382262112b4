import AppCore
import Foundation
import Model
import TerminalKit

/// Opens an address in the listener's browser with the system's opener (xdg-open, gio, open).
struct LinkOpener: Sendable {
  let mailbox: Mailbox<Action>

  #if os(macOS)
    private static let openers = ["/usr/bin/open"]
  #else
    private static let openers = ["/usr/bin/xdg-open", "/usr/local/bin/xdg-open", "/usr/bin/gio"]
  #endif

  func open(_ address: String) {
    // Addresses contain no spaces and no invisible characters. Other programs may misinterpret them.
    let address = Sanitize.line(address).replacing(" ", with: "%20")
    // An address comes from a feed and cannot be trusted. Only these schemes are opened, as a single argument of a
    // program.
    guard ["http://", "https://", "mailto:"].contains(where: address.lowercased().hasPrefix) else {
      return showMessage(.warning, "Only http, https and mailto links can be opened, not \(address)")
    }
    guard let opener = Self.openers.first(where: FileManager.default.isExecutableFile) else {
      return mailbox.post(.linkNotOpened(address))
    }
    do {
      showMessage(.info, "Opening \(address)")
      // Both openers report with their exit status that no program could open the address: xdg-open(1) with 3 and 4,
      // gio with 1 and 2.
      try Self.start(opener, address) { [mailbox] status in
        if status != 0 { mailbox.post(.linkNotOpened(address)) }
      }
    } catch {
      mailbox.post(.linkNotOpened(address))
    }
  }

  private static var hasScreen: Bool {
    let environment = ProcessEnvironment.variables
    return environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
  }

  /// Opens an address for a command that also prints it, because there may be no browser.
  static func openQuietly(_ address: String) {
    guard ["http://", "https://"].contains(where: address.lowercased().hasPrefix),
      openers == ["/usr/bin/open"] || hasScreen,
      let opener = openers.first(where: FileManager.default.isExecutableFile)
    else { return }
    // The address was printed, so an error does not matter.
    try? start(opener, address) { _ in }
  }

  /// Starts the browser with the listener's umask, not ours. The address is an argument of a fixed script, never part
  /// of it.
  /// - Parameter ended: gets the exit status.
  private static func start(
    _ opener: String, _ address: String, ended: @escaping @Sendable (Int32) -> Void
  ) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let words = [opener] + (opener.hasSuffix("gio") ? ["open"] : []) + [address]
    process.arguments = ["-c", "umask \"$0\" && exec \"$@\"", FileMask.listenersMask] + words
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { ended($0.terminationStatus) }
    try process.run()
  }

  private func showMessage(_ kind: Message.Kind, _ text: String) { mailbox.post(.message(Message(kind, text))) }
}
