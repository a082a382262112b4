import Model

/// Speed, filters and the device.
extension PlayerThread {
  func setSpeed(_ speed: Double, on core: MpvCore) {
    active?.wanted.speed = speed
    guard let file = active, file.isOpen else { return }
    core.set(.speed, to: .double(file.effectiveSpeed))
    reportSpeed(speed)
  }

  func setSound(_ sound: SoundShape, on core: MpvCore) {
    guard let file = active, file.wanted.sound != sound else { return }
    active?.wanted.sound = sound
    guard file.isOpen else { return }
    endSilence(on: core)
    if file.wanted.sound.filters != sound.filters { core.set("af", to: .string(file.filters(for: sound))) }
  }

  /// Polls the silence filter and changes the speed when silence begins or ends.
  func checkForSilence(on core: MpvCore) {
    guard let file = active, !file.tracker.isSeeking else { return }
    let metadata = core.value(of: "af-metadata/\(SilenceDetector.label)")
    let changes =
      active?.silence.heard(start: metadata["lavfi.silence_start"].text, end: metadata["lavfi.silence_end"].text)
      ?? false
    if changes, let speed = active?.effectiveSpeed { core.set(.speed, to: .double(speed)) }
    if changes || file.silence.isSilent { countSilence() }
  }

  /// Ends skipping silence, because of a seek, a pause or other filters.
  func endSilence(on core: MpvCore) {
    guard let file = active, file.silence.isSilent else { return }
    countSilence(all: true)
    active?.silence.forgetSilence()
    core.set(.speed, to: .double(file.wanted.speed))
  }

  /// Adds up the time saved by skipping silence, and reports it.
  func countSilence(all: Bool = false) {
    guard let file = active else { return }
    active?.silence.count(now: now, base: file.wanted.speed)
    if let seconds = active?.silence.take(all: all) {
      emit([.saved(generation: file.request.generation, seconds: seconds)])
    }
  }

  /// The chosen sound device may be unplugged. Switches to the system's choice; false if that was already in use.
  func fallBackToDefaultDevice(on core: MpvCore) -> Bool {
    guard let name = core.value(of: "audio-device").text, name != Self.anyDevice else { return false }
    core.set("audio-device", to: .string(Self.anyDevice))
    emit(.deviceGone(name))
    return true
  }

  /// mpv's own choice, which follows the system's devices.
  private static let anyDevice = "auto"

  func listDevices(on core: MpvCore) {
    let devices = core.value(of: "audio-device-list").elements.compactMap { entry -> AudioDevice? in
      guard let name = entry["name"].text else { return nil }
      return AudioDevice(name: name, description: LogLine(entry["description"].text ?? name).text)
    }
    emit(.devices(devices, chosen: core.value(of: "audio-device").text))
  }
}
