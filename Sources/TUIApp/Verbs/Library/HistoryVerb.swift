import ArgumentParser
import Foundation
import Model
import Store
import TerminalKit

/// `earshot history`: what was heard, or all events.
struct HistoryVerb: LibraryVerb {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List what you have listened to, newest first.")

  @Option(help: "The maximum number of results.") var limit = 50
  @Flag(help: "List every event: start, part played, pause, delete, download, new, played.") var events = false
  @Option(help: "With --events: only those of this episode.") var episode: String?
  @OptionGroup var output: JSONOption

  func validate() throws {
    try checkLimit(limit)
    guard episode == nil || events else { throw ValidationError("--episode goes with --events.") }
  }

  func perform(_ context: VerbContext) throws {
    if events { try showEvents(context) } else { try showEpisodes(context.library) }
  }

  private func showEpisodes(_ library: Library) throws {
    let heard = try library.history(limit: limit)
    if output.json {
      return try Report.json(
        try heard.compactMap { entry in
          try library.episode(entry.row.id).map {
            // Seconds that were played, with repetitions.
            ["episode": EpisodeJSON($0), "heardAt": entry.heardAt, "listened": entry.heard] as JSONObject
          }
        })
    }
    for entry in heard {
      Report.line("\(MinuteText.text(entry.heardAt).leftPadded(17))  \(EpisodeLine.text(entry.row))")
    }
    if heard.isEmpty { Report.message("nothing was heard yet") }
  }

  private func showEvents(_ context: VerbContext) throws {
    let of = try episode.map { try context.episode($0).id }
    let stored = try context.library.events(limit: limit, of: of)
    let rows = Dictionary(
      try context.library.episodeRows(Array(Set(stored.map(\.event.episode)))).map { ($0.id, $0) },
      uniquingKeysWith: { first, _ in first })
    var devices: [String: String] = [:]
    for id in Set(stored.map(\.deviceID)) { devices[id] = try context.library.deviceName(id) }
    let events = stored.map { ($0, rows[$0.event.episode], devices[$0.deviceID] ?? $0.deviceID) }
    if output.json { return try Report.json(events.map { Self.json($0, $1, device: $2) }) }
    for (stored, row, device) in events {
      var text = "\(MinuteText.text(stored.event.timestamp).leftPadded(17))  \(stored.event.kind.name.rightPadded(8))"
      if case .play(let from, let to, _) = stored.event.kind {
        text += "  \(TimeText.clock(from))–\(TimeText.clock(to))"
      }
      let elsewhere = stored.deviceID == context.library.deviceID ? "" : "  (on \(device))"
      Report.line("\(text)  \(row?.podcastTitle ?? ""): \(row?.title ?? "")\(elsewhere)")
    }
    if events.isEmpty { Report.message("nothing has happened yet") }
  }

  /// - Parameter device: its name.
  private static func json(_ stored: StoredEvent, _ row: EpisodeRow?, device: String) -> JSONObject {
    let event = stored.event
    var played: (from: Double, to: Double, total: Double?)?
    if case .play(let from, let to, let total) = event.kind { played = (from, to, total) }
    let (podcast, title) = (row?.podcastTitle ?? "", row?.title ?? "")
    return [
      "id": stored.id, "episode": event.episode, "podcast": podcast, "title": title, "kind": event.kind.name,
      "from": played?.from, "to": played?.to, "total": played?.total, "timestamp": event.timestamp,
      "deviceID": stored.deviceID, "device": device,
    ]
  }
}
