import Model
import Testing

@Suite struct NearestNameTests {
  @Test(arguments: [
    ("seek_foward", ["seek_forward"]), ("sped", ["speed"]), ("config", ["configuration"]), ("SPEED", ["speed"]),
    ("spede", ["speed"]), ("seek_fo", ["seek_forward"]), ("xyz", []), ("", []), ("s", []),
  ]) func likelyNamesAreFound(word: String, names: [String]) {
    #expect(NearestName.names(for: word, among: ["configuration", "seek_forward", "speed", "volume"]) == names)
  }

  @Test func longWordsAreCompared() {
    #expect(NearestName.names(for: String(repeating: "x", count: 5000), among: ["speed"]) == [])
  }
}
