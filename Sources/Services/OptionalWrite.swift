import Store

extension Library {
  /// Stores data that can be fetched again, such as chapters and transcripts, or that playing does not depend on. An
  /// error is ignored, for example a full disk or a library that another player writes.
  /// - Returns: whether the data was stored.
  @discardableResult
  package func storeIfPossible(_ write: (Library) throws(StoreError) -> Void) -> Bool {
    do throws(StoreError) {
      try write(self)
      return true
    } catch {
      return false
    }
  }
}
