import AppCore
import Directories
import Foundation
import Model
import Store

extension Preferences {
  /// The preferences from the configuration. What it does not set comes from the stored settings.
  static func remembered(_ configuration: Configuration, _ library: Library) throws(StoreError) -> Preferences {
    let settings = try library.settings()
    func remembered(_ setting: Setting) -> Double? { settings[setting.rawValue].flatMap(Double.init) }
    var preferences = configuration.preferences
    if !configuration.setsVolume, let volume = remembered(.volume) { preferences.volume = min(150, max(0, volume)) }
    if !configuration.setsSpeed, let speed = remembered(.speed) { preferences.speed = min(4, max(0.5, speed)) }
    for (key, setting, part) in switches where !configuration.setSounds.contains(key) {
      if let value = settings[setting.rawValue] { preferences.sound[keyPath: part] = value == "1" }
    }
    preferences.country = configuration.discover.settings.country
    preferences.genres = Genre.all.map(\.name)
    return preferences
  }

  private static let switches: [(key: String, setting: Setting, part: WritableKeyPath<SoundShape, Bool> & Sendable)] = [
    ("skip_silence", .skipSilence, \.skipsSilence), ("levelling", .levelling, \.isLevelled), ("mono", .mono, \.isMono),
  ]
}
