import Foundation
import LoopbackSocket
import Synchronization

/// The process of a program, with pipes to its three streams, and a guard that kills its process group when Earshot is
/// gone.
///
/// A shell starts it: it waits until its priority is set, starts the guard, and replaces itself with the program. The
/// guard is a process of the same group that reads from a pipe. The system closes the other end when Earshot ends in
/// whatever way, and then the guard kills the group. PR_SET_PDEATHSIG (prctl(2)) would only reach the program, not its
/// children, and would fire at the end of the thread that started it.
///
/// Used on one thread.
final class ProgramProcess {
  /// The guard is started by a child that ends at once. So it is no child of the program, which may wait for all of
  /// its children. $0 is the working directory, and the rest the program with its arguments.
  private static let script = """
    read -r go <&3 && cd "$0" || exit 125
    ( { trap "" HUP INT TERM; read -r end <&3; kill -KILL 0; } </dev/null >/dev/null 2>&1 & )
    exec "$@" 3<&-
    """

  /// Also the id of its process group.
  let id: pid_t
  private(set) var input: Int32
  private let output: Int32
  private let errors: Int32
  /// The end that is closed when Earshot ends.
  private let life: Int32

  init(_ program: ListenerProgram) throws(ListenerProgram.Failure) {
    var ends: [Int32] = []
    func fail(_ code: Int32) -> ListenerProgram.Failure {
      for end in ends { close(end) }
      let name = program.words.first ?? ""
      return ListenerProgram.Failure(description: "\(name) does not start: \(String(cString: strerror(code)))")
    }
    for _ in 0..<4 {
      guard let pipe = Self.pipe() else { throw fail(errno) }
      ends += pipe
    }
    // Standard input, output and error, and what the guard reads.
    let theirs = [ends[0], ends[3], ends[5], ends[6]]
    let ours = [ends[1], ends[2], ends[4], ends[7]]
    var id: pid_t = 0
    let code = Self.spawn(program, theirs, &id)
    guard code == 0 else { throw fail(code) }
    for end in theirs { close(end) }
    for end in ours.prefix(3) { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    self.id = id
    (input, output, errors, life) = (ours[0], ours[1], ours[2], ours[3])
    if program.isIdle { Self.makeIdle(id) }
    _ = write(ours[3], "go\n", 3)
  }

  deinit {
    for end in [input, output, errors, life] where end >= 0 { close(end) }
  }

  func descriptor(of stream: ListenerProgram.Stream) -> Int32 { stream == .output ? output : errors }

  func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Sends the signal to the whole process group. Must not be called after `reap`, because the id may then belong to
  /// others.
  func signal(_ number: Int32) { kill(-id, number) }

  /// Waits on a thread of its own for the end of the program, which stays a zombie, so that its id is kept.
  func end(waking wake: WakePipe) -> End {
    let end = End()
    Thread.detachNewThread { [id] in
      var info = siginfo_t()
      while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
      end.finish()
      wake.wake()
    }
    return end
  }

  /// Whether a program has ended.
  final class End: Sendable {
    private let flag = Atomic(false)
    var isOver: Bool { flag.load(ordering: .acquiring) }
    fileprivate func finish() { flag.store(true, ordering: .releasing) }
  }

  func reap() -> (ListenerProgram.Ending, peakBytes: Int) {
    var status: Int32 = 0
    var usage = rusage()
    while wait4(id, &status, 0, &usage) < 0, errno == EINTR {}
    // wait(2): the low seven bits are the signal.
    let signal = status & 0x7F
    #if canImport(Darwin)
      let unit = 1
    #else
      let unit = 1024
    #endif
    return (signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal), usage.ru_maxrss * unit)
  }

  // MARK: The start

  /// A pipe that other programs do not inherit. Nil if it fails, with the reason in `errno`.
  private static func pipe() -> [Int32]? {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }

  /// - Returns: 0, or the number of an error.
  private static func spawn(_ program: ListenerProgram, _ streams: [Int32], _ id: inout pid_t) -> Int32 {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The standard streams are open, so no pipe has one of their numbers.
    for (number, end) in streams.enumerated() { posix_spawn_file_actions_adddup2(&actions, end, Int32(number)) }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETPGROUP)
    #if canImport(Darwin)
      flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
      // Sockets of libcurl and pipes of Foundation. 64 more, for descriptors that other threads open meanwhile.
      let open = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []
      let last = open.compactMap { Int32($0) }.max() ?? 64
      for descriptor in Int32(streams.count)...last + 64 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    #endif
    posix_spawnattr_setflags(&attributes, Int16(flags))
    posix_spawnattr_setpgroup(&attributes, 0)
    // Otherwise it would inherit the signals that Earshot ignores, such as SIGPIPE.
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)

    let words = ["sh", "-c", script, program.directory ?? "."] + program.words
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = program.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    return posix_spawn(&id, "/bin/sh", &actions, &attributes, &arguments, &variables)
  }

  /// The children of the process inherit it.
  private static func makeIdle(_ id: pid_t) {
    #if os(Linux)
      setpriority(Int32(PRIO_PROCESS.rawValue), id_t(id), 19)
      var parameter = sched_param()
      parameter.sched_priority = 0
      // SCHED_IDLE of <sched.h>, which Swift does not import.
      sched_setscheduler(id, 5, &parameter)
    #else
      setpriority(PRIO_PROCESS, id_t(id), 19)
    #endif
  }
}
