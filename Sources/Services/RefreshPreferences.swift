import Model

/// What a refresh does beside reading feeds.
package struct RefreshPreferences: Sendable {
  /// How many episodes of a podcast's back catalogue count as new, unless the podcast says otherwise.
  package var catalogueRule = CatalogueRule.standard
  /// The chapters and the transcripts of new episodes are fetched, so that search covers what was not heard yet.
  package var fetchesChapters = false
  package var fetchesTranscripts = false

  package init() {}
}
