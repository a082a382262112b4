import Model
import TOMLKit

/// What a refresh does beside reading feeds, as `config.toml` says.
struct RefreshPreferences: Sendable {
  /// How many episodes of a podcast's back catalogue count as new, unless the podcast says otherwise.
  var catalogueRule = CatalogueRule.standard
  /// The chapters and the transcripts of new episodes are fetched, so that search covers what was not heard yet.
  var fetchesChapters = false
  var fetchesTranscripts = false

  /// A number, or "none" or "all".
  static func rule(_ value: any TOMLValueConvertible) throws -> CatalogueRule {
    let text = value.int.map(String.init) ?? value.string
    guard let rule = text.flatMap(CatalogueRule.init) else {
      throw Configuration.Complaint("must be \"none\", \"all\" or a number from 0 to \(CatalogueRule.most)")
    }
    return rule
  }
}
