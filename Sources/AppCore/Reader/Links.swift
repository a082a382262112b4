import Foundation
import Model
import TerminalKit

/// The target of a link in the reader's text.
public enum LinkTarget: Equatable, Sendable {
  case address(String)
  /// A time in the episode of the text, in seconds.
  case time(Double)
  /// A podcast named by another one. It is opened without subscribing.
  case podcast(RemoteItem)
  /// Searches for everything with this person.
  case person(String)
  /// A part of the text's episode.
  case soundbite(Soundbite)
  /// A trailer or a live item of the text's podcast. Indirect, because it is large and rare.
  indirect case extra(ExtraMedia)
}

/// Follows links of the reader: `o`, `y` and clicks.
extension State {
  /// The reader whose links are used: that of the full-screen view while it is open.
  private var reader: ReaderState { listening?.notes ?? screen.detail }

  /// The reader on the screen. Nil if there is none, or if the library could not give it the text of its subject.
  private var shownReader: ReaderState? { isReaderShown && reader.holdsSubject ? reader : nil }

  /// Hidden details may belong to another episode, so their links must not be used.
  var isReaderShown: Bool { listening != nil || layout.area(.detail) != nil }

  private mutating func showLinkKeys() -> [Effect] {
    return tell(.info, "\(keymap.press(.details)) to show the details, with their links.")
  }

  /// The link with the typed number. Without such a link, shows which numbers there are.
  private mutating func link(_ number: String) -> String? {
    guard isReaderShown else {
      _ = showLinkKeys()
      return nil
    }
    let links = shownReader?.links ?? []
    if let number = Int(number), links.indices.contains(number - 1) { return links[number - 1] }
    showMessage(.error, links.isEmpty ? "There are no links here" : "Links here are 1 to \(links.count)")
    return nil
  }

  /// `o`: opens the link with the typed number, or a picker.
  mutating func openLink(_ argument: String?) -> [Effect] {
    if let argument { return link(argument).map { [.terminal(.openLink($0))] } ?? [] }
    guard isReaderShown else { return showLinkKeys() }
    let page = shownReader?.text ?? DetailText.Page()
    let links = page.links.map {
      LinkPicker.Choice(
        target: .address($0.address), name: $0.name, shown: Sanitize.line(ShownAddress($0.address).description))
    }
    let clockWidth = page.times.map { TimeText.clock($0.second).count }.max() ?? 0
    let times = page.times.map { time in
      let clock = TimeText.clock(time.second).leftPadded(clockWidth)
      return LinkPicker.Choice(target: .time(time.second), shown: "\(clock)  \(time.words)")
    }
    let choices = links + times + page.actions.map { LinkPicker.Choice(target: $0.target, shown: $0.words) }
    guard !choices.isEmpty else { return tell(.info, "There are no links here") }
    return open(Picker(LinkPicker(choices, in: reader.content), choices))
  }

  /// `y`: copies the link with the typed number, the only link, or the address of the subject.
  mutating func copyLink(_ argument: String?) -> [Effect] {
    let links = shownReader?.links ?? []
    if let argument { return link(argument).map { copy($0) } ?? [] }
    if let clip = selectedEntry?.clip {
      guard case .episode(let detail, _) = reader.content, detail.id == clip.episode else {
        return [ask(AddressQuestion(episode: clip.episode, clip: clip))]
      }
      return copyAddress(detail, clip)
    }
    guard let reader = shownReader else {
      // The details may be another subject's, so the address comes from the list or the library.
      if focusedPane == .podcasts, let podcast = selectedPodcast { return copy(podcast.feedURL) }
      return selectedEpisode.map { [ask(AddressQuestion(episode: $0))] } ?? showLinkKeys()
    }
    return copy(orSayNone: reader.address ?? links.first)
  }

  /// Copies the address of an episode, or of the clip's part of its media file.
  fileprivate mutating func copyAddress(_ detail: EpisodeDetail, _ clip: Clip?) -> [Effect] {
    guard let clip else { return copy(orSayNone: detail.address) }
    guard let link = clip.link(of: detail.feed.mediaURL) else {
      return tell(.info, "This clip's episode has no address to copy")
    }
    return copy(link)
  }

