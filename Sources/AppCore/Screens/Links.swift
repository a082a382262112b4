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
    let targets = links.map { LinkTarget.address($0) } + times.map { LinkTarget.time($0.second) }
    let width = String(targets.count).count
    let names = links.map { ShownAddress($0).description } + times.map { "\(TimeText.clock($0.second))  \($0.words)" }
    let choices = zip(targets, names).enumerated().map { index, choice in
      let number = String(repeating: " ", count: width - String(index + 1).count) + "\(index + 1)"
      return LinkPicker.Choice(target: choice.0, text: "\(number)  \(choice.1)")
    }
    return open(Picker(LinkPicker(), choices))
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
