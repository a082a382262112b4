/// Playing, seeking, clips, sound and the sleep timer.
extension CommandTable {
  mutating func addPlaybackCommands() {
    group = .playback
    add(.pause, "Play or pause", keys: ["<Space>"]) { $0.togglePause() }
    add(.play, "Play the selected episode", unless: \.noEpisode, needsList: true) { $0.playSelected() }
    add(
      .named("video"), "Show the video in a window of mpv", keys: ["<C-v>"], unless: \.noEpisode, needsList: true,
      writes: true
    ) { $0.openVideo() }
    add(.named("stop"), "Stop and save the position", unless: \.nothingToStop) { $0.stop() }
    add(.seekForward, "Seek forward", keys: ["<Right>"], counts: .repeats, unless: \.noSound) {
      $0.seek(by: $0.preferences.seekForward, as: .short)
    }
    add(.seekBack, "Seek back", keys: ["<Left>"], counts: .repeats, unless: \.noSound) {
      $0.seek(by: -$0.preferences.seekBack, as: .short)
    }
    add(.seekForwardLong, "Seek forward a minute", keys: ["<S-Right>"], counts: .repeats, unless: \.noSound) {
      $0.seek(by: $0.preferences.seekForwardLong, as: .long)
    }
    add(.seekBackLong, "Seek back a minute", keys: ["<S-Left>"], counts: .repeats, unless: \.noSound) {
      $0.seek(by: -$0.preferences.seekBackLong, as: .long)
    }
    add(.seek, "Seek to a time, or by +30 or -10 seconds", argument: .text("TIME")) { $0.seek($1) }
    add(.jumpBack, "Back to where you jumped from", keys: ["<C-o>"], counts: .repeats, unless: \.noJumpBack) {
      $0.stepThroughJumps(back: true)
    }
    add(
      .jumpForward, "Forward again, after going back", keys: ["<C-p>", "<C-i>"], counts: .repeats,
      unless: \.noJumpForward
    ) { $0.stepThroughJumps(back: false) }
    add(.named("where"), "Show the title and the position", keys: ["w"]) { $0.showPosition() }
    add(.named("next-chapter"), "Next chapter", keys: [">", "."], counts: .repeats, unless: \.noChaptersHere) {
      $0.seekChapter(1)
    }
    add(
      .named("previous-chapter"), "Previous chapter", keys: ["<lt>", ","], counts: .repeats, unless: \.noChaptersHere
    ) { $0.seekChapter(-1) }
    add(.chapters, "List the chapters", keys: ["c"], unless: \.noChaptersToList, needsList: true) { $0.openChapters() }
    add(.clipStart, "Mark where a clip starts", keys: ["("], unless: \.noClipToStart, writes: true) {
      $0.markClipStart()
    }
    add(.clipEnd, "Mark where the clip ends, and save it", keys: [")"], unless: \.noClipToEnd, writes: true) {
      $0.markClipEnd()
    }
    add(
      .bookmark, "Bookmark what was just heard", argument: .text("TITLE"), keys: ["B"], unless: \.noBookmark,
      writes: true
    ) { $0.bookmark($1) }
    add(.named("next-bookmark"), "Next bookmark", keys: ["'"], counts: .repeats, unless: \.noSound) {
      $0.seekBookmark(1)
    }
    add(.named("previous-bookmark"), "Previous bookmark", keys: ["\""], counts: .repeats, unless: \.noSound) {
      $0.seekBookmark(-1)
    }
    add(
      .note, "Write a note about it", argument: .text("TEXT"), keys: ["L"], unless: \.nothingToNote, needsList: true,
      writes: true
    ) { $0.note($1) }
    add(
      .named("edit-note"), "Write a note in your editor", keys: ["<C-e>"], unless: \.nothingToNote, needsList: true,
      writes: true
    ) { $0.editNote() }
    add(.named("notes"), "List all notes and bookmarks") { $0.showNotes() }
    add(.skipThis, "Always skip from the clip's start to here", keys: ["$"], unless: \.noPartToSkip, writes: true) {
      $0.skipThis()
    }
    add(
      .editClip, "Edit the start and the end of a clip", keys: ["C"], unless: \.noClip, needsList: true, writes: true
    ) { $0.editClip() }
    add(
      .exportClip, "Write a clip as an audio file", argument: .file, keys: ["F"], unless: \.noSoundOfClip,
      needsList: true
    ) { $0.exportClip($1) }
    add(.share, "Copy a clip or an episode as text with a link", keys: ["Y"], unless: \.noEpisode, needsList: true) {
      $0.share()
    }
    add(.named("volume-up"), "Louder", keys: ["+", "="], counts: .repeats, unless: \.otherPlays) {
      $0.setVolume($0.player.volume + $0.preferences.volumeStep)
    }
    add(.named("volume-down"), "Quieter", keys: ["-"], counts: .repeats, unless: \.otherPlays) {
      $0.setVolume($0.player.volume - $0.preferences.volumeStep)
    }
    add(.volume, "Set the volume", argument: .text("PERCENT"), counts: .argument, unless: \.otherPlays) {
      $0.setVolume($1)
    }
    add(.named("faster"), "Faster", keys: ["]"], counts: .repeats, unless: \.otherPlays) {
      $0.setSpeed($0.player.speed + $0.preferences.speedStep)
    }
    add(.named("slower"), "Slower", keys: ["["], counts: .repeats, unless: \.otherPlays) {
      $0.setSpeed($0.player.speed - $0.preferences.speedStep)
    }
    add(.named("normal-speed"), "Normal speed", keys: ["\\"], unless: \.otherPlays) { $0.setSpeed(1) }
    add(.speed, "Set the speed", argument: .text("FACTOR"), unless: \.otherPlays) { $0.setSpeed($1) }
    add(
      .sleep, "Sleep timer, or when it ends", argument: .text("WHEN"), keys: ["s"], counts: .argument,
      unless: \.otherPlays
    ) { $0.sleep($1) }
    add(.named("sleep-extend"), "Extend the sleep timer", keys: ["S"], unless: \.otherPlays) { $0.extendSleep() }
    add(.sleepBack, "Back to where the sleep timer was set", keys: ["Z"], unless: \.noSleepMark) { $0.sleepBack() }
    add(.named("skip-silence"), "Skip silence on or off", argument: .text("ON|OFF"), unless: \.otherPlays) {
      $0.toggleSound(.skipSilence, $1)
    }
    add(.named("levelling"), "Level loud and quiet parts, on or off", argument: .text("ON|OFF"), unless: \.otherPlays) {
      $0.toggleSound(.levelling, $1)
    }
    add(.named("mono"), "Mono on or off", argument: .text("ON|OFF"), unless: \.otherPlays) { $0.toggleSound(.mono, $1) }
    add(
      .show, "Settings of the selected podcast", argument: .text("SETTING"), keys: ["v"], unless: \.noPodcastForSetting,
      needsList: true
    ) { $0.show($1) }
    add(.named("device"), "Choose the audio device", argument: .text("DEVICE"), unless: \.otherPlays) { $0.device($1) }
    add(.correctPlace, "Correct the position in a changed file", keys: ["@"], unless: \.noShift) {
      $0.correctPosition()
    }
  }
}

extension CommandName {
  static let pause = named("play-pause")
  static let play = named("play")
  static let seekForward = named("seek-forward")
  static let seekBack = named("seek-back")
  static let seekForwardLong = named("seek-forward-long")
  static let seekBackLong = named("seek-back-long")
  static let seek = named("seek")
  static let jumpBack = named("jump-back")
  static let jumpForward = named("jump-forward")
  static let chapters = named("chapters")
  static let clipStart = named("clip-start")
  static let clipEnd = named("clip-end")
  static let editClip = named("edit-clip")
  static let bookmark = named("bookmark")
  static let note = named("note")
  static let skipThis = named("skip-this")
  static let exportClip = named("export-clip")
  static let share = named("share")
  static let show = named("show")
  static let volume = named("volume")
  static let speed = named("speed")
  static let sleep = named("sleep")
  static let sleepBack = named("sleep-back")
  static let correctPlace = named("correct-place")
}
