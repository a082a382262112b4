import AppCore
import Foundation
import TOMLKit
import TerminalKit

/// The available themes: `NAME.toml` in the listener's directory, then in the installed one.
struct ThemeFiles: Sendable {
  /// Directories with themes. If several have a theme of the same name, the first one is used.
  let directories: [String]
  /// The colour depth of the terminal.
  var depth = ColorDepth.trueColor

  /// In alphabetical order.
  var names: [String] {
    var names = Set<String>()
    for directory in directories {
      let files = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
      names.formUnion(files.filter { $0.hasSuffix(".toml") }.map { String($0.dropLast(5)) })
    }
    return names.sorted()
  }

  /// Loads a theme and adapts it to the terminal.
  func load(_ name: String) throws(ConfigurationProblem) -> Theme {
    let source = try read(name, heirs: [])
    do {
      let theme = try Theme(name: name, kind: source.kind, palette: source.palette, roles: source.roles, base: nil)
      return theme.fitted(to: depth)
    } catch {
      let lines = LineFinder(source.text)
      let line: Int? =
        switch error {
        case .unknownRole(let role), .badStyle(let role, _): lines.line(of: role, in: "roles")
        case .badColor(let color, _): lines.line(of: color, in: "palette")
        case .badKind: lines.line(of: "kind")
        }
      throw ConfigurationProblem(file: source.file, line: line, text: error.description)
    }
  }

  /// A theme file merged with the themes that it inherits from. Tables are merged before roles are parsed, so that a
  /// new palette is enough for a new theme (docs/THEMES.md).
  private struct Source {
    var file: String
    var text: String
    var kind: String?
    var palette: [String: String]
    var roles: [String: String]
  }

  private func read(_ name: String, heirs: [String]) throws(ConfigurationProblem) -> Source {
    guard !name.contains("/"), let file = directories.map({ "\($0)/\(name).toml" }).first(where: exists) else {
      throw ConfigurationProblem(file: name, line: nil, text: "no such theme in \(directories.joined(separator: ", "))")
    }
    guard !heirs.contains(name), heirs.count < 8 else {
      throw ConfigurationProblem(file: file, line: nil, text: "inherits: these themes inherit from each other")
    }
    let text = try ConfigurationFile.text(file)
    let table = try TOMLText.table(text, file: file)
    let reader = Reader(table: table, file: file, lines: LineFinder(text))
    var source = Source(
      file: file, text: text, kind: try reader.text("kind"), palette: try reader.texts("palette"),
      roles: try reader.texts("roles"))
    if let parent = try reader.text("inherits") {
      let base = try read(parent, heirs: heirs + [name])
      source.kind = source.kind ?? base.kind
      source.palette.merge(base.palette) { own, _ in own }
      source.roles.merge(base.roles) { own, _ in own }
    }
    return source
  }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Reads the values of one file, and refuses those of a wrong type.
  private struct Reader {
    let table: TOMLTable
    let file: String
    let lines: LineFinder

    /// Nil if it is not there.
    func text(_ key: String) throws(ConfigurationProblem) -> String? {
      guard let value = table[key] else { return nil }
      guard let text = value.string else {
        throw ConfigurationProblem(file: file, line: lines.line(of: key), text: "\(key): must be a text in quotes")
      }
      return text
    }

    /// A table of texts. A colour of the terminal may be a number without quotes.
    func texts(_ name: String) throws(ConfigurationProblem) -> [String: String] {
      guard let value = table[name] else { return [:] }
      guard let values = value.table else {
        throw ConfigurationProblem(file: file, line: lines.line(of: name), text: "\(name): must be a table")
      }
      var texts: [String: String] = [:]
      for key in values.keys {
        guard let text = values[key]?.string ?? values[key]?.int.map(String.init) else {
          throw ConfigurationProblem(
            file: file, line: lines.line(of: key, in: name), text: "[\(name)] \(key): must be a text in quotes")
        }
        texts[key] = text
      }
      return texts
    }
  }
}

extension Theme {
  /// The theme, or the terminal's own colours if there are so few that the selected row would look like the others: on
  /// the Linux console, on a vt100, with NO_COLOR. The name stays, so that `next-theme` still goes to the next theme.
  func fitted(to depth: ColorDepth) -> Theme {
    let chosen = ColorMap.pair(of: self[.selection], depth: depth)
    let others = ColorMap.pair(of: self[.text], depth: depth)
    guard chosen.background == others.background, !chosen.attributes.contains(.reverse) else { return self }
    // A light theme keeps the terminal's own background.
    var theme = depth >= .ansi8 && (kind == .dark || kind == .contrast) ? Theme.eightColors : Theme.fallback
    theme.name = name
    theme.kind = kind
    return theme
  }
}
