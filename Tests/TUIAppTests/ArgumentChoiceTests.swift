import Foundation
import Testing

@testable import TUIApp

@Suite(InTurn()) struct ArgumentChoiceTests {
  /// A preloaded library has moved the environment, so that Swift finds no arguments or wrong ones.
  @Test(arguments: [[], ["earshot"], ["\u{7f}", ""]]) func kernelsArgumentsReplaceLostOnes(found: [String]) {
    #expect(ArgumentMemory.choose(found, kernel: ["earshot", "remove", "7"]) == ["earshot", "remove", "7"])
  }

  /// With `ld.so earshot list`, the program's own arguments are the last ones.
  @Test func argumentsOfTheLoaderAreNotTheProgramsOnes() {
    #expect(ArgumentMemory.choose(["earshot", "list"], kernel: ["ld.so", "earshot", "list"]) == ["earshot", "list"])
    #expect(ArgumentMemory.choose(["earshot"], kernel: ["earshot"]) == ["earshot"])
  }
}
