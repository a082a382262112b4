/// The number of colours that a terminal shows.
public enum ColorDepth: Int, Comparable, Sendable {
  case monochrome = 1
  case ansi8 = 8
  case ansi16 = 16
  case palette256 = 256
  case trueColor = 16_777_216

  public static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }

  /// The depth by the terminal description's number of colours and the environment. A non-empty NO_COLOR wins
  /// (no-color.org); attributes stay. COLORTERM is used earlier, to choose the terminal description: ncurses only
  /// writes direct colours if the description has them (such as xterm-direct).
  public static func detect(terminalColors: Int, environment: [String: String]) -> ColorDepth {
    if let noColor = environment["NO_COLOR"], !noColor.isEmpty { return .monochrome }
    switch terminalColors {
    case ..<8: return .monochrome
    case 8..<16: return .ansi8
    case 16..<256: return .ansi16
    case trueColor.rawValue...: return .trueColor
    default: return .palette256
    }
  }
}

/// Converts a theme's colours to the terminal's: numbers of its palette, or 0xRRGGBB with direct colours.
public enum ColorMap {
  /// The terminal's default colour, in the numbering of ncurses' `use_default_colors`.
  public static let standard = -1

  /// The number of the colour at this depth. The sixteen named colours stay the terminal's own.
  public static func index(of color: Color, depth: ColorDepth) -> Int {
    switch (color.kind, depth) {
    case (.standard, _), (_, .monochrome): return standard
    case (.palette(let entry), .palette256): return Int(entry)
    case (.palette(let entry), .ansi16) where entry < 16: return Int(entry)
    case (.palette(let entry), .ansi8) where entry < 16: return Int(entry % 8)
    // Descriptions with direct colours number the first eight like the palette (terminfo(5), "RGB").
    case (.palette(let entry), .trueColor) where entry < 8: return Int(entry)
    case (.palette(let entry), _): return nearest(rgb(entry), depth)
    case (.rgb(let red, let green, let blue), _): return nearest((Int(red), Int(green), Int(blue)), depth)
    }
  }

  /// Both colours of a style, and attributes that replace what a terminal with eight colours lacks: bright colours are
  /// bold, and grey is dim white. If both colours became the same, the text is kept readable.
  public static func pair(
    of style: Style, depth: ColorDepth
  ) -> (foreground: Int, background: Int, attributes: Style.Attributes) {
    var attributes = style.attributes
    var foreground = index(of: style.foreground, depth: depth)
    let background = index(of: style.background, depth: depth)
    if depth == .ansi8, case .palette(let entry) = style.foreground.kind, (8..<16).contains(entry) {
      attributes.insert(entry == 8 ? .dim : .bold)
      if entry == 8 { foreground = 7 }
    }
    if foreground == background, foreground != standard, style.foreground != style.background {
      foreground = isLight(background) ? 0 : 7
    }
    return (foreground, background, attributes)
  }

  public typealias RGB = (red: Int, green: Int, blue: Int)

  /// xterm's defaults of the sixteen colours that users can change.
  private static let named: [RGB] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
    (255, 255, 255),
  ]
  /// The steps of the 6×6×6 cube in entries 16–231. Entries 232–255 are greys from 8 in steps of 10 (xterm's
  /// 256colres.pl).
  private static let steps = [0, 95, 135, 175, 215, 255]

  private static func rgb(_ entry: UInt8) -> RGB {
    let entry = Int(entry)
    if entry < 16 { return named[entry] }
    if entry >= 232 {
      let grey = 8 + (entry - 232) * 10
      return (grey, grey, grey)
    }
    let cube = entry - 16
    return (steps[cube / 36], steps[cube / 6 % 6], steps[cube % 6])
  }

  /// Whether black is more readable on a palette entry than white (luma of ITU-R BT.601).
  private static func isLight(_ entry: Int) -> Bool {
    let color = rgb(UInt8(clamping: entry))
    return color.red * 299 + color.green * 587 + color.blue * 114 > 128_000
  }

  private static func nearest(_ color: RGB, _ depth: ColorDepth) -> Int {
    switch depth {
    case .monochrome: standard
    case .ansi8: nearest(color, among: 0..<8)
    case .ansi16: nearest(color, among: 0..<16)
    case .palette256: nearest(color, among: 16..<256)
    // 1–7 would be palette entries, so the next distinguishable blue is used.
    case .trueColor:
      { (1..<8).contains($0) ? 8 : $0 }(color.red << 16 | color.green << 8 | color.blue)
    }
  }

  private static func nearest(_ color: RGB, among entries: Range<Int>) -> Int {
    var best = entries.lowerBound
    var bestDistance = Int.max
    for entry in entries {
      let candidate = rgb(UInt8(entry))
      let distance = distance(color, candidate)
      if distance < bestDistance { (best, bestDistance) = (entry, distance) }
    }
    return best
  }

  /// "Redmean": a cheap weighting that is closer to perception than plain RGB (compuphase.com/cmetric.htm).
  private static func distance(_ left: RGB, _ right: RGB) -> Int {
    let mean = (left.red + right.red) / 2
    let (red, green, blue) = (left.red - right.red, left.green - right.green, left.blue - right.blue)
    return (512 + mean) * red * red / 256 + 4 * green * green + (767 - mean) * blue * blue / 256
  }
}
