/// How many columns the listener has made panes wider (or narrower, if negative).
public struct PaneWidths: Equatable, Sendable {
  public var side: Int
  public var detail: Int
  public init(side: Int = 0, detail: Int = 0) {
    self.side = max(-200, min(200, side))
    self.detail = max(-200, min(200, detail))
  }
}
