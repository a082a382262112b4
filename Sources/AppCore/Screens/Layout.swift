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

  /// Rows of a list that is not shown but will be again.
  private var bodyHeight: Int

  public init(
    size: Size, panes: [Pane], focus: Pane, isReading: Bool, sideWidth: Int, widths: PaneWidths = PaneWidths(),
    listening: Listening? = nil, showsCover: Bool = false, isLinear: Bool = false
  ) {
    let bounds = Rect(size)
    isTooSmall = size.width < Self.smallest.width || size.height < Self.smallest.height
    guard !isLinear else {
      // A heading, one pane, a row for messages, a row for what plays.
      tabs = bounds.splitTop(1).top
      let pane = listening?.part.pane ?? (isReading ? .detail : focus)
      let page = bounds.inset(top: 1, bottom: 2)
      places = [Place(pane: pane, rect: page, content: page)]
      status = bounds.row(max(0, size.height - 2))
      player = bounds.row(max(0, size.height - 1))
      bodyHeight = page.height + 1
      return
    }
    let top = bounds.splitTop(1)
    tabs = top.top
    let upper = top.rest.splitTop(top.rest.height - 3)
    let lower = upper.rest.splitTop(1)
    status = lower.top
    player = lower.rest
    bodyHeight = upper.top.height
    if let listening {
      places = ListeningLayout.places(in: upper.top, listening, showsCover: showsCover)
    } else {
      places = Self.places(
        in: upper.top, panes: panes, focus: focus, isReading: isReading, sideWidth: sideWidth, widths: widths)
    }
  }

  public func place(_ pane: Pane) -> Place? { places.first { $0.pane == pane } }

  /// Rows that a list in this pane has; 0 when it is not shown.
  public func height(_ pane: Pane) -> Int { place(pane)?.content.height ?? 0 }

  /// The same for a list that is covered for now: it shall not scroll meanwhile.
  func listHeight(_ pane: Pane) -> Int { max(1, place(pane)?.content.height ?? bodyHeight - 1) }

  private static func places(
    in body: Rect, panes: [Pane], focus: Pane, isReading: Bool, sideWidth: Int, widths: PaneWidths
  ) -> [Place] {
    if isReading { return [place(.detail, body, isFirst: true)] }
    if body.width < medium { return [place(focus, body, isFirst: true)] }
    var shown = panes
    if body.width < wide, panes.count > 2 {
      // The two that stand around the focus.
      shown = focus == .detail ? [.episodes, .detail] : [panes[0], .episodes]
    }
    var rest = body
    var places: [Place] = []
    for (index, pane) in shown.enumerated() {
      let isLast = index == shown.count - 1
      let width = isLast ? rest.width : self.width(of: pane, in: body, of: shown, sideWidth: sideWidth, widths)
      let cut = rest.splitLeft(width)
      places.append(place(pane, cut.left, isFirst: index == 0))
      rest = cut.rest
    }
    return places
  }

  /// No pane gets narrower than this by the listener's keys.
  private static let narrowest = 16

  private static func width(
    of pane: Pane, in body: Rect, of shown: [Pane], sideWidth: Int, _ widths: PaneWidths
  ) -> Int {
    // What was found is a list of its own until one of its podcasts is opened beside it.
    let isSide = { (pane: Pane) in
      pane == .podcasts || pane == .playlists || pane == .results && shown.contains(.episodes)
    }
    let hasSide = shown.contains(where: isSide)
    let share = hasSide ? min(sideWidth, body.width / 5 + 2) : 0
    // What the listener's keys have made of the side pane is taken from, or given to, what is beside it.
    let side = max(narrowest, max(20, min(sideWidth, body.width / (shown.count == 2 ? 3 : 5) + 2)) + widths.side)
    switch pane {
    case _ where isSide(pane): return min(side, body.width - (shown.count - 1) * narrowest)
    default:
      // The rest is halved, with a little more for the titles.
      let rest = hasSide ? body.width - min(side, body.width - 2 * narrowest) : body.width
      // Where two panes share little room, a list that names each episode's podcast needs most of it.
      let percent = !hasSide && body.width < wide ? 60 : 52
      let own = (body.width - share) * percent / 100 - (hasSide ? widths.side / 2 : 0) - widths.detail
      return max(narrowest, min(own, rest - narrowest))
    }
  }

  /// Columns of the longest among the first few hundred titles, as far as a side pane has use for them.
  static func longest(_ titles: some Sequence<String>) -> Int {
    titles.prefix(200).reduce(0) { $0 < widestTitle ? min(widestTitle, max($0, Clusters.width($1))) : $0 }
  }
  private static let widestTitle = 33

  static func place(_ pane: Pane, _ rect: Rect, isFirst: Bool) -> Place {
    Place(pane: pane, rect: rect, content: rect.inset(left: isFirst ? 0 : 1, top: 1))
  }
}

extension State {
  public var layout: Layout {
    let screen = self.screen
    return Layout(
      size: size, panes: tab.kind.panes(self), focus: screen.focus, isReading: screen.isReading, sideWidth: sideWidth,
      widths: paneWidths, listening: listening, showsCover: preferences.coverArt, isLinear: preferences.isLinear)
  }

  /// As wide as the longest title, with room for the count.
  private var sideWidth: Int {
    switch tab {
    case .discover: 40
    case .playlists: max(24, longestPlaylistTitle + 7)
    default: max(24, longestPodcastTitle + 7)
    }
  }

  /// `{` and `}`: the pane that has the focus takes columns from its neighbour, or gives them.
  mutating func resizePane(by columns: Int) -> [Effect] {
    let before = layout
    let old = paneWidths
    let setting: Setting
    if focusedPane == .podcasts || focusedPane == .playlists {
      paneWidths = PaneWidths(side: old.side + columns, detail: old.detail)
      setting = .sideWidth
    } else if before.place(.detail) == nil {
      paneWidths = PaneWidths(side: old.side - columns, detail: old.detail)
      setting = .sideWidth
    } else {
      paneWidths = PaneWidths(side: old.side, detail: old.detail + (focusedPane == .detail ? columns : -columns))
      setting = .detailWidth
    }
    guard layout != before else {
      paneWidths = old
      say(.note, "It cannot be made \(columns > 0 ? "wider" : "narrower")")
      return []
    }
    return [.write(.saveSetting(setting, String(setting == .sideWidth ? paneWidths.side : paneWidths.detail)))]
  }
}
