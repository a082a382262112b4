import ArgumentParser
import Foundation
import Model
import Playback
import Services
import Store
import TerminalKit

extension ClipVerb {
  /// `earshot clip export`: writes a clip as an audio file, or as text with a link.
  struct Export: LibraryVerb {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Write a clip as an audio file, or as text with a link.",
      discussion: """
        The ending of the file name determines the format: .mp3 .m4a .opus .ogg .flac .wav. If the episode is not \
        downloaded, only the part with the clip is fetched, if the file allows that.
        """)
    @Argument(help: "The clip's number.") var clip: String
    @Argument(help: "The file to write; with --text standard output if absent or -.", completion: .file())
    var file: String?
    @Flag(help: "Write title, source and a link that plays the clip (url#t=start,end).") var text = false
    @Flag(help: "Replace an existing file.") var force = false
    @OptionGroup var output: JSONOption

    func validate() throws {
      guard text || file != nil else { throw ValidationError("Name a file such as clip.mp3, or say --text.") }
    }

    func perform(_ context: VerbContext) throws {
      let clip = try context.clip(clip)
      guard let detail = try context.library.episode(clip.episode) else {
        throw StoreError.unknown("episode \(clip.episode)")
      }
      if text { try exportText(clip, detail) } else if let file { try exportAudio(clip, detail, to: file, context) }
    }

    private func exportText(_ clip: Clip, _ detail: EpisodeDetail) throws {
      if output.json, file == nil || file == "-" { return try Report.json(ClipJSON(clip, of: detail)) }
      let lines = clip.sharedLines(of: detail)
      guard let file, file != "-" else { return lines.forEach(Report.line) }
      try OutputFile.refuseExisting(file, unless: force)
      try OutputFile.write(Data((lines.map { Sanitize.line($0) }.joined(separator: "\n") + "\n").utf8), to: file)
      Report.message("written to \(file)")
    }

    private func exportAudio(_ clip: Clip, _ detail: EpisodeDetail, to file: String, _ context: VerbContext) throws {
      try OutputFile.refuseExisting(file, unless: force)
      guard clip.endTime != nil else {
        throw StoreError.invalid("A bookmark has no end. Run “earshot clip edit \(clip.id) --end TIME” to give it one.")
      }
      let address = try context.requiredMediaAddress(of: detail)
      let streams = StreamService(context.configuration, keepsCopies: false)
      streams.authorize(address, of: detail.row.podcast, in: context.library)
      let export = ClipExport(clip, of: detail, at: address, through: streams, to: file)
      let duration = try export.run()
      if output.json {
        return try Report.json(["clip": ClipJSON(clip, of: detail), "file": file, "duration": duration] as JSONObject)
      }
      Report.line("\(file): \(clip.times()) of \(detail.row.title)")
    }
  }
}

extension ClipExport {
  /// - Parameters:
  ///   - clip: not a bookmark.
  ///   - address: the address of the episode for libmpv.
  init(_ clip: Clip, of detail: EpisodeDetail, at address: String, through streams: StreamService, to file: String) {
    var options = PlayerOptions()
    options.userAgent = Version.userAgent
    options.streams = streams
    self.init(
      address: address, start: clip.startTime, end: clip.endTime ?? clip.startTime, target: file,
      title: clip.title ?? detail.row.title,
      mediaBytes: detail.feed.mediaBytes, duration: detail.row.duration, options: options)
  }
}

extension VerbContext {
  /// The address for libmpv: the downloaded file, a file of the welcome podcast, or the enclosure.
  func mediaAddress(of detail: EpisodeDetail) -> String? {
    if let file = downloadFiles.file(of: detail) { return file }
    let chosen = (try? library.withPreferredMedia(detail)) ?? detail
    return chosen.feed.mediaURL.map { resources.file(of: $0) ?? $0 }
  }

  /// As `mediaAddress`. Throws if there is none.
  func requiredMediaAddress(of detail: EpisodeDetail) throws(StoreError) -> String {
    guard let address = mediaAddress(of: detail) else {
      throw .invalid("The feed has no audio file for “\(detail.row.title)”.")
    }
    return address
  }
}
