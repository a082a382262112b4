import Model

/// The settings of a refresh.
package struct RefreshPreferences: Sendable {
  /// How many episodes of a podcast's back catalogue count as new, if the podcast has no setting of its own.
  package var catalogueRule = CatalogueRule.standard
  /// Fetches the chapters and transcripts of new episodes, so that search finds them before they are played.
  package var fetchesChapters = false
  package var fetchesTranscripts = false

  package init() {}
}
