import Model
import Services
import TOMLKit

extension RefreshPreferences {
  /// Parses a number, "none" or "all".
  static func rule(_ value: any TOMLValueConvertible) throws -> CatalogueRule {
    let text = value.int.map(String.init) ?? value.string
    guard let rule = text.flatMap(CatalogueRule.init) else {
      throw Configuration.InvalidValue("must be \"none\", \"all\" or a number from 0 to \(CatalogueRule.maximum)")
    }
    return rule
  }
}
