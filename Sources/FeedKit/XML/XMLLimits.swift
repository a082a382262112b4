/// What an XML document may cost. Each limit is far above any honest feed and keeps a hostile one within bounds.
struct XMLLimits: Sendable {
  /// Open elements; deeper ones are left out (libxml2 itself gives up at 256).
  var depth = 200
  /// Bytes of one attribute's value; a longer one is left out.
  var attributeBytes = 128 << 10
  /// Bytes of one tag; a longer one is left out.
  var tagBytes = 1 << 20
  /// Attributes of one tag; further ones are left out.
  var attributes = 256
  /// Namespace declarations in force at once: libxml2 searches them one by one.
  var namespaces = 256
  /// Different names (of elements, attributes, prefixes, namespaces) after which the reader stops: libxml2 keeps them in
  /// a table that does not grow beyond 16,384 rows, so that a document of nothing but new names takes quadratic time.
  var names = 20_000
  /// Bytes of the decoded document after which the reader stops.
  var documentBytes = 1 << 30
  /// Bytes of one entity's replacement text, and how many entities a document may declare: together with the rule that
  /// replacement text is plain text, the end of every entity bomb.
  var entityBytes = 1024
  var entities = 256

  static let standard = XMLLimits()
}
