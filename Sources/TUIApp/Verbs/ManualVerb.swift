import ArgumentParser
import CBuildInfo
import Foundation

/// `earshot manual [PAGE]`: prints a man page in mdoc(7), made from the tables of the program. `make install` installs
/// the pages.
struct ManualVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print a man page (mdoc).", shouldDisplay: false)

  @Argument(
    help: "\(ManualPages.all.map(\.name).joined(separator: ", ")).",
    completion: .list(ManualPages.all.map(\.name)))
  var page = "earshot"

  func perform() throws {
    guard let document = ManualPages.all.first(where: { $0.name == page }) else {
      throw ValidationError("There is no page “\(page)”.")
    }
    Report.raw(Data(document.mdoc(day: String(cString: earshot_build_date())).utf8))
  }
}
