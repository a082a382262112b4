import Model

/// The filters for a `SoundShape`. None of them changes positions: `SoundShapeTests` compares the sound with the
/// positions reported.
extension SoundShape {
  static let gains = -20.0...20.0

  /// The value of mpv's `af` option. Each filter has a label, by which its metadata can be read.
  var filters: String {
    var chain: [String] = []
    // Levels loudness within 1.5 s. Unlike `loudnorm`, it keeps every timestamp.
    if isLevelled { chain.append("@level:lavfi=[dynaudnorm=f=200:g=15:m=8:p=0.9]") }
    if let gain = gain.clamped(to: Self.gains), gain != 0 {
      chain.append("@gain:lavfi=[volume=\(LoadArguments.signedText(gain))dB]")
    }
    if isMono { chain.append("@mono:lavfi=[aformat=channel_layouts=mono]") }
    if skipsSilence {
      chain.append("@\(SilenceDetector.label):lavfi=[silencedetect=n=-38dB:d=\(SilenceDetector.minimumLength)]")
      // Does not change the sound (no gain above 1) but delays it by 0.3 s, so that `silencedetect` reports speech
      // before it is heard and the speed is normal again in time.
      chain.append("@ahead:lavfi=[dynaudnorm=f=60:g=11:m=1:p=1]")
    }
    return chain.joined(separator: ",")
  }
}
