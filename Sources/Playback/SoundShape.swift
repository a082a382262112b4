import Model

/// What is done to the sound on its way to the ear. None of it moves a position: `SoundShapeTests` compares what is heard
/// with what is told.
extension SoundShape {
  static let gains = -20.0...20.0

  /// mpv's `af` list. Every filter has a label, by which it can be asked.
  var filters: String {
    var chain: [String] = []
    // Evens out loud and quiet within a second and a half; unlike `loudnorm` it keeps every timestamp.
    if isLevelled { chain.append("@level:lavfi=[dynaudnorm=f=200:g=15:m=8:p=0.9]") }
    if let gain = gain.clamped(to: Self.gains), gain != 0 {
      chain.append("@gain:lavfi=[volume=\(LoadArguments.signedText(gain))dB]")
    }
    if isMono { chain.append("@mono:lavfi=[aformat=channel_layouts=mono]") }
    if skipsSilence {
      chain.append("@\(SilenceWatch.label):lavfi=[silencedetect=n=-38dB:d=0.5]")
      // Changes nothing (no gain above 1) but holds the sound back by 0.3 s, so that speech is announced before it is
      // heard: the speed must be normal again at its first sound.
      chain.append("@ahead:lavfi=[dynaudnorm=f=60:g=11:m=1:p=1]")
    }
    return chain.joined(separator: ",")
  }
}
