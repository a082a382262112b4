import Model
import Testing

@testable import AppCore
@testable import Session

@Suite struct TimeArgumentTests {
  @Test(arguments: [
    ("93", TimeArgument.absolute(93)), ("1:33", .absolute(93)), ("1:02:03", .absolute(3723)), ("+30", .relative(30)),
    ("-1:00", .relative(-60)), ("0", .absolute(0)), ("1.5", .absolute(1.5)), ("90:00", .absolute(5400)),
    ("007", .absolute(7)), ("9999:00:00", .absolute(35_996_400)),
  ]) func timeArgumentIsParsed(text: String, time: TimeArgument) { #expect(TimeArgument(text) == time) }

  @Test(arguments: [
    "", "+", "-", ":", "1:", ":1", "1::2", "1:2:3:4", "+-30", "--30", "++1", "1:-3", "nan", "inf", "0x10", "1e3", "1,5",
    "abc", "1 2", "1:99", "1:60:00", "0:00:60", "٣", "1.2.3", "100000000", String(repeating: "9", count: 400),
  ]) func invalidTimeArgumentIsRefused(text: String) { #expect(TimeArgument(text) == nil) }

  @Test(arguments: [
    (1.0, "1×"), (1.25, "1.25×"), (0.5, "0.5×"), (1.05, "1.05×"), (2.999, "3×"), (.nan, "0×"), (.infinity, "100×"),
    (-1, "0×"),
  ]) func speedIsFormatted(speed: Double, text: String) { #expect(PlayerText.speed(speed) == text) }

  @Test(arguments: [
    (SleepTimer.seconds(900), "sleep 15m"), (.seconds(61), "sleep 2m"), (.seconds(60), "sleep 1m"),
    (.seconds(59.9), "sleep 59s"), (.seconds(0.2), "sleep 1s"), (.endOfChapter, "sleep at chapter end"),
    (.endOfEpisode, "sleep at episode end"),
  ]) func sleepTimerIsFormatted(timer: SleepTimer, text: String) { #expect(PlayerText.sleep(timer) == text) }
}
