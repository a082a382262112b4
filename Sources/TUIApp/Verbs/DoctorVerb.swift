import ArgumentParser
import CoverArt
import Desktop
import Downloads
import FeedKit
import Foundation
import HTTP
import Model
import Playback
import Services
import Store
import TerminalKit

/// `earshot doctor`: checks the installation, for listeners and for bug reports. Exits with the status of the first
/// failure.
struct DoctorVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check versions, directories, the library, audio and the terminal.")

  @OptionGroup var output: JSONOption

  /// The result of one check.
  struct Check: Encodable {
    enum Verdict: String, Encodable { case ok, warning, broken }
    var name: String
    var verdict: Verdict
    var detail: String
    var status = ExitStatus.done

    private enum CodingKeys: CodingKey { case name, verdict, detail }
  }

  func perform() throws {
    let configuration = Configuration.load(Directories())
    var checks = versions()
    checks.append(configurationCheck(configuration))
    checks += directories(configuration.directories)
    checks += [privacy(configuration.directories), themes(configuration), library(configuration.directories)]
    checks += downloads(configuration.directories)
    checks += audio(configuration)
    checks += libraries()
    checks.append(terminal(configuration))
    if let sites = sites(configuration) { checks.append(sites) }
    if let transcripts = transcripts(configuration) { checks.append(transcripts) }
    if output.json {
      try Report.json(checks)
    } else {
      for check in checks {
        let mark = check.verdict == .ok ? "ok     " : check.verdict == .warning ? "warning" : "BROKEN "
        for (index, line) in check.detail.split(separator: "\n").enumerated() {
          let name = index == 0 ? check.name : ""
          Report.line("\(mark)  \(name.padding(toLength: 14, withPad: " ", startingAt: 0))\(line)")
        }
      }
    }
    guard let broken = checks.first(where: { $0.verdict == .broken }) else { return }
    // A terminal shows it already.
    if isatty(STDOUT_FILENO) == 0 {
      for line in broken.detail.split(separator: "\n") { Report.message("\(broken.name): \(line)") }
    }
    throw broken.status.error
  }

  // MARK: Checks

  private func versions() -> [Check] {
    [
      Check(name: "earshot", verdict: .ok, detail: Version.full),
      Check(name: "libcurl", verdict: .ok, detail: CurlVersion.text),
      Check(name: "libxml2", verdict: .ok, detail: XMLVersion.text),
      Check(name: "SQLite", verdict: .ok, detail: Library.sqliteVersion()),
      Check(name: "ncurses", verdict: .ok, detail: TerminalProbe.version),
    ]
  }

  /// The libraries that are opened when they are needed: what was found, what is wanted, and what is lost without it.
  private func libraries() -> [Check] {
    (CoverLibraries.check() + DesktopLibraries.check() + [CharsetLibrary.check()]).map { library in
      let found = library.found ?? "not found"
      return Check(
        name: library.name, verdict: library.found == nil ? .warning : .ok,
        detail: "\(found); wanted: \(library.wanted); without it: \(library.loss)")
    }
  }

  private func configurationCheck(_ configuration: Configuration) -> Check {
    let file = configuration.directories.configFile
    if !configuration.problems.isEmpty {
      let text = configuration.problems.map(\.description).joined(separator: "\n")
      return Check(name: "configuration", verdict: .broken, detail: text, status: .badConfiguration)
    }
    let exists = FileManager.default.fileExists(atPath: file)
    return Check(name: "configuration", verdict: .ok, detail: exists ? file : "\(file) (none; defaults)")
  }

  private func directories(_ directories: Directories) -> [Check] {
    // Without the data directory nothing is stored. The others are less important.
    let uses: [(String, String, String?)] = [
      ("data", directories.data, nil), ("state", directories.state, "there is no log, and earshot ctl finds no player"),
      ("cache", directories.cache, "pictures and streams are fetched again each time"),
    ]
    return uses.map { name, path, loss in
      var probe = path
      while probe.count > 1, !FileManager.default.fileExists(atPath: probe) {
        probe = (probe as NSString).deletingLastPathComponent
      }
      if access(probe, W_OK | X_OK) == 0 { return Check(name: name, verdict: .ok, detail: path) }
      let reason = String(cString: strerror(errno))
      if let loss { return Check(name: name, verdict: .warning, detail: "\(path): \(reason); \(loss)") }
      return Check(name: name, verdict: .broken, detail: "\(path): \(reason)", status: .cannotCreate)
    }
  }

  /// Checks whether other users of the machine can read our files.
  private func privacy(_ directories: Directories) -> Check {
    var exposed: [String] = []
    for directory in directories.ownerOnly {
      for path in OwnerOnly.ownPaths(in: directory) {
        // Files in a directory that others cannot enter are safe. The library must be private by itself as well.
        let isInside = path != directory && OwnerOnly.exposedMode(of: directory) == nil
        if isInside, !path.hasPrefix(directories.database) { continue }
        if let mode = OwnerOnly.exposedMode(of: path) { exposed.append("\(path) (\(String(mode & 0o777, radix: 8)))") }
      }
    }
    guard !exposed.isEmpty else {
      return Check(name: "privacy", verdict: .ok, detail: "files are readable by you alone")
    }
    let more = exposed.count > 5 ? ["and \(exposed.count - 5) more"] : []
    let text = "others can use \((exposed.prefix(5) + more).joined(separator: ", ")); the next start corrects it"
    return Check(name: "privacy", verdict: .warning, detail: text)
  }

  private func themes(_ configuration: Configuration) -> Check {
    let files = ThemeFiles(directories: [configuration.directories.themes] + Resources().themes)
    var problems: [String] = []
    for name in files.names {
      do throws(ConfigurationProblem) { _ = try files.load(name) } catch { problems.append(error.description) }
    }
    if let theme = configuration.theme, !files.names.contains(theme) {
      problems.append("\(configuration.directories.configFile): there is no theme named “\(theme)”")
    }
    if !problems.isEmpty {
      return Check(
        name: "themes", verdict: .broken, detail: problems.joined(separator: "\n"), status: .badConfiguration)
    }
    if files.names.isEmpty {
      return Check(name: "themes", verdict: .warning, detail: "none were found; the terminal's own colours are used")
    }
    return Check(name: "themes", verdict: .ok, detail: files.names.joined(separator: ", "))
  }

  private func library(_ directories: Directories) -> Check {
    let path = directories.database
    guard FileManager.default.fileExists(atPath: path) else {
      return Check(name: "library", verdict: .ok, detail: "\(path) (none yet)")
    }
    do throws(StoreError) {
      // `open` would set a damaged library aside. Read-only, because `doctor` changes nothing.
      let library = try Library(path: path, isReadOnly: true)
      let problems = try library.integrityCheck()
      if !problems.isEmpty {
        let text = "\(path) is damaged: \(problems.prefix(5).joined(separator: "; "))"
        return Check(name: "library", verdict: .broken, detail: text, status: .invalidData)
      }
      let podcasts = try library.podcasts()
      let episodes = podcasts.reduce(0) { $0 + $1.episodes }
      // The latest changes are in the write-ahead log until SQLite moves them to the library.
      let size = [path, path + "-wal"].reduce(0) {
        $0 + ((try? FileManager.default.attributesOfItem(atPath: $1)[.size] as? Int) ?? 0)
      }
      let text =
        "\(path): whole; \(Counted.text(podcasts.count, "podcast")), \(Counted.text(episodes, "episode")), \(size / 1024) kB"
      return Check(name: "library", verdict: .ok, detail: text)
    } catch {
      if case .older = error {
        return Check(name: "library", verdict: .ok, detail: "\(path): of an older version; the next start updates it")
      }
      return Check(name: "library", verdict: .broken, detail: error.description, status: Report.status(of: error))
    }
  }

  /// Checks for files in the directory of downloads that no episode has: they take space, and nothing deletes them. And
  /// for files of episodes that are not there, or were changed.
  private func downloads(_ directories: Directories) -> [Check] {
    // The check of the library says what is wrong with it.
    guard FileManager.default.fileExists(atPath: directories.database),
      let library = try? Library(path: directories.database, isReadOnly: true),
      case let files = DownloadFiles(directory: directories.downloads, library: library),
      let strays = try? files.strays(), let downloads = try? library.downloadedFiles()
    else { return [] }
    func list(_ items: [String]) -> String {
      let more = items.count > 5 ? ["and \(items.count - 5) more"] : []
      return (items.prefix(5).map { Sanitize.line($0) } + more).joined(separator: ", ")
    }
    var problems: [String] = []
    if !strays.isEmpty {
      problems.append(
        "no episode has \(Counted.text(strays.count, "file")) in \(directories.downloads): \(list(strays))"
          + "\nDelete what you do not need.")
    }
    let damaged = downloads.compactMap { file in
      files.state(of: file.fileName, bytes: file.bytes).problem.map { (file.episode, "\(file.fileName) \($0)") }
    }
    if !damaged.isEmpty {
      let numbers = damaged.prefix(5).map { $0.0.description }.joined(separator: " ")
      problems.append(
        "\(list(damaged.map(\.1)))\nRun “earshot download \(numbers)” to download again what is in the feed.")
    }
    guard !problems.isEmpty else { return [Check(name: "downloads", verdict: .ok, detail: directories.downloads)] }
    return [Check(name: "downloads", verdict: .warning, detail: problems.joined(separator: "\n"))]
  }

  private func audio(_ configuration: Configuration) -> [Check] {
    var options = PlayerOptions.standard
    if let device = configuration.audioDevice { options.device = device }
    do {
      // Audio libraries print errors to stderr.
      let diversion = try OutputDiversion(to: nil)
      defer { diversion.end() }
      let probe = try MpvProbe(options: options)
      let version = "\(probe.mpv), interface \(probe.interface), FFmpeg \(probe.ffmpeg)"
      let sound =
        switch probe.output {
        case .opened(let driver): Check(name: "sound", verdict: .ok, detail: "\(driver); devices: \(probe.devices)")
        case .failed(let why): Check(name: "sound", verdict: .warning, detail: why)
        }
      return [Check(name: "libmpv", verdict: .ok, detail: version), sound]
    } catch {
      return [Check(name: "libmpv", verdict: .broken, detail: "\(error)", status: .unavailable)]
    }
  }

  /// Which yt-dlp finds the sound of videos. Sites change all the time, so an old one reads few of them. Nil if the
  /// listener has named none.
  private func sites(_ configuration: Configuration) -> Check? {
    guard let program = configuration.sites?.program else { return nil }
    do throws(PageFailure) {
      let version = try program.version()
      let text = "\(program.settings.program), version \(version)"
      // Its versions are dates.
      guard let date = try? Date(version.prefix(10).replacing(".", with: "-") + "T00:00:00Z", strategy: .iso8601),
        Date().timeIntervalSince(date) > 180 * 86_400
      else { return Check(name: "yt-dlp", verdict: .ok, detail: text) }
      return Check(name: "yt-dlp", verdict: .warning, detail: text + ": older than half a year, so sites may refuse it")
    } catch {
      return Check(name: "yt-dlp", verdict: .warning, detail: error.reason)
    }
  }

  private func terminal(_ configuration: Configuration) -> Check {
    let type = ProcessEnvironment.variables["TERM"] ?? ""
    guard isatty(STDIN_FILENO) == 1 || isatty(STDOUT_FILENO) == 1 else {
      return Check(name: "terminal", verdict: .ok, detail: "none here (TERM=\(type))")
    }
    if let problem = TerminalProbe.problem(of: type) {
      return Check(name: "terminal", verdict: .broken, detail: problem, status: .unavailable)
    }
    let charset = TerminalProbe.isUTF8 ? "UTF-8" : "not UTF-8: start with LC_ALL=C.UTF-8"
    // The fonts of the kernel's console have at most 512 characters.
    let marks = type == "linux" && !configuration.preferences.ascii ? ", marks may be missing: set ascii = true" : ""
    return Check(
      name: "terminal", verdict: TerminalProbe.isUTF8 ? .ok : .warning,
      detail: "\(type), \(TerminalProbe.colors) colours, \(charset)\(marks), pictures \(pictures(type, configuration))")
  }

  /// How covers are drawn in this terminal.
  private func pictures(_ type: String, _ configuration: Configuration) -> String {
    guard configuration.preferences.coverArt else { return "off" }
    let environment = ProcessEnvironment.variables
    let known = TerminalGraphics(configuration.graphics, type: type, environment: environment).known
    return switch known {
    case .kitty, .sixel, .iterm2: "in pixels (\(known.rawValue))"
    case .cells: "with characters"
    case .automatic: "with characters, or in sixels where it says that it shows them"
    }
  }
}
