import AppCore
import Foundation
import TerminalKit
import Testing

@testable import TUIApp

/// Every built-in theme is readable: WCAG 2.1, success criteria 1.4.3 (text) and 1.4.11 (shapes).
///
/// `scripts/theme-contrast` checks the same without a build. This test uses the themes as the program has loaded them.
/// Colours that the terminal defines cannot be measured.
@Suite(InTurn()) struct ThemeContrastTests {
  private static let files = ThemeFiles(directories: [SourceTree.root + "/themes"])
  private static let rows: [Role] = [.text, .selection, .selectionUnfocused]
  private static let notes: [Role] = rows + [.status, .overlay]

  /// The roles of text, and the roles of their backgrounds. A role with a background of its own is drawn on that
  /// background.
  private static let text: [(Role, [Role])] = [
    (.text, rows), (.dim, rows + [.overlay, .player]), (.title, rows), (.accent, rows + [.player]),
    (.header, [.text, .header]), (.status, [.status]), (.error, notes), (.warning, notes + [.player]),
    (.success, notes), (.new, rows), (.progress, rows + [.status, .player]),
    (.played, rows), (.downloaded, rows), (.queued, rows), (.gone, rows), (.link, [.text, .overlay]),
    (.heading, [.text, .overlay]), (.code, [.text, .overlay]), (.quote, [.text, .overlay]), (.selection, [.selection]),
    (.selectionUnfocused, [.selectionUnfocused]), (.player, [.player]), (.playerTitle, [.player]),
    (.match, rows + [.match]),
    (.key, [.text, .overlay, .status]), (.overlay, [.overlay]), (.overlayTitle, [.overlay]), (.input, [.input]),
  ]
  /// The roles of shapes with a meaning.
  private static let shapes: [(Role, [Role])] = [
    (.borderFocused, [.text]), (.barFilled, [.player]), (.chapterTick, [.player]),
  ]

  @Test(arguments: files.names) func themesAreReadable(name: String) throws {
    let theme = try Self.files.load(name)
    guard theme.kind != .mono else { return }
    for (role, places) in Self.text { check(theme, role, on: places, atLeast: theme.kind == .contrast ? 7 : 4.5) }
    for (role, places) in Self.shapes { check(theme, role, on: places, atLeast: 3) }
  }

  private func check(_ theme: Theme, _ role: Role, on places: [Role], atLeast least: Double) {
    for place in places {
      let style = theme[role].over(theme[place].over(theme[.text]))
      guard let ink = Self.known(style.foreground), let paper = Self.known(style.background) else { continue }
      let ratio = Self.contrast(ink, paper)
      #expect(ratio >= least, "\(theme.name): \(role) on \(place) has \(ratio)")
    }
  }

  /// The RGB value of a colour. Nil if it depends on the terminal's settings: the default colours and the first
  /// sixteen.
  private static func known(_ color: Color) -> ColorMap.RGB? {
    switch color.kind {
    case .standard: return nil
    case .rgb(let red, let green, let blue): return (Int(red), Int(green), Int(blue))
    case .palette(let entry):
      guard entry >= 16 else { return nil }
      let index = ColorMap.index(of: color, depth: .trueColor)
      return (index >> 16, index >> 8 & 0xFF, index & 0xFF)
    }
  }

  @Test func contrastRatioFollowsWCAG() {
    #expect(abs(Self.contrast((0, 0, 0), (255, 255, 255)) - 21) < 0.001)
    #expect(abs(Self.contrast((119, 119, 119), (255, 255, 255)) - 4.478) < 0.001)
    #expect(Self.contrast((10, 20, 30), (10, 20, 30)) == 1)
  }

  private static func contrast(_ one: ColorMap.RGB, _ other: ColorMap.RGB) -> Double {
    let (left, right) = (luminance(one), luminance(other))
    return (max(left, right) + 0.05) / (min(left, right) + 0.05)
  }

  /// Relative luminance of sRGB, with the threshold of the standard.
  private static func luminance(_ color: ColorMap.RGB) -> Double {
    func linear(_ component: Int) -> Double {
      let value = Double(component) / 255
      return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
  }
}
