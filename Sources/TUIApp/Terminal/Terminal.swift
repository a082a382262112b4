import CNcurses
import Foundation
import TerminalKit

/// The screen, from the moment the player takes it until it gives it back. Used by one thread, the one that polls.
///
/// Install `Signals` first. `restore` must run on every way out; a crash is `CrashGuard`'s.
final class Terminal {
  struct Options {
    var device = "/dev/tty"
    /// Clicks and the wheel; the terminal's own selection then needs Shift.
    var mouse = true
    var graphics = GraphicsChoice.automatic
    /// Whether stdout and stderr go elsewhere while the screen is up: to `log`, or nowhere without one.
    var divertsOutput = true
    var log: String?
  }

  private let device: TerminalDevice
  private let output: OutputDiversion?
  private let screen: OpaquePointer
  /// The terminal type in use: TERM, or the relative that stands in for it.
  let type: String
  private let options: Options
  private let hasModes: Bool
  private var painter: TerminalPainter
  private var hyperlinks: TerminalHyperlinks
  private var pictures = TerminalPictures()
  private let graphics: TerminalGraphics
  /// The pixels of a cell, as of the last `resize`.
  private var cell: Size?
  private var awaitsAttributes = false
  private var decoder = InputDecoder()
  private var flood: TerminalFlood
  /// ncurses has nothing in its own buffer, which would be read out of turn.
  private var isDrained = true
  private var hasTitle = false
  private var isUp = false
  private var isRestored = false

  init(
    _ options: Options = Options(), environment: [String: String] = ProcessEnvironment.variables
  ) throws(TerminalError) {
    Self.useUTF8()
    device = try TerminalDevice(path: options.device)
    flood = TerminalFlood(descriptor: device.fileDescriptor)
    // LINES and COLUMNS may be stale copies from a script; the device knows. ncurses must not ask one that lies, or it
    // begins with 65,535 lines: then it takes what the description says, and `resize` asks, within bounds. Not always, as
    // some descriptions (linux, dumb) say nothing.
    use_env(false)
    use_tioctl(!device.claimsTooMuch)
    (screen, type) = try device.start(type: environment["TERM"] ?? "", environment: environment)
    do {
      guard cn_has_string("cup") else { throw TerminalError.incapable(type) }
      output = options.divertsOutput ? try OutputDiversion(to: options.log) : nil
    } catch {
      endwin()
      Self.close(screen, device)
      throw error as? TerminalError ?? .system("\(error)")
    }
    self.options = options
    hasModes = TerminalMode.understands(type: type)
    graphics = TerminalGraphics(options.graphics, type: type, environment: environment)
    // The default is a second before a lone Esc counts.
    set_escdelay(25)
    cn_prepare()
    for (sequence, number) in KeySequences.definitions { define_key(sequence, Int32(number)) }
    painter = TerminalPainter(environment: environment)
    hyperlinks = TerminalHyperlinks(type: type, environment: environment, depth: painter.depth)
    enter()
    resize()
    if hasModes, graphics.known == .unknown {
      device.send(TerminalMode.askAttributes)
      awaitsAttributes = true
    }
    let place = options.log.map { " Its log: \($0)" } ?? ""
    CrashGuard.arm(
      terminal: device.fileDescriptor, leaving: hasModes ? TerminalMode.crash : Self.plainCrash,
      modes: device.savedModes,
      messages: output?.messages ?? STDERR_FILENO, quit: "earshot crashed.\(place)\n")
  }

  deinit { restore() }

  /// For `Poller`.
  var fileDescriptor: Int32 { device.fileDescriptor }

  var colorDepth: ColorDepth { painter.depth }

  /// What the terminal shows of pictures beside characters, as far as it is known: it may still have to answer.
  var graphicsTarget: GraphicsTarget? { graphics.target(attributes: decoder.deviceAttributes, cell: cell) }

  /// As of the last `resize`.
  private(set) var size = Size(80, 24)

  /// Shows a frame, writing only what differs from the one before.
  func present(_ frame: Frame) {
    guard isUp else { return }
    let leave = pictures.leave(for: frame)
    if painter.stage(frame) || !leave.isEmpty {
      let cleared = painter.isCleared ? pictures.leaveAll() : ""
      for row in leave.rows { cn_redraw_rows(Int32(clamping: row), 1) }
      cn_stage()
      if hasModes { device.send(TerminalMode.frameBegin + leave.text) }
      let drawn = device.collect { doupdate() }
      pictures.write(over: painter.changed)
      let links = hyperlinks.text(for: frame, changed: Set(painter.changed.keys))
      device.send(drawn + (hasModes ? Array((links + TerminalMode.frameEnd + cleared).utf8) : []))
    }
    showPictures(of: frame)
  }

  /// Last, and not while keys are waiting: a picture may take longer than a frame to be drawn. Their frame will have it.
  private func showPictures(of frame: Frame) {
    guard !frame.pictures.isEmpty, (try? Poller.poll([device.fileDescriptor], timeoutMilliseconds: 0)) == [[]] else {
      return
    }
    let bytes = pictures.bytes(for: frame)
    if !bytes.isEmpty { device.send(bytes) }
  }

  /// What has arrived, without waiting; of very much the first batch. `resize` events do not come from here but from
  /// SIGWINCH.
  func readEvents() -> [InputEvent] {
    guard isUp else { return [] }
    defer { meetGraphics() }
    let now = DispatchTime.now().uptimeNanoseconds / 1_000_000
    return InputEvent.joined(
      decoder.events(milliseconds: now) { [self] in nextCode() })
  }

