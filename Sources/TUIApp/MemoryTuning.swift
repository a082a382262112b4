import Foundation

/// Settings for glibc's malloc. It creates up to eight memory arenas for each core, and memory that is freed in one
/// arena is neither reused by others nor returned to the system. mpv starts a dozen threads for each file, so that the
/// memory of a running player would grow with every episode. `make soak` measures it.
enum MemoryTuning {
  /// `M_ARENA_MAX` of glibc's malloc.h (mallopt(3)).
  private static let arenaMax: Int32 = -8

  /// `M_TRIM_THRESHOLD`: how much free memory at the program break malloc keeps.
  private static let trimThreshold: Int32 = -1
  /// `M_TOP_PAD`: how much more than it needs malloc takes from the system at once.
  private static let topPad: Int32 = -2

  /// Must be called at the start, before there is a second thread.
  /// - Parameter arenas: 1 for a program that plays. Threads that allocate at the same time wait for each other then.
  static func limitArenas(to arenas: Int32) { _ = mallopt?(arenaMax, arenas) }

  /// Lets the kernel map memory in pages of 2 MB instead of 4 kB (madvise(2), MADV_HUGEPAGE), for a verb that creates
  /// very many values. Reading a feed of 100 MB is a seventh faster.
  ///
  /// Must be called on the main thread: only its memory is at the program break (sbrk(2)), which malloc can be told to
  /// move ahead.
  /// - Parameter bytes: how much will be needed at most. Unused pages take no memory.
  static func useLargePages(for bytes: Int) {
    #if os(Linux)
      guard let mallopt, let start = sbrk(0) else { return }
      // The free memory at the break is not returned.
      _ = mallopt(trimThreshold, .max)
      _ = mallopt(topPad, Int32(clamping: bytes))
      // Blocks that malloc does not map separately, until it has moved the break.
      var blocks: [UnsafeMutableRawPointer] = []
      while sbrk(0) == start, blocks.count < 16 { blocks.append(.allocate(byteCount: 64 << 10, alignment: 16)) }
      blocks.forEach { $0.deallocate() }
      _ = mallopt(topPad, 1 << 20)
      // The address must be that of a page.
      let firstPage = start.alignedUp(toMultipleOf: 1 << 21)
      if let end = sbrk(0), end > firstPage { madvise(firstPage, end - firstPage, MADV_HUGEPAGE) }
    #endif
  }

  /// Releases memory that the start needed, some seconds after it.
  static func releaseAfterStart() {
    DispatchQueue.global(qos: .background).asyncAfter(deadline: .now() + 3) {
      // Returns free pages to the system (malloc_trim(3)).
      _ = mallocTrim?(0)
      releaseCode()
    }
  }

  /// Removes the code of the program and its libraries from the program's memory (madvise(2), MADV_DONTNEED). The
  /// kernel maps the pages that run again from its cache. Most of what the start runs never runs again, such as the
  /// registration of codecs.
  static func releaseCode() {
    #if os(Linux)
      // `String(contentsOfFile:)` ends at the first read that returns less than a page, as reads of such files do.
      guard let maps = FileHandle(forReadingAtPath: "/proc/self/maps"), let text = try? maps.readToEnd() else { return }
      for code in String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap(codeMapping) {
        madvise(UnsafeMutableRawPointer(bitPattern: code.lowerBound), code.count, MADV_DONTNEED)
      }
    #endif
  }

  /// The addresses in a line of `/proc/self/maps` (proc(5)), if it maps the code of a file. Such pages cannot have been
  /// written since they were mapped; writes would be lost.
  private static func codeMapping(_ line: Substring) -> Range<UInt>? {
    let fields = line.split(separator: " ")
    guard fields.count > 5, fields[1] == "r-xp", fields[5].hasPrefix("/") else { return nil }
    let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
    return ends.count == 2 && ends[0] <= ends[1] ? ends[0]..<ends[1] : nil
  }

  // Found at run time, because Swift's module of glibc lacks malloc.h and other C libraries lack these functions.
  private static let mallopt = function("mallopt", as: (@convention(c) (Int32, Int32) -> Int32).self)
  private static let mallocTrim = function("malloc_trim", as: (@convention(c) (Int) -> Int32).self)

  private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
    #if canImport(Glibc)
      // A nil handle searches everything that is loaded (dlsym(3), RTLD_DEFAULT).
      dlsym(nil, name).map { unsafeBitCast($0, to: type) }
    #else
      nil
    #endif
  }
}
