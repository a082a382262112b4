// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Defines a C macro from an environment variable. The Makefile sets these variables for a release build.
func define(_ name: String, quoted: Bool = true) -> [CSetting] {
  Context.environment[name].map { [.define(name, to: quoted ? "\"\($0)\"" : $0)] } ?? []
}
// The commit that `earshot --version` prints comes from scripts/version, the reduced locale data from scripts/trim-icu.
let build = define("EARSHOT_COMMIT") + define("EARSHOT_DATE")
let icuData = define("EARSHOT_ICU_DATA") + define("EARSHOT_ICU_SYMBOL", quoted: false)

/// A package of an exact version, so that later builds give the same program. docs/RELEASING.md explains how to change
/// one. A source archive for builds without a network has it in the directory `vendor` (scripts/make-source).
func pinned(_ url: String, _ version: Version) -> Package.Dependency {
  let path = "\(Context.packageDirectory)/vendor/\(url.split(separator: "/").last ?? "")"
  return FileManager.default.fileExists(atPath: path) ? .package(path: path) : .package(url: url, exact: version)
}

// The dependencies match the diagram in docs/ARCHITECTURE.md. A target may import only the modules listed here.
let package = Package(
  name: "earshot",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "earshot", targets: ["TUIApp"])],
  dependencies: [
    pinned("https://github.com/groue/GRDB.swift", "7.10.0"),
    pinned("https://github.com/apple/swift-argument-parser", "1.8.2"),
    pinned("https://github.com/apple/swift-log", "1.16.2"),
    pinned("https://github.com/LebJe/TOMLKit", "0.6.0"),
  ],
  targets: [
    .executableTarget(
      name: "TUIApp",
      dependencies: [
        "AppCore", "Session", "CoverArt", "Store", "HTTP", "FeedKit", "Services", "Playback", "Downloads", "Streams",
        "Desktop", "Importers", "Directories", "LoopbackSocket", "Programs",
        "CNcurses", "CBuildInfo", "CCrashTrace", "CICUData", "Sync", "SyncBackends",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "TOMLKit", package: "TOMLKit"),
      ],
      resources: [.copy("Resources/welcome")]),
    .target(name: "AppCore", dependencies: ["TerminalKit", "Session", "Model"]),
    .target(name: "Session", dependencies: ["Model"]),
    .target(name: "TerminalKit"),
    .target(name: "Model"),
    // The data that devices exchange, and how it is merged. No I/O: the back ends are in SyncBackends.
    .target(name: "Sync", dependencies: ["Model"]),
    .target(
      name: "Store",
      dependencies: [
        "Model", "Sync", "SyncBackends", "CSQLite", "CZstd", .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .target(name: "HTTP", dependencies: ["Model", "CCurl", "CZlib"]),
    .target(name: "FeedKit", dependencies: ["Model", "HTTP", "CLibXML2"]),
    .target(name: "Directories", dependencies: ["Model", "TerminalKit", "FeedKit", "HTTP", "CAVUtil"]),
    .target(name: "Downloads", dependencies: ["Model", "HTTP", "Store", "Streams"]),
    .target(name: "Streams", dependencies: ["Model", "HTTP", "LoopbackSocket"]),
    .target(
      name: "Services",
      dependencies: [
        "CoverArt", "Desktop", "Directories", "Downloads", "FeedKit", "Folders", "HTTP", "Importers", "Model",
        "Playback", "Programs", "Store", "Streams", "Sync", "SyncBackends", "TerminalKit",
        .product(name: "Logging", package: "swift-log"),
      ]),
    // Folders of the listener as podcasts: lists their files and makes feeds of them. Opens nothing else.
    .target(name: "Folders", dependencies: ["Model"]),
    .target(name: "SyncBackends", dependencies: ["Model", "Sync"]),
    .target(name: "LoopbackSocket"),
    .target(name: "Programs", dependencies: ["LoopbackSocket"]),
    .target(
      name: "Desktop",
      dependencies: ["Model", "LoopbackSocket", .target(name: "CSDBus", condition: .when(platforms: [.linux]))]),
    .target(
      name: "Importers", dependencies: ["Model", "Programs", "CSQLite", .product(name: "GRDB", package: "GRDB.swift")]),
    .target(name: "Playback", dependencies: ["Model", "CMpv"]),
    .target(name: "CoverArt", dependencies: ["TerminalKit", "CChafa", "CAVCodec", "CAVUtil"]),
    .target(name: "CBuildInfo", cSettings: build),
    .target(name: "CCrashTrace"),
    .target(name: "CICUData", cSettings: icuData),
    .systemLibrary(name: "CNcurses"),
    .systemLibrary(name: "CMpv"),
    .systemLibrary(name: "CCurl"),
    .systemLibrary(name: "CSQLite"),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd"),
    .systemLibrary(name: "CZlib"),
    .systemLibrary(name: "CSDBus"),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0"),
    .systemLibrary(name: "CChafa"),
    .systemLibrary(name: "CAVCodec"),
    .systemLibrary(name: "CAVUtil"),

    // An HTTP server on 127.0.0.1 that misbehaves on demand. Only tests link it.
    .target(name: "LoopbackServer", dependencies: ["LoopbackSocket"], path: "Tests/LoopbackServer"),
    // Seeded random numbers, which are the same in every run, and mutation fuzzing based on them.
    .target(name: "Seeded", path: "Tests/Seeded"),
    // A limit to the number of tests that run at once.
    .target(name: "Turns", path: "Tests/Turns"),
    // A directory that is deleted at the end of its test.
    .target(name: "TemporaryFiles", path: "Tests/TemporaryFiles"),
    // Waiting for the end of a child process.
    .target(name: "ChildProcesses", path: "Tests/ChildProcesses"),
    .testTarget(name: "ModelTests", dependencies: ["Model", "Seeded"]),
    .testTarget(name: "SessionTests", dependencies: ["Session"]),
    .testTarget(name: "TerminalKitTests", dependencies: ["TerminalKit", "Seeded"]),
    .testTarget(name: "AppCoreTests", dependencies: ["AppCore", "Session", "Seeded"], exclude: ["Golden"]),
    .testTarget(name: "CoverArtTests", dependencies: ["CoverArt", "Seeded"]),
    .testTarget(
      name: "FeedKitTests", dependencies: ["FeedKit", "HTTP", "LoopbackServer", "Seeded", "TemporaryFiles", "Turns"],
      resources: [.copy("Fixtures")]),
    .testTarget(
      name: "SyncTests",
      dependencies: [
        "Sync", "SyncBackends", "Services", "FeedKit", "HTTP", "Store", "LoopbackServer", "Seeded", "TemporaryFiles",
      ]),
    // An SQLite VFS that records writes and syncs, for tests of power failures.
    .target(name: "CRecordingVFS", path: "Tests/CRecordingVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
    .testTarget(
      name: "StoreTests",
      dependencies: [
        "Store", "Sync", "SyncBackends", "Seeded", "ChildProcesses", "TemporaryFiles", "CRecordingVFS", "CZstd",
      ]),
    .testTarget(
      name: "DownloadsTests",
      dependencies: ["Downloads", "Streams", "LoopbackServer", "Seeded", "Turns", "ChildProcesses", "TemporaryFiles"]),
    .testTarget(name: "DirectoriesTests", dependencies: ["Directories", "HTTP", "LoopbackServer"]),
    .testTarget(
      name: "StreamsTests",
      dependencies: ["Streams", "HTTP", "LoopbackServer", "LoopbackSocket", "Seeded", "TemporaryFiles", "Turns"]),
    .testTarget(name: "FoldersTests", dependencies: ["Folders", "TemporaryFiles"]),
    .testTarget(name: "ProgramsTests", dependencies: ["Programs", "ChildProcesses", "TemporaryFiles"]),
    .testTarget(name: "DesktopTests", dependencies: ["Desktop", "ChildProcesses", "Turns"]),
    .testTarget(
      name: "ImportersTests",
      dependencies: ["Importers", "Model", "Seeded", "TemporaryFiles", .product(name: "GRDB", package: "GRDB.swift")]),
    .testTarget(
      name: "PlaybackTests",
      dependencies: ["Playback", "Streams", "LoopbackServer", "ChildProcesses", "TemporaryFiles", "CMpv"]),
    .testTarget(
      name: "TUIAppTests",
      dependencies: [
        "TUIApp", "Services", "Directories", "HTTP", "FeedKit", "Folders", "Store", "Streams", "SyncBackends",
        "Importers", "Programs", "LoopbackServer", "Seeded", "ChildProcesses", "TemporaryFiles", "Turns",
      ],
      exclude: ["Seeds"]),
  ]
)

// EARSHOT_TESTS="Store AppCore" builds only the tests of these modules, which saves most of the time of a test build.
if let wanted = Context.environment["EARSHOT_TESTS"]?.split(separator: " ").map({ "\($0)Tests" }), !wanted.isEmpty {
  package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}
