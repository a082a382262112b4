import AppCore
import Foundation
import TerminalKit

/// Opens an address in the listener's browser, through the system's own opener.
struct LinkOpener: Sendable {
  let mailbox: Mailbox<Action>

  #if os(macOS)
    private static let openers = ["/usr/bin/open"]
  #else
    private static let openers = ["/usr/bin/xdg-open", "/usr/local/bin/xdg-open", "/usr/bin/gio"]
  #endif

  func open(_ address: String) {
    // No address has blanks or what cannot be seen in it; what another program makes of them is not known.
    let address = Sanitize.line(address).replacing(" ", with: "%20")
    // An address is data from a feed: only these schemes leave the program, and only as one argument of a program.
    guard ["http://", "https://", "mailto:"].contains(where: address.lowercased().hasPrefix) else {
      return say(.warning, "Not opened, being neither http nor https: \(address)")
    }
    guard let opener = Self.openers.first(where: FileManager.default.isExecutableFile) else {
      return mailbox.post(.linkNotOpened(address))
    }
    let process = Process()
    // The browser gets the file permissions that the listener's programs have, not ours. The address is an argument of a
    // fixed script, never a part of it.
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let words = [opener] + (opener.hasSuffix("gio") ? ["open"] : []) + [address]
    process.arguments = ["-c", "umask \"$0\" && exec \"$@\"", FileMask.ofListener] + words
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    // Both openers tell by their status that no program is there for it: xdg-open(1) by 3 and 4, gio by 1 and 2.
    process.terminationHandler = { [mailbox] process in
      if process.terminationStatus != 0 { mailbox.post(.linkNotOpened(address)) }
    }
    do {
      say(.note, "Opening \(address)")
      try process.run()
    } catch {
      mailbox.post(.linkNotOpened(address))
    }
  }

  private static var hasScreen: Bool {
    let environment = ProcessEnvironment.variables
    return environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
  }

  /// From a verb, which shows the address too: where no browser is, people copy it.
  static func openQuietly(_ address: String) {
    guard ["http://", "https://"].contains(where: address.lowercased().hasPrefix),
      openers == ["/usr/bin/open"] || hasScreen,
      let opener = openers.first(where: FileManager.default.isExecutableFile)
    else { return }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: opener)
    process.arguments = (opener.hasSuffix("gio") ? ["open"] : []) + [address]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    // The address stands on the terminal as well.
    try? process.run()
  }

  private func say(_ kind: Message.Kind, _ text: String) { mailbox.post(.message(Message(kind, text))) }
}
