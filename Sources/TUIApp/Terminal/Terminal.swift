import CNcurses
import Foundation
import TerminalKit

/// The terminal while the player uses it. Only the main thread uses it.
///
/// Install `Signals` first. `restore` must be called before every exit; `CrashGuard` handles crashes.
final class Terminal {
  struct Options {
    var device = "/dev/tty"
    /// Uses clicks and the wheel. Selecting text in the terminal then needs Shift.
    var mouse = true
    var graphics = GraphicsChoice.automatic
    /// Whether stdout and stderr are redirected while the screen is in use: to `log`, or dropped without one.
    var divertsOutput = true
    var log: String?
  }

  private let device: TerminalDevice
  private let output: OutputDiversion?
  private let screen: OpaquePointer
  /// The terminal type in use: TERM, or a related type that replaces it.
  let type: String
  private let options: Options
  private let hasModes: Bool
  /// The terminal description cannot hide the cursor (xterm-color), although the terminal can.
  private let hidesCursorItself: Bool
  private var isCursorHidden = false
  private var painter: TerminalPainter
  private var hyperlinks: TerminalHyperlinks
  private var pictures = TerminalPictures()
  private let graphics: TerminalGraphics
  /// The size of a cell in pixels, as of the last `resize`.
  private var cell: Size?
  private var awaitsAttributes = false
  private var decoder = InputDecoder()
  private var flood: TerminalFlood
  /// Whether the buffer of ncurses has no unread input. Such input must be read first.
  private var isDrained = true
  /// The first bytes of a character whose others have not come yet.
  private var character: [UInt8] = []
  private var hasTitle = false
  private var isUp = false
  private var isRestored = false

  init(
    _ options: Options = Options(), environment: [String: String] = ProcessEnvironment.variables
  ) throws(TerminalError) {
    Self.useUTF8()
    device = try TerminalDevice(path: options.device)
    flood = TerminalFlood(descriptor: device.fileDescriptor)
    // LINES and COLUMNS may be stale, so the device is asked. ncurses must not ask a device that claims to be too
    // large, because it would begin with 65,535 lines. Then it takes the size of the terminal description, and `resize`
    // sets a limited one. This is not always done, because some descriptions (linux, dumb) have no size.
    use_env(false)
    use_tioctl(!device.reportsTooLargeSize)
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
    hidesCursorItself = hasModes && !cn_has_string("civis")
    graphics = TerminalGraphics(options.graphics, type: type, environment: environment)
    // By default a lone Esc only counts after a second. On a slow line the listener may want that (curs_variables(3)).
    if environment["ESCDELAY"] == nil { set_escdelay(25) }
    // ncurses 6 flushes each movement of the cursor (`TINFO_MVCUR`) until it was suspended once. `enter` resumes it, so
    // the sequences of this suspension must not reach the terminal.
    _ = device.collect { endwin() }
    cn_prepare()
    for (sequence, number) in KeySequences.definitions { define_key(sequence, Int32(number)) }
    painter = TerminalPainter(environment: environment)
    hyperlinks = TerminalHyperlinks(type: type, environment: environment, depth: painter.depth)
    enter()
    resize()
    // Every terminal answers DA1, so it also tells that the answers before it have come.
    if hasModes, graphics.known == .automatic || cell == nil {
      device.send(TerminalMode.askAttributes)
      awaitsAttributes = true
    }
    CrashGuard.protect(
      terminal: device.fileDescriptor, leaving: hasModes ? TerminalMode.crash : Self.plainCrash,
      modes: device.savedModes,
      messages: output?.messages ?? STDERR_FILENO)
  }

  deinit { restore() }

  var path: String { device.path }

  /// For `Poller`.
  var fileDescriptor: Int32 { device.fileDescriptor }

  var colorDepth: ColorDepth { painter.depth }

  /// How the terminal shows pictures, as far as it is known. The terminal may not have answered yet.
  var graphicsTarget: GraphicsTarget {
    graphics.target(attributes: decoder.deviceAttributes, cell: cell ?? decoder.pixels.cell(window: size))
  }

