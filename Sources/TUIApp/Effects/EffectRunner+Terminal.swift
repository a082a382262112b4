import AppCore
import Foundation

/// What concerns the machine around the terminal. The terminal itself is the event loop's: `PlayerProgram`.
extension EffectRunner {
  func openLink(_ address: String) { LinkOpener(mailbox: mailbox).open(address) }

  func loadTheme(_ name: String) {
    reads.async { [self] in
      do throws(ConfigurationProblem) {
        mailbox.post(.theme(try themes.load(name)))
      } catch {
        mailbox.post(.message(Message(.error, error.description)))
      }
    }
  }
}
