import Foundation

/// Keeps requests to this machine from a proxy. mpv reads streams from the relay, which is a port of this machine, and
/// a proxy would look for that port on its own machine.
enum ProxyBypass {
  /// Must be called at the start, before there is a second thread.
  static func addLoopback() {
    guard let proxy = getenv("http_proxy"), proxy.pointee != 0 else { return }
    // curl reads both names, FFmpeg only the first.
    let own = (getenv("no_proxy") ?? getenv("NO_PROXY")).map { String(cString: $0) } ?? ""
    // "*" is valid only by itself.
    guard own != "*" else { return }
    setenv("no_proxy", own.isEmpty ? "127.0.0.1" : own + ",127.0.0.1", 1)
  }
}
