/// The processing of an episode's sound, except for speed and volume.
public struct SoundShape: Sendable, Equatable {
  /// Decibels, −20 to 20.
  public var gain: Double
  /// Levels the volume of loud and quiet passages.
  public var isLevelled: Bool
  /// Plays faster through silence that lasts half a second or longer.
  public var skipsSilence: Bool
  /// Plays both channels on both sides.
  public var isMono: Bool

  public init(gain: Double = 0, isLevelled: Bool = false, skipsSilence: Bool = false, isMono: Bool = false) {
    self.gain = gain
    self.isLevelled = isLevelled
    self.skipsSilence = skipsSilence
    self.isMono = isMono
  }
}

/// An audio device.
public struct AudioDevice: Sendable, Equatable {
  /// The name for the player, such as `alsa/hdmi:CARD=PCH` or `auto`.
  public var name: String
  /// The name for the listener.
  public var description: String

  public init(name: String, description: String) {
    self.name = name
    self.description = description
  }
}
