#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// libuchardet, Mozilla's charset detector, which uses statistics of byte sequences in languages. libmpv depends on
/// it, so it is installed with the player. It is opened for the first text that is not UTF-8 and does not declare its
/// charset, and never closed.
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

  /// Nil if the library is not installed.
  static let shared = CharsetDetector(names: names)

  static let names = ["libuchardet.so.0", "libuchardet.0.dylib"]

  init?(names: [String]) {
    guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first,
      let new = dlsym(library, "uchardet_new"), let delete = dlsym(library, "uchardet_delete"),
      let handle = dlsym(library, "uchardet_handle_data"), let end = dlsym(library, "uchardet_data_end"),
      let answer = dlsym(library, "uchardet_get_charset")
    else { return nil }
    // The types of uchardet.h, unchanged since 0.0.1 except for added functions.
    self.new = unsafeBitCast(new, to: New.self)
    self.delete = unsafeBitCast(delete, to: Delete.self)
    self.handle = unsafeBitCast(handle, to: Handle.self)
    self.end = unsafeBitCast(end, to: End.self)
    self.answer = unsafeBitCast(answer, to: Answer.self)
  }

  /// The detected charset, with a label that iconv knows. Nil if detection fails.
  func guess(_ bytes: UnsafeBufferPointer<UInt8>) -> CharsetLabel? {
    guard let start = bytes.baseAddress, let state = new() else { return nil }
    defer { delete(state) }
    guard handle(state, start, bytes.count) == 0 else { return nil }
    end(state)
    guard let name = answer(state).map({ String(cString: $0) }), !name.isEmpty else { return nil }
    return CharsetLabel(name)
  }
}
