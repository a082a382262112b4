import TerminalKit

/// Where everything stands on a screen of a given size. Used by `update` (how many rows does a list have?) and by
/// `render` alike, so that they never disagree.
public struct Layout: Equatable, Sendable {
  /// Below this nothing can be shown but a line that says so.
  public static let smallest = Size(20, 6)
  /// From this width all panes stand side by side.
  public static let wide = 110
  /// From this width two panes do.
  public static let medium = 80

  public struct Place: Equatable, Sendable {
    public var pane: Pane
    /// With its title line.
    public var rect: Rect
    /// Without its title line and without the line to its left.
    public var content: Rect
  }

  public var tabs: Rect
  public var places: [Place]
  public var status: Rect
  public var player: Rect
  public var isTooSmall: Bool

  public init(size: Size, panes: [Pane], focus: Pane, isReading: Bool, podcastsWidth: Int) {
    let bounds = Rect(size)
    isTooSmall = size.width < Self.smallest.width || size.height < Self.smallest.height
    let top = bounds.splitTop(1)
    tabs = top.top
    let upper = top.rest.splitTop(top.rest.height - 3)
    let lower = upper.rest.splitTop(1)
    status = lower.top
    player = lower.rest
    places = Self.places(
      in: upper.top, panes: panes, focus: focus, isReading: isReading, podcastsWidth: podcastsWidth)
  }

  public func place(_ pane: Pane) -> Place? { places.first { $0.pane == pane } }

  /// Rows that a list in this pane has; 0 when it is not shown.
  public func height(_ pane: Pane) -> Int { place(pane)?.content.height ?? 0 }

  private static func places(
    in body: Rect, panes: [Pane], focus: Pane, isReading: Bool, podcastsWidth: Int
  ) -> [Place] {
    if isReading { return [place(.detail, body, isFirst: true)] }
    if body.width < medium { return [place(focus, body, isFirst: true)] }
    var shown = panes
    if body.width < wide, panes.count > 2 {
      // The two that stand around the focus.
      shown = focus == .detail ? [.episodes, .detail] : [.podcasts, .episodes]
    }
    var rest = body
    var places: [Place] = []
    for (index, pane) in shown.enumerated() {
      let isLast = index == shown.count - 1
      let width = isLast ? rest.width : self.width(of: pane, in: body, of: shown, podcastsWidth: podcastsWidth)
      let cut = rest.splitLeft(width)
      places.append(place(pane, cut.left, isFirst: index == 0))
      rest = cut.rest
    }
    return places
  }

  private static func width(of pane: Pane, in body: Rect, of shown: [Pane], podcastsWidth: Int) -> Int {
    switch pane {
    case .podcasts: max(20, min(podcastsWidth, body.width / (shown.count == 2 ? 3 : 5) + 2))
    case .episodes, .detail:
      // The rest is halved, with a little more for the titles.
      shown.contains(.podcasts)
        ? (body.width - min(podcastsWidth, body.width / 5 + 2)) * 52 / 100 : body.width * 52 / 100
    }
  }

  private static func place(_ pane: Pane, _ rect: Rect, isFirst: Bool) -> Place {
    Place(pane: pane, rect: rect, content: rect.inset(left: isFirst ? 0 : 1, top: 1))
  }
}

extension State {
  public var layout: Layout {
    let screen = self.screen
    return Layout(
      size: size, panes: tab.panes, focus: screen.focus, isReading: screen.isReading, podcastsWidth: podcastsWidth)
  }

  /// As wide as the longest title among the first few hundred, with room for the count.
  private var podcastsWidth: Int {
    let longest = podcasts.prefix(200).reduce(0) { max($0, Clusters.width($1.title)) }
    return min(40, max(24, longest + 7))
  }
}
