/// Limits for an XML document, far above real feeds, to bound the cost of a malicious one.
struct XMLLimits: Sendable {
  /// The maximum number of open elements. Deeper ones are left out (libxml2 itself stops at 256).
  var depth = 200
  /// The maximum number of bytes of an attribute's value. A longer one is left out.
  var attributeBytes = 128 << 10
  /// The maximum number of bytes of a tag. A longer one is left out.
  var tagBytes = 1 << 20
  /// The maximum number of attributes of a tag. Further ones are left out.
  var attributes = 256
  /// The maximum number of active namespace declarations, because libxml2 searches them linearly.
  var namespaces = 256
  /// The maximum number of different names (of elements, attributes, prefixes, namespaces) before the reader stops.
  /// libxml2 keeps them in a hash table that does not grow beyond 16,384 rows, so a document of new names would take
  /// quadratic time.
  var names = 20_000
  /// The maximum number of bytes of the decoded document before the reader stops.
  var documentBytes = 1 << 30
  /// The maximum number of bytes of an entity's replacement text, and the maximum number of entities per document.
  /// Because replacement text is plain text, this prevents entity bombs.
  var entityBytes = 1024
  var entities = 256

  static let standard = XMLLimits()
}
