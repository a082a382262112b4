# Not verified, because Nix does not run where Earshot is developed. See docs/RELEASING.md before you use it. A Nix build has no
# network, so the Swift packages must be there before: `swiftpm2nix` writes ./nix from Package.resolved.
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
  zlib,
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
    zlib
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

  # The program loads these libraries by their names while it runs.
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