  private mutating func copy(orSayNone address: String?) -> [Effect] {
    if let address { return copy(address) }
    return tell(.info, "There is no address here to copy")
  }

  mutating func copy(_ text: String) -> [Effect] {
    showMessage(.info, "Copied \(Sanitize.line(text))")
    return [.terminal(.copy(text))]
  }

  /// Follows a link of the text on the screen.
  mutating func follow(_ target: LinkTarget) -> [Effect] { follow(target, in: reader.content) }

  /// Follows a link.
  /// - Parameter content: the content of the text with the link. The reader may have other content by now.
  mutating func follow(_ target: LinkTarget, in content: ReaderState.Content?) -> [Effect] {
    switch target {
    case .address(let address): return [.terminal(.openLink(address))]
    case .time(let second):
      guard case .episode(let detail, _) = content else { return [] }
      return playChosen(detail.id, from: second)
    case .podcast(let item):
      return visit(
        VisitRequest(
          address: item.feedURL, podcast: FoundPodcast(item), episode: item.itemGuid.map { EpisodeClue(guid: $0) }))
    case .person(let name): return open(Picker(PersonPicker(name: name), PersonPicker.Choice.allCases))
    case .soundbite(let bite): return clip(of: bite, in: content).map { play($0) } ?? []
    case .extra(let media):
      guard case .podcast(let detail, _) = content else { return [] }
      if case .live(let item) = media { return listen(to: item, of: detail) }
      return [ask(ExtraQuestion(podcast: detail.id, media: media))]
    }
  }

  /// Plays a live item that is on air. Says when an announced one begins. Opens the web page if it cannot be played.
  private mutating func listen(to item: LiveItem, of podcast: PodcastDetail) -> [Effect] {
    let title = Sanitize.line(item.episode.title ?? "It")
    if item.isOnAir, item.episode.mediaURL != nil {
      return [ask(ExtraQuestion(podcast: podcast.id, media: .live(item)))]
    }
    if let link = item.contentLinks.first { return [.terminal(.openLink(link))] }
    let start = item.start.map { " It begins \(calendar.day($0)), \(calendar.timeOfDay($0))." } ?? ""
    return tell(.info, item.isAnnounced ? "“\(title)” is not on air yet.\(start)" : "“\(title)” is over")
  }

  /// A soundbite of an episode as a clip that is not stored.
  private func clip(of bite: Soundbite, in content: ReaderState.Content?) -> Clip? {
    guard case .episode(let detail, _) = content else { return nil }
    return Clip(
      id: ClipID(0), episode: detail.id, startTime: bite.startTime, endTime: bite.startTime + bite.duration,
      title: bite.title, dateCreated: now, userID: "")
  }

  /// `)` on a soundbite: stores it as a clip.
  mutating func save(_ bite: Soundbite, in content: ReaderState.Content?) -> [Effect] {
    guard let part = clip(of: bite, in: content), let end = part.endTime else { return [] }
    showMessage(.success, "The soundbite is in My Clips. \(keymap.press(.playlists)) to show it.")
    return [.write(.addClip(part.episode, from: part.startTime, to: end, title: part.title))]
  }
}

/// The episode of a trailer or a live item, to play it. The library creates it if needed.
struct ExtraQuestion: LibraryQuestion {
  var podcast: PodcastID
  var media: ExtraMedia
  var destination: AnswerDestination { .later }
  static var mayWrite: Bool { true }

  func read(_ library: any LibraryReader) throws -> EpisodeRow? {
    try library.episode(of: media, in: podcast).flatMap { try library.episodeRows([$0]).first }
  }

  func receive(_ row: EpisodeRow, _ state: inout State) -> [Effect] {
    state.library.remember([row])
    return state.playChosen(row.id)
  }
}

/// Asks for an episode, to copy its address or that of the clip.
private struct AddressQuestion: LibraryQuestion {
  var episode: EpisodeID
  var clip: Clip?
  var destination: AnswerDestination { .later }

  func read(_ library: any LibraryReader) throws -> EpisodeDetail? { try library.episode(episode) }

  func receive(_ detail: EpisodeDetail, _ state: inout State) -> [Effect] { state.copyAddress(detail, clip) }
}
