/// Cleans text from outside, so that it can be shown, set as a title or passed to another program. `CleanScalars` lists
/// what is removed.
public enum Sanitize {
  /// Makes one line: line ends and tabs become spaces.
  public static func line(_ text: some StringProtocol) -> String {
    let text = Substring(text)
    guard ASCIIClusters.count(of: text) == nil else { return String(text) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in CleanScalars(text, keepsNewlines: false) { ClusterText(scalar).writeUTF8(to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
