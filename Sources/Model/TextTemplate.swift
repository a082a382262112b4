import Foundation

/// A text with placeholders in braces, such as `{title}`. Braces around anything but letters are text.
public struct TextTemplate<Field: RawRepresentable<String> & CaseIterable & Sendable & Equatable>: Sendable, Equatable {
  public enum Part: Sendable, Equatable { case text(String), field(Field) }

  /// Without empty texts.
  public let parts: [Part]

  public init(_ parts: [Part]) { self.parts = parts }

  /// Throws for a placeholder that is none of the fields.
  public init(_ text: String) throws(ReportedError) {
    var parts: [Part] = []
    var rest = text[...]
    while let match = rest.firstMatch(of: /\{([A-Za-z]+)\}/) {
      guard let field = Field(rawValue: String(match.1)) else {
        throw ReportedError("there is no {\(match.1)}; there are \(Self.names)")
      }
      if match.range.lowerBound > rest.startIndex { parts.append(.text(String(rest[..<match.range.lowerBound]))) }
      parts.append(.field(field))
      rest = rest[match.range.upperBound...]
    }
    self.parts = rest.isEmpty ? parts : parts + [.text(String(rest))]
  }

  public var fields: [Field] { parts.compactMap { if case .field(let field) = $0 { field } else { nil } } }

  /// The text with values in place of the placeholders. No value is read again for placeholders.
  public func text(_ value: (Field) -> String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .field(let field): value(field)
      }
    }.joined()
  }

  /// All placeholders, for messages and the manual.
  public static var names: String { Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ") }
}

extension String {
  /// A text of a feed as one argument of a program: one line of at most 1000 characters without control characters,
  /// and with a space before a leading hyphen, so that no program takes it for an option.
  public var programArgument: String {
    let line = singleLine.prefix(1000)
    return line.hasPrefix("-") ? " " + line : String(line)
  }

  /// With a space for each control character and line end.
  public var singleLine: String {
    String(
      UnicodeScalarView(
        unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .lineSeparator, .paragraphSeparator: " "
          default: scalar
          }
        }))
  }
}
