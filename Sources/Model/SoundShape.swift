/// What is done to the sound of an episode, beside its speed and volume.
public struct SoundShape: Sendable, Equatable {
  /// Decibels, −20 to 20.
  public var gain: Double
  /// Loud and quiet passages are brought nearer to each other.
  public var isLevelled: Bool
  /// Silence of half a second and more is passed over quickly.
  public var skipsSilence: Bool
  /// Both ears hear everything.
  public var isMono: Bool

  public init(gain: Double = 0, isLevelled: Bool = false, skipsSilence: Bool = false, isMono: Bool = false) {
    self.gain = gain
    self.isLevelled = isLevelled
    self.skipsSilence = skipsSilence
    self.isMono = isMono
  }
}

/// Where sound can go.
public struct AudioDevice: Sendable, Equatable {
  /// As the player wants it: `alsa/hdmi:CARD=PCH`, `auto`.
  public var name: String
  /// For people.
  public var description: String

  public init(name: String, description: String) {
    self.name = name
    self.description = description
  }
}
