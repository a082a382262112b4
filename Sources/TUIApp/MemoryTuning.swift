import Foundation

/// Settings for glibc's malloc. It creates up to eight memory arenas for each core, and memory that is freed in one
/// arena is neither reused by others nor returned to the system. mpv starts a dozen threads for each file, so that the
/// memory of a running player would grow with every episode. `make soak` measures it.
enum MemoryTuning {
  /// `M_ARENA_MAX` of glibc's malloc.h (mallopt(3)).
  private static let arenaMax: Int32 = -8

  /// Must be called at the start, before there is a second thread.
  /// - Parameter arenas: 1 for a program that plays. Threads that allocate at the same time wait for each other then.
  static func limitArenas(to arenas: Int32) { _ = mallopt?(arenaMax, arenas) }

  /// Releases memory that the start needed, some seconds after it.
  static func releaseAfterStart() {
    DispatchQueue.global(qos: .background).asyncAfter(deadline: .now() + 3) {
      // Returns free pages to the system (malloc_trim(3)).
      _ = mallocTrim?(0)
      releaseCode()
    }
  }

  /// Removes the program's code from its memory (madvise(2), MADV_DONTNEED). The kernel maps the pages that run again
  /// from its cache. 19 MB are mapped after the start, and 10 MB while it plays.
  static func releaseCode() {
    #if os(Linux)
      guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) else { return }
      let base = UInt(bitPattern: #dsohandle)
      let mappings = maps.split(separator: "\n").compactMap(Mapping.init)
      guard let program = mappings.first(where: { $0.range.contains(base) })?.file else { return }
      // Only pages that cannot have been written since they were mapped: writes would be lost.
      for mapping in mappings where mapping.file == program && mapping.access == "r-xp" {
        madvise(UnsafeMutableRawPointer(bitPattern: mapping.range.lowerBound), mapping.range.count, MADV_DONTNEED)
      }
    #endif
  }

  /// A line of `/proc/self/maps` (proc(5)) that belongs to a file.
  private struct Mapping {
    let range: Range<UInt>
    let access: Substring
    let file: Substring

    init?(_ line: Substring) {
      let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      let ends = fields.first?.split(separator: "-").compactMap { UInt($0, radix: 16) } ?? []
      guard fields.count == 6, ends.count == 2, ends[0] <= ends[1] else { return nil }
      range = ends[0]..<ends[1]
      access = fields[1]
      file = fields[5]
    }
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
