/// The playback settings of one podcast. A nil field means the general setting.
public struct PlaybackSettings: Sendable, Equatable, Codable {
  /// See `RemoteCommand.speeds`.
  public var speed: Double?
  /// In decibels.
  public var gain: Double?
  public var isLevelled: Bool?
  public var skipsSilence: Bool?
  public var isMono: Bool?
  /// Seconds at the beginning and at the end that are skipped.
  public var intro: Double?
  public var outro: Double?
  /// A chapter whose title contains one of these words is skipped. Case does not matter.
  public var skippedWords: [String]?
  /// Which file is played if an episode has several.
  public var media: MediaChoice?

  public init() {}

  /// The gains that the listener can set, in decibels.
  public static let gains = -20.0...20.0
  /// The intros and outros that the listener can set, in seconds.
  public static let skips = 0.0...3600.0

  /// Whether all values are such as the listener can set.
  var isWithinLimits: Bool {
    func isWithin(_ value: Double?, _ limits: ClosedRange<Double>) -> Bool { value.map(limits.contains) ?? true }
    return isWithin(speed, RemoteCommand.speeds) && isWithin(gain, Self.gains) && isWithin(intro, Self.skips)
      && isWithin(outro, Self.skips)
  }

  /// A change of one field.
  public enum Change: Sendable, Equatable {
    case speed(Double?)
    case gain(Double?)
    case levelling(Bool?)
    case silence(Bool?)
    case mono(Bool?)
    case intro(Double?)
    case outro(Double?)
    case skippedWords([String])
    case media(MediaChoice?)
    case reset
  }

  public mutating func apply(_ change: Change) {
    switch change {
    case .speed(let speed): self.speed = speed
    case .gain(let gain): self.gain = gain == 0 ? nil : gain
    case .levelling(let isOn): isLevelled = isOn
    case .silence(let isOn): skipsSilence = isOn
    case .mono(let isOn): isMono = isOn
    case .intro(let seconds): intro = seconds == 0 ? nil : seconds
    case .outro(let seconds): outro = seconds == 0 ? nil : seconds
    case .skippedWords(let words): skippedWords = words.isEmpty ? nil : words
    case .media(let choice): media = choice
    case .reset: self = PlaybackSettings()
    }
  }

  /// In seconds: a skip is used only if more than this is left to hear. A bonus episode may be as short as the intro.
  private static let minimumRest = 5.0

  /// The intro to skip in a file of this duration. Nil if the file is too short for it. All in seconds.
  public func intro(of duration: Double?) -> Double? {
    guard let intro, let duration else { return intro }
    return intro + Self.minimumRest < duration ? intro : nil
  }

  /// The outro to skip in a file of this duration. Nil if the file is too short for it, after its intro. In seconds.
  public func outro(of duration: Double?) -> Double? {
    guard let outro, let duration else { return nil }
    return outro + (intro(of: duration) ?? 0) + Self.minimumRest < duration ? outro : nil
  }

  /// Whether playback from `before` to `position` (seconds) has entered the outro. False if it was in the outro before,
  /// because the listener chose it.
  public func reachesOutro(from before: Double, to position: Double, of duration: Double?) -> Bool {
    guard let duration, let outro = outro(of: duration) else { return false }
    return position >= duration - outro && before < duration - outro
  }

  /// The sound of this podcast.
  /// - Parameter general: the sound of podcasts without their own settings.
  public func shape(over general: SoundShape) -> SoundShape {
    SoundShape(
      gain: gain ?? general.gain, isLevelled: isLevelled ?? general.isLevelled,
      skipsSilence: skipsSilence ?? general.skipsSilence, isMono: isMono ?? general.isMono)
  }
}