  /// As of the last `resize`.
  private(set) var size = Size(80, 24)

  /// Shows a frame. Only differences to the previous frame are written.
  /// - Parameter selection: the background of the selection.
  func present(_ frame: Frame, selection: Color = .standard) {
    guard isUp else { return }
    painter.selection = selection
    let leave = pictures.removal(for: frame)
    if painter.stage(frame) || !leave.isEmpty {
      let cleared = painter.isCleared ? pictures.removeAll() : ""
      for row in leave.rows { cn_redraw_rows(Int32(clamping: row), 1) }
      cn_stage()
      let drawn = device.collect(after: hasModes ? TerminalMode.frameBegin + leave.text : "") { doupdate() }
      pictures.write(over: painter.changed)
      let links = hyperlinks.text(for: frame, changed: Set(painter.changed.keys))
      device.send(drawn + (hasModes ? Array((links + TerminalMode.frameEnd + cleared).utf8) : []))
    }
    if hidesCursorItself, isCursorHidden != (frame.cursor == nil) {
      isCursorHidden.toggle()
      device.send(isCursorHidden ? TerminalMode.cursorOff : TerminalMode.cursorOn)
    }
    showPictures(of: frame)
  }

  /// Draws pictures last, and not while keys are waiting, because a picture may take longer than a frame. The frame
  /// after those keys draws it.
  private func showPictures(of frame: Frame) {
    guard !frame.pictures.isEmpty, (try? Poller.poll([device.fileDescriptor], timeoutMilliseconds: 0)) == [[]] else {
      return
    }
    let bytes = pictures.bytes(for: frame)
    if !bytes.isEmpty { device.send(bytes) }
  }

  /// The events that have arrived, at most one batch. Never waits. Changes of the size come from SIGWINCH instead.
  /// - Parameter silence: for how many milliseconds the program waited for them.
  func readEvents(after silence: UInt64 = 0) -> [InputEvent] {
    guard isUp else { return [] }
    defer { updateGraphics() }
    let now = DispatchTime.now().uptimeNanoseconds / 1_000_000
    return InputEvent.joined(
      decoder.events(milliseconds: now, after: silence) { [self] in nextCode() })
  }

  private func nextCode() -> InputDecoder.Code? {
    if isDrained, character.isEmpty, let code = flood.next() { return code }
    while true {
      var code: UInt32 = 0
      let kind = cn_read(&code)
      isDrained = kind == CN_NONE
      // Half a character waits for its other half.
      if isDrained { return nil }
      guard kind == CN_BYTE, let byte = UInt8(exactly: code), byte >= 0x80 else {
        character = []
        return kind == CN_BYTE ? .character(code) : .function(code)
      }
      let (codes, rest) = TerminalFlood.codes(of: character + [byte])
      character = rest
      if let code = codes.first { return code }
    }
  }

  /// Whether there is unread input that `poll` may not see.
  var hasUnread: Bool { decoder.isFull }

  /// Whether more input has arrived.
  var hasInput: Bool { hasUnread || (try? Poller.poll([device.fileDescriptor], timeoutMilliseconds: 0)) == [.readable] }

  /// Reads the size of the window after SIGWINCH. The next frame is written in full.
  @discardableResult
  func resize() -> Size {
    guard !isRestored else { return size }
    if let window = device.window { (size, cell) = window }
    resizeterm(Int32(clamping: size.height), Int32(clamping: size.width))
    if hasModes, cell == nil { device.send(TerminalMode.askPixels) }
    painter.invalidate()
    updateGraphics()
    return size
  }

  /// Stops the program as `^Z` does elsewhere, and returns when it runs again. The whole process group stops, so that
  /// `make run` and its shell do, too.
  func suspend() {
    leave()
    var (standard, previous) = (sigaction(), sigaction())
    standard.handler = SIG_DFL
    sigaction(SIGTSTP, &standard, &previous)
    kill(0, SIGTSTP)
    sigaction(SIGTSTP, &previous, nil)
    resumeAfterSuspend()
  }

