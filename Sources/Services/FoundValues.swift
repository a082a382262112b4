import Directories
import FeedKit
import Foundation
import Model

/// Converts results of directories and feeds for the Discover screen.
extension FoundPodcast {
  package init(_ podcast: DirectoryPodcast) {
    self.init(title: podcast.title)
    author = podcast.author
    feedURL = podcast.feedURL
    guid = podcast.guid
    appleID = podcast.appleID
    artworkURL = podcast.appleImageURL
    imageURL = podcast.imageURL
    summary = podcast.summary.map { HTMLDocument.parse($0, baseURL: podcast.link ?? podcast.feedURL) } ?? Document()
    link = podcast.link
    language = podcast.language
    genres = podcast.genres.map(CleanText.line)
    episodeCount = podcast.episodeCount
    newest = podcast.newest
    isExplicit = podcast.isExplicit ?? false
    isDead = podcast.isDead
    medium = podcast.medium
    directories = podcast.directories.map(\.title)
  }

  package init(_ match: PodcastMatch) {
    self.init(match.podcast)
    certainty = "\(match.words) (\(Int((match.certainty * 100).rounded())) %)"
  }

  /// A podcast as its own feed describes it.
  package init(_ feed: FeedPodcast, url: String, episodes: Int) {
    self.init(title: feed.title.map(CleanText.line) ?? "Untitled")
    author = feed.iTunesAuthor.map(CleanText.line)
    feedURL = url
    guid = feed.guid
    imageURL = feed.itunesImageURL ?? feed.imageURL
    link = feed.link
    language = feed.language
    genres = feed.categories.map(CleanText.line)
    episodeCount = episodes
    medium = feed.medium
  }

  /// Where it was found, if that is stored.
  package var source: PodcastSource? {
    if let spotifyID { return .spotify(id: spotifyID) }
    return appleID.map { .apple(collectionID: $0) }
  }
}

extension FoundEpisode {
  package init(_ episode: DirectoryEpisode) {
    var podcast = FoundPodcast(title: episode.podcastTitle)
    podcast.feedURL = episode.feedURL
    podcast.directories = [episode.directory.title]
    self.init(title: episode.title, podcast: podcast)
    guid = episode.guid
    mediaURL = episode.mediaURL
    duration = episode.duration
    pubDate = episode.pubDate
    summary = episode.summary.map { HTMLDocument.parse($0, baseURL: episode.feedURL) } ?? Document()
    imageURL = episode.imageURL
    persons = episode.persons
  }
}
