import Programs
import Testing

@Suite struct HomePathTests {
  @Test func tildeIsTheHome() {
    #expect(HomePath.expanding("~/a", home: "/home/x") == "/home/x/a")
    #expect(HomePath.expanding("~", home: "/home/x") == "/home/x")
    #expect(HomePath.expanding("a~/b", home: "/home/x") == "a~/b")
    #expect(HomePath.expanding("~b", home: "/home/x") == "~b")
  }

  @Test func variableIsTheHome() {
    #expect(HomePath.directory(["HOME": "/srv/x"]) == "/srv/x")
    #expect(HomePath.directory(["HOME": ""]) == HomePath.directory([:]))
  }
}
