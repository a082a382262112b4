import Foundation
import Model
import TerminalKit

/// A row of the details: its label, where its value is, and how the value is shown. A value that is absent has no line.
struct Fact<Detail> {
  let label: String
  let lines: (Detail, DetailText) -> [FactLine]

  init(_ label: String, lines: @escaping (Detail, DetailText) -> [FactLine]) {
    self.label = label
    self.lines = lines
  }

  init(_ label: String, text path: KeyPath<Detail, String?>) {
    self.init(label) { detail, _ in [FactLine(detail[keyPath: path])] }
  }

  /// One line for a list of short texts.
  init(_ label: String, texts path: KeyPath<Detail, [String]>) {
    self.init(label) { detail, _ in [FactLine(detail[keyPath: path].joined(separator: ", "))] }
  }

  init(_ label: String, link path: KeyPath<Detail, String?>) {
    self.init(label) { detail, _ in [FactLine(nil, link: detail[keyPath: path])] }
  }

  init<Value>(_ label: String, one path: KeyPath<Detail, Value?>, _ line: @escaping (Value, DetailText) -> FactLine) {
    self.init(label) { detail, layout in detail[keyPath: path].map { [line($0, layout)] } ?? [] }
  }

  /// A line for each value.
  init<Value>(
    _ label: String, each path: KeyPath<Detail, [Value]>, upTo limit: Int = .max,
    _ line: @escaping (Value) -> FactLine
  ) {
    self.init(label) { detail, _ in detail[keyPath: path].prefix(limit).map(line) }
  }
}

extension Fact<EpisodeDetail> {
  static var all: [Self] {
    [
      Self("Page", link: \.feed.link),
      Self("Chapters") { detail, layout in
        let count = detail.feed.chapters.count
        guard count > 0 || detail.feed.chaptersURL != nil else { return [] }
        return [FactLine((count > 0 ? "\(count). " : "") + "\(layout.keymap.press(.chapters)) to list them")]
      },
      Self("Transcript") { detail, layout in
        let press = layout.keymap.press(.transcript)
        guard !detail.feed.transcripts.isEmpty else {
          if let made = detail.madeTranscript {
            return [FactLine("\(press) to read it (\(made.text(day: layout.calendar.day)))")]
          }
          guard layout.canTranscribe, detail.row.hasMedia else { return [] }
          return [FactLine("none. \(layout.keymap.press(.transcribe)) to make one")]
        }
        let languages = Set(detail.feed.transcripts.compactMap(\.language)).sorted().joined(separator: ", ")
        return [
          FactLine("\(press) to read it" + (languages.isEmpty ? "" : " (\(languages))"))
        ]
      },
      Self("Soundbite") { detail, _ in
        detail.feed.soundbites.prefix(10).map { bite in
          FactLine("\(TimeText.clock(bite.startTime)) \(bite.title ?? detail.row.title)", target: .soundbite(bite))
        }
      },
      Self("Comments", each: \.feed.comments, upTo: 3) { FactLine($0.kind, link: $0.url) },
      funding(\.feed.funding),
      Self("File") { detail, _ in
        // Many feeds write 0 or 1 for a size that they do not know.
        guard let bytes = detail.feed.mediaBytes, bytes >= 1000 else { return [] }
        return [FactLine([SizeText.bytes(bytes), detail.feed.mediaType].compactMap { $0 }.joined(separator: ", "))]
      },
      Self("Also as") { detail, _ in
        let others = detail.feed.alternateEnclosures.prefix(6).map { file in
          [file.title, file.type, file.length.map(SizeText.bytes)].compactMap { $0 }.joined(separator: ", ")
        }
        return others.isEmpty ? [] : [FactLine(others.joined(separator: "; ") + ". Type “:show media” to choose")]
      },
      location(\.feed.location),
      chats(\.feed.chats),
      value(\.feed.value),
      license(\.feed.license),
      Self("Tags", texts: \.tags),
      Self("Rules", each: \.acts) { FactLine("\($0.action.done) by rule \($0.rule)") },
    ]
  }
}

