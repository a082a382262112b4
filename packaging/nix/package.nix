# Not verified: no Nix runs where Earshot is developed. docs/RELEASING.md says what to fill in. The Swift packages that
# Package.swift names must be at hand, because a build of Nix has no network: `swiftpm2nix` writes ./nix from Package.resolved.
#
#   nix-build -E 'with import <nixpkgs> { }; callPackage ./packaging/nix/package.nix { }'
{
  lib,
  stdenv,
  swift,
  swiftpm,
  swiftpm2nix,
  pkg-config,
  makeWrapper,
  ncurses,
  mpv-unwrapped,
  curl,
  libxml2,
  sqlite,
  zstd,
  ffmpeg,
  chafa,
  systemdLibs,
}:

let
  generated = swiftpm2nix.helpers ./nix;
in
stdenv.mkDerivation {
  pname = "earshot";
  version = "0.1.0";

  src = lib.cleanSource ../..;

  nativeBuildInputs = [
    swift
    swiftpm
    pkg-config
    makeWrapper
  ];

  buildInputs = [
    ncurses
    mpv-unwrapped
    curl
    libxml2
    sqlite
    zstd
    ffmpeg
    chafa
  ];

  configurePhase = generated.configure;

  buildPhase = ''
    runHook preBuild
    swift build -c release --product earshot
    runHook postBuild
  '';

  installPhase = ''
    runHook preInstall
    scripts/install-files "$(swiftpmBinPath)/earshot" "$out"
    runHook postInstall
  '';

  # These are opened while the program runs, by their names.
  postFixup = ''
    wrapProgram "$out/bin/earshot" \
      --prefix LD_LIBRARY_PATH : ${
        lib.makeLibraryPath [
          mpv-unwrapped
          ffmpeg
          chafa
          systemdLibs
        ]
      }
  '';

  meta = {
    description = "Podcast player for the terminal";
    homepage = "https://example.org/earshot";
    license = lib.licenses.mit;
    mainProgram = "earshot";
    platforms = lib.platforms.linux;
  };
}