  private func nextCode() -> InputDecoder.Code? {
    if isDrained, let code = flood.next() { return code }
    var code: UInt32 = 0
    let kind = cn_read(&code)
    isDrained = kind == CN_NONE
    switch kind {
    case CN_CHARACTER: return .character(code)
    case CN_FUNCTION_KEY: return .function(code)
    default: return nil
    }
  }

  /// Whether `readEvents` has left something that `poll` may not see.
  var hasUnread: Bool { decoder.isFull }

  /// Whether more has arrived already.
  var hasInput: Bool { hasUnread || (try? Poller.poll([device.fileDescriptor], timeoutMilliseconds: 0)) == [.readable] }

  /// Takes over the window's size after SIGWINCH and makes the next frame be written in full.
  @discardableResult
  func resize() -> Size {
    guard !isRestored else { return size }
    if let window = device.window { (size, cell) = window }
    resizeterm(Int32(clamping: size.height), Int32(clamping: size.width))
    painter.invalidate()
    meetGraphics()
    return size
  }

  /// Stops the program as ^Z does elsewhere, and returns when it runs again, the screen taken back. The whole process
  /// group stops, so that `make run` and its shell do too.
  func suspend() {
    leave()
    var (standard, previous) = (sigaction(), sigaction())
    standard.setHandler(SIG_DFL)
    sigaction(SIGTSTP, &standard, &previous)
    kill(0, SIGTSTP)
    sigaction(SIGTSTP, &previous, nil)
    resumeAfterSuspend()
  }

  /// Takes the screen back after somebody else had it: after `leave`, and upon SIGCONT, since a stop that cannot be
  /// caught (SIGSTOP) has left the terminal in the shell's modes.
  func resumeAfterSuspend() {
    guard !isRestored else { return }
    enter()
    resize()
  }

  /// Gives the screen away for a while, to a program that needs it.
  func leave() {
    guard isUp else { return }
    isUp = false
    device.send(pictures.leaveAll())
    if hasModes { device.send((options.mouse ? TerminalMode.mouseOff : "") + TerminalMode.pasteOff) }
    curs_set(1)
    if !cn_has_string("smcup") {
      // No alternate screen to leave: do not leave ours behind.
      cn_erase()
      cn_stage()
      doupdate()
    }
    endwin()
    device.restoreModes()
  }

  /// The window's title, without what could control the terminal. Types that have none are left alone.
  func setTitle(_ title: String) {
    guard isUp, hasModes else { return }
    if !hasTitle { device.send(TerminalMode.titlePush) }
    hasTitle = true
    device.send(TerminalMode.title(Clusters.fit(title, columns: 200, ellipsis: "…").clusters.map(\.text).joined()))
  }

  /// Puts text into the clipboard of whoever sits before the terminal, also over ssh (xterm's OSC 52). Terminals that
  /// have none, or are told not to, ignore it. It will be pasted somewhere, perhaps into a shell: nothing in it controls a
  /// terminal, is invisible or turns the text round, and it is one line.
  func copy(_ text: String) {
    guard isUp, hasModes else { return }
    device.send(TerminalMode.clipboard(Data(Sanitize.line(text).utf8.prefix(60_000)).base64EncodedString()))
  }

  /// Gives the terminal back as it was, and stdout and stderr too. May be called again.
  func restore() {
    guard !isRestored else { return }
    isRestored = true
    if hasTitle { device.send(TerminalMode.title("") + TerminalMode.titlePop) }
    awaitAnswer()
    leave()
    CrashGuard.disarm()
    Self.close(screen, device)
    output?.end()
  }
}

extension Terminal {
  /// Enough for the console and real terminals.
  fileprivate static let plainCrash = "\u{1B}[0m\u{1B}[?25h\r\n"

  private static func close(_ screen: OpaquePointer, _ device: TerminalDevice) {
    delscreen(screen)
    device.restoreModes()
    device.close()
  }

  /// The terminal may have said by now what it shows.
  private func meetGraphics() {
    let language = graphicsTarget?.language
    if language != pictures.language { pictures = TerminalPictures(language: language) }
  }

  /// An answer that came after the program had ended would stand at the shell's prompt. Terminals answer at once; one that
  /// never does costs a program that is left within its first moment a tenth of a second.
  private func awaitAnswer() {
    guard isUp, awaitsAttributes, decoder.deviceAttributes == nil else { return }
    awaitsAttributes = false
    guard (try? Poller.poll([device.fileDescriptor], timeoutMilliseconds: 100)) == [.readable] else { return }
    _ = readEvents()
  }

  /// Raw modes, alternate screen, and what terminfo does not name.
  private func enter() {
    set_term(screen)
    // After endwin this brings ncurses' own modes back; the first time it changes nothing.
    reset_prog_mode()
    cn_stage()
    doupdate()
    isUp = true
    if hasModes { device.send(TerminalMode.pasteOn + (options.mouse ? TerminalMode.mouseOn : "")) }
  }

  /// Characters are UTF-8 here whatever the environment says; the other categories stay "C", which libmpv insists on
  /// for numbers.
  static func useUTF8() {
    for name in ["", "C.UTF-8", "en_US.UTF-8", "UTF-8"] where setlocale(LC_CTYPE, name) != nil {
      if String(cString: nl_langinfo(nl_item(CODESET))) == "UTF-8" { return }
    }
  }
}
