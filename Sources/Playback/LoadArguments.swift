import Model

/// Turns a `PlayRequest` into the options of mpv's `loadfile` command.
enum LoadArguments {
  /// Settings of the sound are per-file options, which mpv applies when it opens the file. The previous file keeps its
  /// own options to its end, and no seek is needed after opening. Those of the demuxer (`MediaSource.options`) are not:
  /// libmpv 0.41 closes a prefetched file if a per-file option of the demuxer is set when it begins, even to the same
  /// value.
  static func options(_ request: PlayRequest, _ opening: ActiveFile.Opening) -> [(key: String, value: String)] {
    let seeking = opening.seeking
    var options = seeking.fileOptions
    if let start = seeking.startOption(request.start) { options.append(start) }
    options.append(("pause", request.isPaused || opening.isHeld ? "yes" : "no"))
    options.append(("speed", text(request.speed.clamped(to: PlayRequest.speeds) ?? 1)))
    options.append(("volume", text(request.volume.clamped(to: PlayRequest.volumes) ?? 100)))
    // Set even if empty. Otherwise, filters that the previous file changed while playing would stay.
    options.append(
      ("af", filters([seeking.filter(startingAt: request.start), request.sound.filters, request.extraFilter])))
    if let title = request.title { options.append(("force-media-title", LogLine(title).text)) }
    return options
  }

  /// mpv's `af` for these filters. Nil and empty ones are left out.
  static func filters(_ filters: [String?]) -> String {
    filters.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ",")
  }

  static func signedText(_ number: Double) -> String { number < 0 ? "-" + text(-number) : text(number) }

  /// Where mpv starts or ends: a microsecond later, because libmpv 0.41 calculates the sample at which it cuts a little
  /// too low, and rounds it down.
  static func cut(_ second: Double) -> String { text(second) + "001" }

  /// Rounded to thousandths, with a decimal point in every locale.
  static func text(_ number: Double) -> String {
    let thousandths = Int64((number * 1000).rounded())
    let fraction = String(thousandths % 1000 + 1000).dropFirst()
    return "\(thousandths / 1000).\(fraction)"
  }
}

/// The filters for a `SoundShape`. None of them changes positions: `SoundShapeTests` compares the sound with the
/// positions reported.
extension SoundShape {
  /// The value of mpv's `af` option. Each filter has a label, by which its metadata can be read.
  var filters: String {
    var chain: [String] = []
    // Levels loudness within 1.5 s. Unlike `loudnorm`, it keeps every timestamp.
    if isLevelled { chain.append("@level:lavfi=[dynaudnorm=f=200:g=15:m=8:p=0.9]") }
    if let gain = gain.clamped(to: PlaybackSettings.gains), gain != 0 {
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
