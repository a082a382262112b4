/// How the listener wants to hear one podcast. A field that is nil is as for all podcasts.
public struct PlaybackSettings: Sendable, Equatable, Codable {
  /// 0.5 to 4.
  public var speed: Double?
  /// Decibels, −20 to 20.
  public var gain: Double?
  public var isLevelled: Bool?
  public var skipsSilence: Bool?
  public var isMono: Bool?
  /// Seconds at the beginning and at the end that are not played.
  public var intro: Double?
  public var outro: Double?
  /// A chapter whose title holds one of these words is passed over, whatever their case.
  public var skippedWords: [String]?
  /// Which of several files of an episode.
  public var media: MediaChoice?

  public init() {}

  /// One change, as a command or another surface asks for it.
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

  /// Whether playing from `before` to `position` (seconds) reached the outro. False when the listener was in it already:
  /// then the outro was chosen.
  public func reachesOutro(from before: Double, to position: Double, of duration: Double?) -> Bool {
    guard let outro, let duration else { return false }
    return position >= duration - outro && before < duration - outro
  }

  /// The sound of this podcast where `general` is that of all podcasts.
  public func shape(over general: SoundShape) -> SoundShape {
    SoundShape(
      gain: gain ?? general.gain, isLevelled: isLevelled ?? general.isLevelled,
      skipsSilence: skipsSilence ?? general.skipsSilence, isMono: isMono ?? general.isMono)
  }
}
