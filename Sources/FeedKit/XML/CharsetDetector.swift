#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// libuchardet, Mozilla's statistics of which bytes follow each other in which language. libmpv needs it, so it is where
/// the player is; opened when the first text comes that is no UTF-8 and does not say what it is. Never closed.
struct CharsetDetector: Sendable {
  private typealias New = @convention(c) () -> OpaquePointer?
  private typealias Delete = @convention(c) (OpaquePointer) -> Void
  private typealias Handle = @convention(c) (OpaquePointer, UnsafePointer<UInt8>, Int) -> Int32
  private typealias End = @convention(c) (OpaquePointer) -> Void
  private typealias Answer = @convention(c) (OpaquePointer) -> UnsafePointer<CChar>?

  private let new: New
  private let delete: Delete
  private let handle: Handle
  private let end: End
  private let answer: Answer

  /// Nil on a system without the library.
  static let shared = CharsetDetector(names: ["libuchardet.so.0", "libuchardet.0.dylib"])

  init?(names: [String]) {
    guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first,
      let new = dlsym(library, "uchardet_new"), let delete = dlsym(library, "uchardet_delete"),
      let handle = dlsym(library, "uchardet_handle_data"), let end = dlsym(library, "uchardet_data_end"),
      let answer = dlsym(library, "uchardet_get_charset")
    else { return nil }
    // The types of uchardet.h, unchanged since 0.0.1 but for functions that were added.
    self.new = unsafeBitCast(new, to: New.self)
    self.delete = unsafeBitCast(delete, to: Delete.self)
    self.handle = unsafeBitCast(handle, to: Handle.self)
    self.end = unsafeBitCast(end, to: End.self)
    self.answer = unsafeBitCast(answer, to: Answer.self)
  }

  /// What the bytes look like, as a label that iconv knows; nil when it cannot tell.
  func guess(_ bytes: UnsafeBufferPointer<UInt8>) -> CharsetLabel? {
    guard let start = bytes.baseAddress, let state = new() else { return nil }
    defer { delete(state) }
    guard handle(state, start, bytes.count) == 0 else { return nil }
    end(state)
    guard let name = answer(state).map({ String(cString: $0) }), !name.isEmpty else { return nil }
    return CharsetLabel(name)
  }
}