extension Fact<PodcastDetail> {
  static var all: [Self] {
    [
      Self("Website", link: \.feed.link),
      funding(\.feed.funding),
      Self("Live") { detail, layout in
        detail.feed.liveItems.prefix(5).flatMap { live in
          let start = live.start.map { " from \(layout.calendar.day($0)) \(layout.calendar.timeOfDay($0))" } ?? ""
          let status = live.isOnAir ? "on air now" : live.isAnnounced ? "announced" : "over"
          return [
            FactLine("\(status)\(start): \(live.episode.title ?? "")", target: .extra(.live(live))),
            FactLine(live.contentLinks.isEmpty ? nil : "on the web", link: live.contentLinks.first, label: ""),
          ]
        }
      },
      Self("Trailer") { detail, _ in
        // The newest first.
        let trailers = detail.feed.trailers.sorted { $0.pubDate ?? .distantPast > $1.pubDate ?? .distantPast }
        return trailers.prefix(5).map { FactLine($0.title ?? "listen", target: .extra(.trailer($0))) }
      },
      Self("Recommends", each: \.feed.podroll, upTo: 20) { remote($0) },
      Self("Lists", each: \.feed.listed, upTo: 50) { remote($0) },
      Self("Publisher", one: \.feed.publisher) { item, _ in remote(item) },
      Self("Categories", texts: \.feed.categories),
      Self("Schedule", text: \.feed.updateFrequency?.text),
      Self("Kind") { detail, _ in
        [FactLine([detail.feed.medium, detail.feed.type].compactMap { $0 }.joined(separator: ", "))]
      },
      location(\.feed.location),
      chats(\.feed.chats),
      value(\.feed.value),
      license(\.feed.license),
      Self("Rights", text: \.feed.copyright),
      Self("Tags", texts: \.row.tags),
      Self("Refreshed", one: \.lastRefreshed) { FactLine($1.calendar.day($0)) },
      Self("Feed") { detail, _ in [FactLine(nil, link: detail.row.feedURL)] },
    ]
  }

  private static func remote(_ item: RemoteItem) -> FactLine {
    FactLine(FoundPodcast(item).title, target: .podcast(item))
  }
}

/// Rows that episodes and podcasts share.
extension Fact {
  private static func funding(_ path: KeyPath<Detail, [Funding]>) -> Self {
    Self("Support", each: path) { FactLine($0.message ?? "the podcast", link: $0.url) }
  }

  private static func location(_ path: KeyPath<Detail, FeedLocation?>) -> Self {
    Self("Place", one: path) { location, _ in FactLine(location.name, link: location.mapURL) }
  }

  private static func chats(_ path: KeyPath<Detail, [ChatRoom]>) -> Self {
    Self("Chat", each: path, upTo: 3) { chat in
      let room = chat.space ?? chat.account
      if let address = chat.address, address.hasPrefix("http") {
        return FactLine("\(chat.kind) \(room ?? chat.server)", link: address)
      }
      // No browser opens rooms of IRC and XMPP.
      return FactLine("\(chat.kind) \(room.map { "\($0), " } ?? "")\(chat.server)")
    }
  }

  /// Who is paid with podcast:value. It is only shown, because Earshot has no wallet.
  private static func value(_ path: KeyPath<Detail, ValueBlock?>) -> Self {
    Self("Value", one: path) { value, _ in
      let names = value.recipients.prefix(10).compactMap(\.name).joined(separator: ", ")
      let recipients = value.recipients.isEmpty ? nil : Counted.text(value.recipients.count, "recipient")
      let parts = [[value.type, recipients].compactMap { $0 }.joined(separator: ", "), names]
      return FactLine(parts.filter { !$0.isEmpty }.joined(separator: ": "))
    }
  }

  private static func license(_ path: KeyPath<Detail, License?>) -> Self {
    Self("Licence", one: path) { license, _ in FactLine(license.name, link: license.address) }
  }
}
