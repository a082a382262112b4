import Foundation

/// Passes values to the process of an exit test, because the exit tests of Swift 6.2 cannot capture any.
///
/// They go through a file whose name has the id of the parent process and the file of the test. So a test file may run
/// only one exit test at a time: its suite is `.serialized`, or it has only one.
public enum ExitTestValues {
  /// Leaves the values for the process that the next exit test of this file starts.
  public static func send(_ values: some Encodable, from file: String = #fileID) throws {
    try JSONEncoder().encode(values).write(to: url(parent: getpid(), file))
  }

  /// Takes the values in the process of the exit test.
  public static func receive<Values: Decodable>(_: Values.Type, from file: String = #fileID) throws -> Values {
    let url = url(parent: getppid(), file)
    let values = try JSONDecoder().decode(Values.self, from: Data(contentsOf: url))
    try FileManager.default.removeItem(at: url)
    return values
  }

  private static func url(parent: pid_t, _ file: String) -> URL {
    let name = file.replacingOccurrences(of: "/", with: "-")
    return FileManager.default.temporaryDirectory.appendingPathComponent("earshot-exit-test-\(parent)-\(name)")
  }
}
