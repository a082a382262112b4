import Model

/// The order and the groups of the list of podcasts: `O`, `:sort`, `:group-by-tag`, `z`, `J` and `K`.
extension State {
  mutating func sortPodcasts(_ argument: String?) -> [Effect] {
    guard let argument else {
      let orders = PodcastOrder.allCases.map { OrderPicker.Choice.order($0) }
      let current = PodcastOrder.allCases.firstIndex(of: library.arrangement.order) ?? 0
      return open(Picker(OrderPicker(), orders + [.groups], selected: current))
    }
    guard let order = PodcastOrder(rawValue: argument) else {
      let names = PodcastOrder.allCases.map(\.rawValue).joined(separator: ", ")
      return tell(.error, "“\(argument)” is not an order of podcasts: there are \(names)")
    }
    return sortPodcasts(order)
  }

  mutating func sortPodcasts(_ order: PodcastOrder) -> [Effect] {
    arrangePodcasts { $0.arrangement.order = order }
    let hint = order == .manual ? ". \(keymap.press(.moveDown)) or \(keymap.hint(.moveUp)) to move a podcast." : ""
    showMessage(.info, "Podcasts \(order.words)\(hint)")
    return [.setting(.podcastOrder, order.rawValue)]
  }

  mutating func groupPodcasts() -> [Effect] {
    arrangePodcasts { $0.arrangement.isGrouped.toggle() }
    if library.arrangement.isGrouped, library.podcasts.allSatisfy(\.tags.isEmpty) {
      showMessage(.info, "No podcast has a tag yet. \(keymap.press(.tags)) to give one to the selected podcast.")
    } else {
      let fold = "Podcasts by their tags. \(keymap.press(.fold)) to fold a group."
      showMessage(.info, library.arrangement.isGrouped ? fold : "All podcasts in one list")
    }
    return [.setting(.podcastGroups, library.arrangement.isGrouped ? "1" : "0")]
  }

  /// Folds or unfolds the group of the selected line.
  mutating func foldGroup() -> [Effect] {
    guard let group = podcastGroup(of: screens.podcasts.list.selected) else { return [] }
    arrangePodcasts { $0.arrangement.folded.formSymmetricDifference([group.key]) }
    // A hidden podcast cannot be selected, so the header of its group is.
    if let head = library.podcastLines.firstIndex(where: { $0.group?.key == group.key }),
      library.arrangement.folded.contains(group.key)
    {
      screens.podcasts.list.moveTo(head)
    }
    return [.setting(.foldedTags, library.arrangement.foldedText)]
  }

  /// Moves the selected podcast by one row. The order on the screen becomes the manual order.
  mutating func movePodcast(by step: Int) -> [Effect] {
    let selected = screens.podcasts.list.selected
    guard let moved = selectedPodcastLine?.podcast, library.podcastLines.indices.contains(selected + step),
      let neighbour = library.podcastLines[selected + step].podcast
    else { return [] }
    let shown = library.arrangement.order.sorted(library.podcasts).map(\.id)
    var order = shown.filter { $0 != moved.id }
    guard let index = order.firstIndex(of: neighbour.id) else { return [] }
    let target = step > 0 ? index + 1 : index
    order.insert(moved.id, at: target)
    let ranks = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    let wasOwn = library.arrangement.order == .manual
    arrangePodcasts { library in
      library.podcasts = library.podcasts.map { row in
        var row = row
        row.rank = ranks[row.id]
        return row
      }
      library.arrangement.order = .manual
    }
    let effects: [Effect] = [.write(.movePodcast(moved.id, to: target, among: shown))]
    guard !wasOwn else { return effects }
    showMessage(.info, "Podcasts in your own order now. \(keymap.press(.sortPodcasts)) to choose another.")
    return effects + [.setting(.podcastOrder, PodcastOrder.manual.rawValue)]
  }
}
