extension HTTPResponse {
  /// What the status means when it is no success; nil for 2xx and 304.
  public var refusal: FeedError? { FeedError(self) }
}
