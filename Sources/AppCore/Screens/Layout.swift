import Model
import TerminalKit

/// The areas of all panes on a screen of a given size. `update` needs it for the heights of lists, and `render` to
/// draw. Sharing it keeps them consistent.
public struct Layout: Equatable, Sendable {
  /// A smaller screen shows only a line that says it is too small.
  public static let minimumSize = Size(20, 6)
  /// On a smaller screen not everything fits, and a message says so once.
  static let sufficientSize = Size(40, 12)
  /// From this width on, all panes are side by side.
  public static let wide = 110
  /// From this width on, two panes are side by side.
  public static let medium = 80

  public struct Area: Equatable, Sendable {
    public var pane: Pane
    /// With the title line.
    public var rect: Rect
    /// Without the title line and the border on the left.
    public var content: Rect
  }

  public var tabs: Rect
  public var areas: [Area]
  /// The picture in the full-screen view; nil if it has none.
  public private(set) var cover: Rect?
  public var status: Rect
  public var player: Rect
  public var isTooSmall: Bool

  /// The rows of a list that is hidden for now.
  private var bodyHeight: Int

  public init(
    size: Size, panes: [Pane], focus: Pane, isReading: Bool, sideWidth: Int, namesPodcasts: Bool, widths: PaneWidths,
    listening: ListeningView?, showsCover: Bool, isLinear: Bool
  ) {
    let bounds = Rect(size)
    isTooSmall = size.width < Self.minimumSize.width || size.height < Self.minimumSize.height
    guard !isLinear else {
      // In linear mode: a heading, one pane, a row for messages, and a row for the player.
      tabs = bounds.splitTop(1).top
      let pane = listening?.part ?? (isReading ? .detail : focus)
      let page = bounds.inset(top: 1, bottom: 2)
      areas = [Area(pane: pane, rect: page, content: page)]
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
      (areas, cover) = ListeningLayout.areas(in: upper.top, listening, showsCover: showsCover)
    } else {
      areas = Self.areas(
        in: upper.top, panes: panes, focus: focus, isReading: isReading, sideWidth: sideWidth,
        titles: Self.enoughForTitles + (namesPodcasts ? Self.enoughForNames : 0), widths: widths)
    }
  }

  public func area(_ pane: Pane) -> Area? { areas.first { $0.pane == pane } }

  /// The rows of a list in this pane; 0 if the pane is not visible.
  public func height(_ pane: Pane) -> Int { area(pane)?.content.height ?? 0 }

  /// As `height`, but for a list that is hidden for now, so that it does not scroll meanwhile.
  func listHeight(_ pane: Pane) -> Int { max(1, area(pane)?.content.height ?? bodyHeight - 1) }

  private static func areas(
    in body: Rect, panes: [Pane], focus: Pane, isReading: Bool, sideWidth: Int, titles: Int, widths: PaneWidths
  ) -> [Area] {
    if isReading { return [area(.detail, body)] }
    if body.width < medium { return [area(focus, body)] }
    if let (list, detail) = stacked(body, panes, widths) { return [area(.episodes, list), area(.detail, detail)] }
    var shown = panes
    if body.width < wide, panes.count > 2 {
      // The two panes next to the focus.
      shown = focus == .detail ? [.episodes, .detail] : [panes[0], .episodes]
    }
    var rest = body
    let columns = self.widths(of: shown, in: body.width, sideWidth: sideWidth, titles: titles, widths)
    return zip(shown, columns).map { pane, width in
      let cut = rest.splitLeft(width)
      rest = cut.rest
      return area(pane, cut.left)
    }
  }

  /// On a screen of medium width, a list of several podcasts' episodes has the whole width, for the names of both, and
  /// the details are below it. Nil if there is no such list, or not enough height.
  private static func stacked(_ body: Rect, _ panes: [Pane], _ widths: PaneWidths) -> (list: Rect, detail: Rect)? {
    guard body.width < wide, panes == [.episodes, .detail], body.height >= minimumStackedHeight else { return nil }
    let own = body.height * 2 / 5 + widths.detail / 2
    let height = max(minimumPaneHeight, min(own, body.height - minimumPaneHeight))
    let cut = body.splitTop(body.height - height)
    return (cut.top, cut.rest)
  }

  /// The minimum height of two panes, one below the other, and of each. In rows, with their title lines.
  private static let (minimumStackedHeight, minimumPaneHeight) = (16, 5)

  /// The minimum width of a pane that the listener can choose, in columns.
  private static let minimumPaneWidth = 16

