import AppCore
import Foundation
import Model

/// Tasks for the desktop around the terminal. `PlayerProgram` handles the terminal itself.
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
