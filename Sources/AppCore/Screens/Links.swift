import Foundation
import Model
import TerminalKit

/// Where a piece of the reader's text leads.
public enum LinkTarget: Hashable, Sendable {
  case address(String)
  /// A time of the episode that is shown, in seconds.
  case time(Double)
}

/// `o`, `y` and clicks: following what the reader names.
extension State {
  /// The reader whose links are meant: that of what plays while its view is open.
  private var reader: DetailPane { listening?.notes ?? screen.detail }

  /// The details that are not on the screen may be another episode's: their links are not to be followed.
  private var isReaderShown: Bool { listening != nil || layout.place(.detail) != nil }

  private mutating func sayWhereLinksAre() -> [Effect] {
    say(.note, "\(keymap.hint(.details)) shows the details, with their links")
    return []
  }

  /// `o`: with a number at once, else from a list in which the number can be typed.
  mutating func openLink(_ argument: String?) -> [Effect] {
    let links = isReaderShown ? reader.links : []
    if let argument {
      guard let number = Int(argument), links.indices.contains(number - 1) else {
        say(.error, links.isEmpty ? "There are no links here" : "Links here are 1 to \(links.count)")
        return []
      }
      return [.terminal(.openLink(links[number - 1]))]
    }
    guard isReaderShown else { return sayWhereLinksAre() }
    let times = reader.times
    guard !links.isEmpty || !times.isEmpty else {
      say(.note, "There are no links here")
      return []
    }
    let named = reader.namedLinks.map {
      LinkPicker.Choice(
        target: .address($0.address), name: $0.name, place: Sanitize.line(ShownAddress($0.address).description))
    }
    let clockWidth = times.map { TimeText.clock($0.second).count }.max() ?? 0
    let timed = times.map { time in
      let clock = TimeText.clock(time.second)
      let blank = String(repeating: " ", count: clockWidth - clock.count)
      return LinkPicker.Choice(target: .time(time.second), name: nil, place: "\(blank)\(clock)  \(time.words)")
    }
    return open(Picker(LinkPicker(), named + timed))
  }

  /// `y`: the link of that number, the only one, or the address of what is shown.
  mutating func copyLink(_ argument: String?) -> [Effect] {
    let links = isReaderShown ? reader.links : []
    if let argument {
      guard let number = Int(argument), links.indices.contains(number - 1) else {
        say(.error, links.isEmpty ? "There are no links here" : "Links here are 1 to \(links.count)")
        return []
      }
      return copy(links[number - 1])
    }
    if let clip = selectedEntry?.clip { return copyLink(of: clip) }
    guard isReaderShown else { return sayWhereLinksAre() }
    guard let address = reader.address ?? links.first else {
      say(.note, "There is no address here to copy")
      return []
    }
    return copy(address)
  }

  /// The part of the media that the clip is.
  private mutating func copyLink(of clip: Clip) -> [Effect] {
    guard case .episode(let detail, _) = reader.content, detail.id == clip.episode else { return sayWhereLinksAre() }
    guard let link = clip.link(of: detail.feed.mediaURL) else {
      say(.note, "This clip's episode has no address to copy")
      return []
    }
    return copy(link)
  }

  mutating func copy(_ text: String) -> [Effect] {
    say(.note, "Copied \(Sanitize.line(text))")
    return [.terminal(.copy(text))]
  }

  mutating func follow(_ target: LinkTarget) -> [Effect] {
    switch target {
    case .address(let address): return [.terminal(.openLink(address))]
    case .time(let second):
      guard case .episode(let id) = reader.subject else { return [] }
      return play(id, from: second)
    }
  }
}