  /// Takes the screen back: after `leave`, and after SIGCONT, because an uncatchable stop (SIGSTOP) leaves the terminal
  /// in the shell's modes.
  func resumeAfterSuspend() {
    guard !isRestored else { return }
    enter()
    resize()
  }

  /// Leaves the screen for a program that needs it.
  func leave() {
    guard isUp else { return }
    isUp = false
    device.send(pictures.removeAll())
    if hasModes { device.send((options.mouse ? TerminalMode.mouseOff : "") + TerminalMode.pasteOff) }
    curs_set(1)
    if isCursorHidden { device.send(TerminalMode.cursorOn) }
    isCursorHidden = false
    if !cn_has_string("smcup") {
      // Without an alternate screen, our contents must be erased.
      cn_erase()
      cn_stage()
      doupdate()
    }
    endwin()
    device.restoreModes()
  }

  /// Sets the title of the window, without control characters. Terminal types without titles are ignored.
  func setTitle(_ title: String) {
    guard isUp, hasModes else { return }
    if !hasTitle { device.send(TerminalMode.titlePush) }
    hasTitle = true
    device.send(TerminalMode.title(Clusters.shortened(title, columns: 200)))
  }

  /// Copies a text to the clipboard of the listener's machine, also over ssh (xterm's OSC 52). Terminals without this
  /// function ignore it. The text may be pasted into a shell, so control characters, invisible characters and direction
  /// marks are removed, and it becomes one line.
  func copy(_ text: String) {
    guard isUp, hasModes else { return }
    device.send(TerminalMode.clipboard(Data(Sanitize.line(text).utf8.prefix(60_000)).base64EncodedString()))
  }

  /// Restores the terminal, stdout and stderr. May be called again.
  func restore() {
    guard !isRestored else { return }
    isRestored = true
    if hasTitle { device.send(TerminalMode.title("") + TerminalMode.titlePop) }
    awaitAnswer()
    leave()
    CrashGuard.unprotect()
    Self.close(screen, device)
    output?.end()
  }
}

extension Terminal {
  /// The bytes for a crash on terminal types without extended modes.
  fileprivate static let plainCrash = "\u{1B}[0m\u{1B}[?25h\r\n"

  private static func close(_ screen: OpaquePointer, _ device: TerminalDevice) {
    delscreen(screen)
    device.restoreModes()
    device.close()
  }

  /// Applies the terminal's answer about graphics, if it has come.
  private func updateGraphics() {
    let language = graphicsTarget.language
    if language != pictures.language { pictures = TerminalPictures(language: language) }
  }

  /// Waits up to 0.1 s for the terminal's answer, if the program ends at once. An answer after the end would appear in
  /// the shell's prompt.
  private func awaitAnswer() {
    guard isUp, awaitsAttributes, decoder.deviceAttributes == nil else { return }
    awaitsAttributes = false
    guard (try? Poller.poll([device.fileDescriptor], timeoutMilliseconds: 100)) == [.readable] else { return }
    _ = readEvents()
  }

  /// Enters raw mode and the alternate screen, and sets the modes that terminfo does not name.
  private func enter() {
    set_term(screen)
    // After endwin this restores ncurses' modes. The first time it changes nothing.
    reset_prog_mode()
    cn_stage()
    doupdate()
    isUp = true
    if hasModes { device.send(TerminalMode.pasteOn + (options.mouse ? TerminalMode.mouseOn : "")) }
  }

  /// Sets UTF-8 as the encoding of characters whatever the environment says. The other locale categories stay "C",
  /// which libmpv requires for numbers.
  static func useUTF8() {
    for name in ["", "C.UTF-8", "en_US.UTF-8", "UTF-8"] where setlocale(LC_CTYPE, name) != nil {
      if String(cString: nl_langinfo(nl_item(CODESET))) == "UTF-8" { return }
    }
  }
}