  /// The widths of the side pane, of a list of episodes, and of the details, in columns. A side pane is as wide as its
  /// titles. The details get more only when the list has enough. A list that names podcasts needs more.
  private static let (sideWidths, enoughForTitles, enoughForNames, enoughForDetails) = (18...28, 50, 34, 36)

  /// The width of each pane, for its contents. What the listener has changed wins.
  private static func widths(of shown: [Pane], in width: Int, sideWidth: Int, titles: Int, _ own: PaneWidths) -> [Int] {
    // The list of results counts as a side pane once a podcast is opened beside it.
    let isSide = { (pane: Pane) in pane.kind.isSide || pane == .results && shown.contains(.episodes) }
    let widest = max(sideWidths.upperBound, width / 5)
    let side = shown.contains(where: isSide) ? min(max(sideWidth, sideWidths.lowerBound), widest) : 0
    // Results name the podcast and its author, and the errors of directories are below them.
    let wanted = (width - side) * 2 / 5
    let detail =
      shown[0] == .results && side == 0 ? wanted : max(enoughForDetails, min(wanted, width - side - titles))
    var rest = width
    return shown.indices.map { index in
      let following = shown.count - 1 - index
      guard following > 0 else { return rest }
      // Columns that the listener gave to the side pane are taken from the pane beside it.
      let wanted = isSide(shown[index]) ? side + own.side : rest - detail - own.detail
      let given = max(minimumPaneWidth, min(wanted, rest - following * minimumPaneWidth))
      rest -= given
      return given
    }
  }

  /// The width in columns of the longest of the first 200 titles, limited to what a side pane can use.
  static func titleWidth(_ titles: some Sequence<String>) -> Int {
    titles.prefix(200).reduce(0) { $0 < maxTitleWidth ? min(maxTitleWidth, max($0, Clusters.width($1))) : $0 }
  }
  private static let maxTitleWidth = 33

  /// A pane with a title line, and with a border on its left if another one is there.
  static func area(_ pane: Pane, _ rect: Rect) -> Area {
    Area(pane: pane, rect: rect, content: rect.inset(left: rect.x > 0 ? 1 : 0, top: 1))
  }
}

extension State {
  /// Says once that the screen is small. The message goes when the screen is large enough.
  mutating func resize(to new: Size) {
    size = new
    guard isSmallScreen else {
      // Nobody has read it.
      if messages.condition == .smallScreen { isSmallSizeTold = false }
      return
    }
    guard !isSmallSizeTold, !preferences.isLinear, message == nil, !layout.isTooSmall else { return }
    isSmallSizeTold = true
    let needed = Layout.sufficientSize
    let message = Message(.info, "Earshot needs \(needed.width)x\(needed.height)")
    messages.show(message, at: now, isLogged: false, while: .smallScreen)
  }

  /// Whether there is less room than the screens need.
  var isSmallScreen: Bool { size.width < Layout.sufficientSize.width || size.height < Layout.sufficientSize.height }

  public var layout: Layout {
    let screen = self.screen
    let panes = tab.kind.panes(self)
    return Layout(
      size: size, panes: panes, focus: screen.focus, isReading: screen.isReading,
      sideWidth: panes.first?.kind.sideWidth(self) ?? 0, namesPodcasts: tab.kind.traits.namesPodcasts,
      widths: screens.paneWidths, listening: listening,
      showsCover: preferences.coverArt,
      isLinear: preferences.isLinear)
  }

  /// `{` and `}`: makes the focused pane wider or narrower.
  mutating func resizePane(by columns: Int) -> [Effect] {
    let before = layout
    let old = screens.paneWidths
    let setting: Setting
    if focusedPane.kind.isSide {
      screens.paneWidths = PaneWidths(side: old.side + columns, detail: old.detail)
      setting = .sideWidth
    } else if before.area(.detail) == nil {
      screens.paneWidths = PaneWidths(side: old.side - columns, detail: old.detail)
      setting = .sideWidth
    } else {
      screens.paneWidths = PaneWidths(
        side: old.side, detail: old.detail + (focusedPane == .detail ? columns : -columns))
      setting = .detailWidth
    }
    guard layout != before else {
      screens.paneWidths = old
      return tell(.info, "The pane cannot be made \(columns > 0 ? "wider" : "narrower")")
    }
    return [.setting(setting, String(setting == .sideWidth ? screens.paneWidths.side : screens.paneWidths.detail))]
  }
}

/// How many columns the listener has made panes wider (or narrower, if negative).
public struct PaneWidths: Equatable, Sendable {
  public var side: Int
  public var detail: Int
  public init(side: Int = 0, detail: Int = 0) {
    self.side = max(-200, min(200, side))
    self.detail = max(-200, min(200, detail))
  }
}
