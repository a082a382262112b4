import Foundation
import Model

/// The listener's editor (`VISUAL`, else `EDITOR`, else `vi`) with a note in a temporary file. It uses the terminal, in
/// the process group of this program, so that `^Z` stops both.
struct NoteEditor {
  /// In bytes. A longer file is no note.
  private static let maxBytes = 1_000_000

  private let process: pid_t
  private let directory: URL
  private var file: URL { directory.appending(path: "note.md") }
  private let before: String
  private let name: String

  /// Starts the editor. Throws if the file cannot be made, or no shell.
  /// - Parameter device: the terminal.
  init(_ text: String, device: String, environment: [String: String]) throws(ReportedError) {
    let editor = ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "vi"
    var template = Array((FileManager.default.temporaryDirectory.path + "/earshot-note-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ReportedError("The note needs a temporary file: \(String(cString: strerror(errno)))")
    }
    directory = URL(filePath: String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    (before, name) = (text, String(editor.prefix { $0 != " " }))
    do {
      // The directory is readable for its owner only.
      try Data((text + (text.isEmpty || text.hasSuffix("\n") ? "" : "\n")).utf8)
        .write(to: directory.appending(path: "note.md"))
      // The variable is the listener's own and may have arguments, as for git(1).
      process = try Self.start(
        ["/bin/sh", "-c", "umask \"$0\" && exec \(editor) \"$1\"", FileMask.listenersMask]
          + [directory.appending(path: "note.md").path], device: device)
    } catch {
      try? FileManager.default.removeItem(at: directory)
      throw ReportedError("The editor could not be started: \(FileFailure.text(error))")
    }
  }

  /// Waits on a thread for the end of the editor.
  func whenEnded(_ answer: @escaping @Sendable (Result<String, ReportedError>) -> Void) {
    DispatchQueue.global().async {
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      answer(result(status))
    }
  }

  func terminate() { kill(process, SIGTERM) }

  private func result(_ status: Int32) -> Result<String, ReportedError> {
    let data = try? Data(contentsOf: file)
    let text = data.flatMap { $0.count <= Self.maxBytes ? String(data: $0, encoding: .utf8) : nil }
    let isFinished = status & 0x7F == 0
    if isFinished, status >> 8 & 0xFF == 0, let text {
      try? FileManager.default.removeItem(at: directory)
      return .success(text)
    }
    let cause =
      !isFinished
      ? "was ended by signal \(status & 0x7F)"
      : status == 0 ? "left no text" : "ended with status \(status >> 8 & 0xFF)"
    let isChanged = text.map { $0.trimmingCharacters(in: .newlines) != before } ?? (data != nil)
    if !isChanged { try? FileManager.default.removeItem(at: directory) }
    return .failure(
      ReportedError(
        isChanged
          ? "What you wrote is in \(file.path), because “\(name)” \(cause)"
          : "“\(name)” \(cause): the note is unchanged"))
  }

  /// Starts a program on the terminal, with the signals as in a shell.
  private static func start(_ words: [String], device: String) throws -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // Our own standard output and error lead to the log.
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, device, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for signal in [SIGPIPE, SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGHUP, SIGTERM] {
      sigaddset(&defaults, signal)
    }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, words[0], &actions, &attributes, &arguments, environ)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
    return process
  }
}
