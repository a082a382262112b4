# Not verified, because Nix does not run where Earshot is developed. nixpkgs must have Swift 6.2 or newer.
#
#   scripts/fill-in packaging/nix/package.nix >package.nix
#   nix-build -E 'with import <nixpkgs> { }; callPackage ./package.nix { }'
{
  lib,
  stdenv,
  fetchurl,
  swift,
  swiftpm,
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

stdenv.mkDerivation {
  pname = "earshot";
  version = "@version@";

  # With the Swift packages, because a build has no network.
  src = fetchurl {
    url = "@downloads@/earshot-@version@-vendored.tar.gz";
    hash = lib.fakeHash;
  };

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

  # The build phase is that of swiftpm's hook.
  swiftpmFlags = [
    "--product"
    "earshot"
  ];

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
    homepage = "@homepage@";
    license = lib.licenses.mit;
    mainProgram = "earshot";
    platforms = lib.platforms.linux;
  };
}
