import ArgumentParser
import FeedKit
import Foundation
import HTTP
import Model
import Programs
import Services
import Store

/// `earshot export`: writes the subscriptions as OPML or JSON. Passwords are only written if they are asked for. A key
/// within an address (`?auth=…`) is always written, because without it another program would get another feed.
struct ExportVerb: Verb {
  static let configuration = CommandConfiguration(commandName: "export", abstract: "Write the subscriptions as OPML.")

  @Argument(help: "The file to write, in place of an existing one; standard output if absent or -.")
  var file: String?

  @Flag(help: "Include the passwords of feeds in their addresses.")
  var passwords = false

  @OptionGroup var output: JSONOption

  func perform() throws {
    let library = try VerbContext().library
    let export = SubscriptionExport(library: library, passwords: passwords)
    let entries = try export.entries()
    let data = export.data(entries, date: Date())
    try warnAboutSecrets(entries, library)
    guard let file, file != "-" else {
      guard output.json else { return Report.raw(data) }
      // The addresses are what was asked for, so their keys are not masked.
      return try Report.json(
        entries.map {
          ["feedURL": $0.url, "title": $0.title, "link": $0.htmlURL?.withoutUserInfo, "tags": $0.tags] as JSONObject
        },
        .shown)
    }
    try OutputFile.write(data, to: file)
    if output.json { return try Report.json(["file": file, "podcasts": entries.count] as JSONObject) }
    Report.message("\(Counted.text(entries.count, "podcast")) written to \(HomePath.full(file))")
  }
}

/// The subscriptions as OPML.
struct SubscriptionExport {
  let library: Library
  /// Also writes the passwords of feeds.
  var passwords = false

  func entries() throws(StoreError) -> [OPMLEntry] {
    var entries: [OPMLEntry] = []
    for row in try library.podcasts()
    where !row.feedURL.hasPrefix(Resources.welcomeAddress) && !FolderAddress.isLocal(row.feedURL) {
      let detail = try library.podcastDetail(row.id)
      entries.append(
        OPMLEntry(
          url: try address(of: row), title: row.title, htmlURL: detail?.feed.link, tags: row.tags))
    }
    return entries
  }

  func data(_ entries: [OPMLEntry], date: Date) -> Data {
    OPML.write(title: "Earshot subscriptions", entries: entries, date: date, keepsPasswords: passwords)
  }

  /// The feed's address, with its password only if passwords are written.
  private func address(of row: PodcastRow) throws(StoreError) -> String {
    guard passwords else { return row.feedURL.withoutUserInfo }
    guard let own = try library.credentials(of: row.id), let address = try? WebAddress(row.feedURL),
      own.belong(at: address.origin)
    else { return row.feedURL }
    return address.text(with: own)
  }
}

extension ExportVerb {
  private func warnAboutSecrets(_ entries: [OPMLEntry], _ library: Library) throws {
    if passwords { return Report.message("the export holds passwords: keep it to yourself") }
    let keys = entries.count { Redaction.hasKey($0.url) }
    if keys > 0 {
      Report.message(
        "\(keys) address\(keys == 1 ? "" : "es") in the export hold\(keys == 1 ? "s" : "") a private key: keep it to yourself"
      )
    }
    let protected = try library.credentialCount()
    if protected > 0 {
      Report.message(
        "the passwords of \(Counted.text(protected, "podcast")) are not in it. Use --passwords to write them."
      )
    }
  }
}

/// Reads a file that was given to a command.
enum VerbInput {
  /// The contents of `file`, or of standard input for `-`.
  /// - Parameter limit: in bytes. A larger file is an error.
  static func data(_ file: String, limit: Int) throws -> Data {
    let data: Data
    do {
      let handle = try file == "-" ? .standardInput : FileHandle(forReadingFrom: URL(fileURLWithPath: file))
      data = try handle.read(upToCount: limit + 1) ?? Data()
    } catch {
      throw ExitStatus.usage.error(saying: "\(file) cannot be read: \(FileFailure.text(error))")
    }
    guard data.count <= limit else {
      throw ExitStatus.invalidData.error(saying: "\(file) is larger than \(limit / 1_000_000) MB")
    }
    return data
  }
}
