import Model

/// The library for the desktop, for `earshot doctor`. None on macOS, which has no D-Bus.
public enum DesktopLibraries {
  public static func check() -> [OptionalLibrary] {
    #if canImport(CSDBus)
      let found = BusLibrary.names.first { (try? BusLibrary(names: [$0])) != nil }
      return [
        OptionalLibrary(
          name: "sd-bus", wanted: BusLibrary.names.joined(separator: ", "), found: found,
          loss: "no media keys, notifications and stored passwords")
      ]
    #else
      return []
    #endif
  }
}
