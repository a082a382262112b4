import Foundation
import Testing

@testable import TUIApp

/// A process started by a test, with files as its standard streams.
///
/// Foundation's `Process` cannot be used. On Linux it detects the end by a socket that the child inherits, and a daemon
/// that the child starts, such as tmux's server, keeps that socket open.
struct ChildProcess: Sendable {
  let id: pid_t

  /// Starts the process. The files `output` and `errors` are made, or emptied.
  init(
    _ executable: String, _ arguments: [String], environment: [String: String], input: String, output: String,
    errors: String
  ) throws {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
    #if canImport(Glibc)
      // libcurl's sockets and Foundation's pipes would be inherited, and stay open while the child runs. 64 more, for
      // descriptors that other threads open meanwhile. On macOS the flag below does this.
      let open = try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").compactMap { Int32($0) }
      for descriptor in 3...(open.max() ?? 3) + 64 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    #endif
    for (descriptor, file) in [(STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
      posix_spawn_file_actions_addopen(&actions, descriptor, file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }
    #if canImport(Darwin)
      var attributes: posix_spawnattr_t?
    #else
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    #if canImport(Darwin)
      flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
    #endif
    posix_spawnattr_setflags(&attributes, Int16(flags))
    // Without this, the child would inherit the ignored and blocked signals of this process and thread.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)

    var words: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var id: pid_t = 0
    let failure = posix_spawn(&id, executable, &actions, &attributes, &words, &variables)
    try #require(failure == 0, "\(executable): \(String(cString: strerror(failure)))")
    self.id = id
  }

  /// Waits until the process has ended. Returns the exit status, or the negative number of the signal that ended it. It
  /// blocks no thread. It kills the process if the test is cancelled, or after five minutes.
  func status() async throws -> Int32 {
    var status: Int32 = 0
    do {
      let ended = try await Eventually.until(every: 2) { waitpid(id, &status, WNOHANG) == id }
      try #require(ended, "process \(id) did not end")
    } catch {
      kill(id, SIGKILL)
      waitpid(id, &status, 0)
      throw error
    }
    // wait(2): the low seven bits are the signal.
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : -signal
  }
}
