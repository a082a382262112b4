import TerminalKit

/// What a colour is used for. A theme gives each role a style. Screens name roles, never colours.
public enum Role: Int, CaseIterable, Sendable {
  case text, dim, title, accent, border, borderFocused
  case selection, selectionUnfocused
  case header, status, error, warning, success
  case new, progress, played, downloaded, queued, gone
  case link, heading, code, quote
  case player, playerTitle, barFilled, barBuffered, barEmpty, chapterTick
  case match, key, overlay, overlayTitle, input

  /// The name in theme files, such as `border-focused`.
  public var name: String {
    String(describing: self).reduce("") { $0 + ($1.isUppercase ? "-" : "") + $1.lowercased() }
  }

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  init?(name: String) {
    guard let role = Self.byName[name] else { return nil }
    self = role
  }
}

/// A named set of styles, one for every role.
public struct Theme: Equatable, Sendable {
  /// The kind of background and contrast that the theme is made for.
  public enum Kind: String, Sendable { case dark, light, contrast, mono }

  public enum ThemeError: Error, Equatable, CustomStringConvertible {
    case unknownRole(String)
    case badStyle(role: String, word: String)
    case badColor(name: String, value: String)
    case badKind(String)

    public var description: String {
      switch self {
      case .unknownRole(let role): "[roles] \(role): there is no such role"
      case .badStyle(let role, let word):
        "[roles] \(role): “\(word)” is not a colour of [palette], #rrggbb, a number 0–255 or an attribute"
      case .badColor(let name, let value): "[palette] \(name): “\(value)” is not #rrggbb, 0–255 or default"
      case .badKind(let kind): "kind: “\(kind)” is not dark, light, contrast or mono"
      }
    }
  }

  public var name: String
  public var kind: Kind
  /// In the order of the roles, because drawing looks up a style for every text.
  private var styles = Array(repeating: Style.plain, count: Role.allCases.count)

  public init(name: String, kind: Kind, styles: [Role: Style]) {
    self.name = name
    self.kind = kind
    for (role, style) in styles { self[role] = style }
  }

  public private(set) subscript(role: Role) -> Style {
    get { styles[role.rawValue] }
    set { styles[role.rawValue] = newValue }
  }

  /// Reads the tables of a theme file.
  /// - Parameter base: the theme that it inherits all other roles from.
  public init(
    name: String, kind: String?, palette: [String: String], roles: [String: String], base: Theme?
  ) throws(ThemeError) {
    var colors: [String: Color] = [:]
    for (name, value) in palette {
      guard let color = Self.color(value, palette: [:]) else { throw .badColor(name: name, value: value) }
      colors[name] = color
    }
    self.init(name: name, kind: base?.kind ?? .dark, styles: [:])
    styles = (base ?? Self.fallback).styles
    for (key, text) in roles {
      guard let role = Role(name: key) else { throw .unknownRole(key) }
      self[role] = try Self.style(text, role: key, palette: colors)
    }
    if let text = kind {
      guard let kind = Kind(rawValue: text) else { throw .badKind(text) }
      self.kind = kind
    }
  }

  /// Parses `FG [on BG] [bold] [dim] [italic] [underline] [reverse]`.
  static func style(_ text: String, role: String, palette: [String: Color]) throws(ThemeError) -> Style {
    var style = Style.plain
    var isBackground = false
    for word in text.split(separator: " ").map(String.init) {
      if word == "on" {
        isBackground = true
      } else if let attribute = attributes[word] {
        style.attributes.insert(attribute)
      } else if let color = color(word, palette: palette) {
        if isBackground { style.background = color } else { style.foreground = color }
        isBackground = false
      } else {
        throw .badStyle(role: role, word: word)
      }
    }
    guard !isBackground else { throw .badStyle(role: role, word: "on") }
    return style
  }

  private static let attributes: [String: Style.Attributes] = [
    "bold": .bold, "dim": .dim, "italic": .italic, "underline": .underline, "reverse": .reverse,
  ]

  private static func color(_ word: String, palette: [String: Color]) -> Color? {
    if let named = palette[word] { return named }
    if word == "default" { return .standard }
    if word.hasPrefix("#"), word.utf8.count == 7, word.dropFirst().allSatisfy(\.isHexDigit),
      let value = UInt32(word.dropFirst(), radix: 16)
    {
      return .rgb(UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF))
    }
    return UInt8(word).map(Color.palette)
  }

  /// The theme before any other is loaded, with the terminal's own colours. It is unknown whether the terminal is dark
  /// or light, and of the eight standard colours only red and magenta are readable on both. Everything else uses
  /// attributes.
  public static let fallback = Theme(
    name: "terminal", kind: .dark,
    styles: [
      .dim: Style(.standard, .dim), .title: Style(.standard, .bold), .accent: Style(.palette(5), .bold),
      .border: Style(.standard, .dim), .borderFocused: Style(.palette(5)),
      .selection: Style(.standard, .reverse), .selectionUnfocused: Style(.standard, .underline),
      .header: Style(.standard, .reverse), .error: Style(.palette(1), .bold), .warning: Style(.palette(1)),
      .success: Style(.standard), .new: Style(.palette(5), .bold), .progress: Style(.palette(5)),
      .played: Style(.standard, .dim), .downloaded: Style(.standard), .queued: Style(.palette(5)),
      .gone: Style(.standard, .dim), .link: Style(.standard, .underline), .heading: Style(.standard, .bold),
      .code: Style(.palette(5)), .quote: Style(.standard, .italic), .playerTitle: Style(.standard, .bold),
      .barFilled: Style(.palette(5)), .barBuffered: Style(.standard), .barEmpty: Style(.standard, .dim),
      .chapterTick: Style(.palette(1)), .match: Style(.palette(5), .reverse), .key: Style(.palette(5), .bold),
      .overlayTitle: Style(.standard, .bold), .input: Style(.standard, .underline),
    ])

  /// For terminals with eight colours: light on black. Green is new and done, yellow is begun and warns, blue is behind
  /// what is selected.
  public static let eightColors = Theme(
    name: "terminal", kind: .dark,
    styles: [
      .text: on(7), .dim: on(7, .dim), .title: on(7, .bold), .accent: on(6, .bold), .border: on(4),
      .borderFocused: on(6),
      // White on blue. Reversed, so that it is visible if the terminal ignores the colours.
      .selection: Style(.palette(4), on: .palette(7), .reverse), .selectionUnfocused: on(7, .underline),
      .header: Style(.palette(7), on: .palette(4), .bold), .status: on(7), .error: on(1, .bold), .warning: on(3, .bold),
      .success: on(2), .new: on(2, .bold), .progress: on(3), .played: on(7, .dim), .downloaded: on(2), .queued: on(5),
      .gone: on(7, .dim), .link: on(6, .underline), .heading: on(3, .bold), .code: on(2), .quote: on(6), .player: on(7),
      .playerTitle: on(7, .bold), .barFilled: on(6), .barBuffered: on(4), .barEmpty: on(4), .chapterTick: on(3),
      .match: Style(.palette(0), on: .palette(3), []), .key: on(3, .bold), .overlay: on(7), .overlayTitle: on(6, .bold),
      .input: on(7, .underline),
    ])

  private static func on(_ color: UInt8, _ attributes: Style.Attributes = []) -> Style {
    Style(.palette(color), on: .palette(0), attributes)
  }
}

extension Style {
  fileprivate init(_ foreground: Color, _ attributes: Attributes) {
    self.init(foreground, on: .standard, attributes)
  }
}
